import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { noFilter } from '../filter/filter.ts';
import { noPause } from '../format/in-pieces.ts';
import { figuresOfRows } from '../handover/handover.ts';
import { defaultThresholds } from '../vocabulary/warnings.ts';
import { mixedWarnings } from '../warnings/find-warnings.ts';
import { filterPack } from './filter-pack.ts';
import { intentShares } from './known-share.ts';

test('the share of an intent is of the keywords whose intent is known, and a keyword with several counts for each', () => {
  expect(intentShares([0, 0, 50, 50], 50)).toEqual([
    { intent: 'commercial', share: 1 },
    { intent: 'transactional', share: 1 },
  ]);
  expect(intentShares([1, 0, 3, 0], 4).map(({ share }) => share)).toEqual([0.75, 0.25]);
  expect(intentShares([0, 0, 0, 0], 0)).toEqual([]);
});

test('files and warnings state the same shares', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const intents = [
    'informational, commercial',
    'informational',
    'commercial',
    'transactional',
    'navigational',
    undefined,
  ];
  const { pack } = await packOf(
    { name: 'root', children: [{ name: 'x', type: 'cluster', children: names.map((name) => ({ name })) }] },
    names.map((keyword, at) => ({ keyword, ...(intents[at] !== undefined && { intent: intents[at] }) })),
  );
  const [figures] = await figuresOfRows(pack, Uint32Array.of(1), undefined);
  expect(figures!.intents.map(({ intent, share }) => [intent, share])).toEqual([
    ['informational', 0.4],
    ['commercial', 0.4],
    ['navigational', 0.2],
    ['transactional', 0.2],
  ]);
  const filtered = await filterPack(pack, noFilter);
  const thresholds = { ...defaultThresholds, mixedKeywords: 5, mixedShare: 50 };
  const found = await mixedWarnings({ pack: filtered, thresholds, pause: noPause });
  if ('missing' in found) throw new Error('No intents');
  expect(Object.values(found.figures).map(([value]) => value)).toEqual([5, 0.4, 0.2, 0.4, 0.2]);
});
