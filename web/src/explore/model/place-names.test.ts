import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { partOf } from '../../../test/support/tree.ts';
import { fetchPlaceNames, placeText, rememberPlace } from './place-names.ts';
import type { ExplorerSource, Located } from './source.ts';

const whole = sliceOf('shop (shoes (trail road) hats)');

/** Knows the location of some node IDs and counts requests. */
function sourceWith(located: Readonly<Record<string, Located>>) {
  const requests: string[] = [];
  const source: Pick<ExplorerSource, 'locate' | 'slice'> = {
    locate: async (address, filter) => {
      requests.push(`${address}${filter}`);
      return located[address]!;
    },
    slice: async ({ node }) => partOf(whole, [node]),
  };
  return { source: source as ExplorerSource, requests };
}

test('a node has its name, a removed node its former name, and an unknown node a notice', async () => {
  const { source } = sourceWith({ a: { path: [0, 1] }, b: { path: [0], gone: 'trail shoes' }, c: { path: [] } });
  expect(placeText(source, 'a')).toBe('…');
  await fetchPlaceNames(source, ['a', 'b', 'c'], new AbortController().signal);
  expect(['a', 'b', 'c'].map((address) => placeText(source, address))).toEqual([
    'shoes',
    'trail shoes (no longer here)',
    'a branch that is no longer here',
  ]);
});

test('a name is requested once, and not if it is already known', async () => {
  const { source, requests } = sourceWith({ a: { path: [0, 1] }, b: { path: [0, 2] } });
  rememberPlace(source, 'b', 'hats');
  for (let time = 0; time < 2; time++) await fetchPlaceNames(source, ['a', 'b'], new AbortController().signal);
  expect(requests).toEqual(['a']);
  expect(placeText(source, 'b')).toBe('hats');
});
