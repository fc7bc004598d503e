import { sliceOf } from '@kc/pack/test/support/trees';
import type { Field } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { createExplorerStore } from './explorer-state.ts';
import { createFieldLoader } from './load-fields.ts';
import { readUrlState } from './url-state.ts';

const withheld = { name: 'Landing page', kind: 'none', why: 'values' } as const;
const fields: readonly Field[] = [
  { name: 'Traffic', kind: 'number', rollUp: 'sum', least: 0 },
  { name: 'Change', kind: 'number', rollUp: 'mean', least: -1 },
  { name: 'Stage', kind: 'category', values: ['', 'early'], counts: [0, 1] },
];

/** An explorer's state for an address, and the fields that slices are asked to include. */
function at(search: string, answers: readonly (() => Promise<readonly Field[]>)[] = [async () => fields]) {
  const store = createExplorerStore(readUrlState(search), { isSmall: false, panelsOpen: false });
  const requested: (readonly string[])[] = [];
  const failures: unknown[] = [];
  const responses = [...answers];
  const loader = createFieldLoader({
    store,
    // Only volumes are known.
    tree: loadTree(sliceOf('shop (shoes 30 hats 40 belts)')),
    source: { fields: async () => [...(await responses.shift()!()), withheld] },
    isDraft: false,
    setFields: (names) => requested.push(names),
    onError: (failure) => failures.push(failure),
  });
  return { store, requested, failures, loader };
}

test('nothing is requested before the first chart, then only the fields it uses', async () => {
  const { store, requested } = at('?color=field:Stage&size=field:Traffic&x=field:Change');
  store.setState({ size: 'keywords' });
  await Promise.resolve();
  expect(requested).toEqual([]);
  store.setState({ ready: true, size: 'field:Traffic' });
  await expect.poll(() => requested).toEqual([['Stage', 'Traffic']]);
  expect(store.getState()).toMatchObject({ fields, withheldFields: [withheld] });
});

test('axes load only in views with axes, and the table loads a column for every field', async () => {
  const { store, requested } = at('?view=opportunity&y=field:Change');
  store.setState({ ready: true });
  await expect.poll(() => requested.at(-1)).toEqual(['Change']);
  store.setState({ view: 'table' });
  await expect.poll(() => requested.at(-1)).toEqual(['Traffic', 'Change', 'Stage']);
  store.setState({ view: 'treemap' });
  await expect.poll(() => requested.at(-1)).toEqual([]);
});

test('a field in a link that the file lacks or cannot use that way falls back to the default', async () => {
  const { store } = at('?color=field:Gone&size=field:Change&x=field:Stage&y=keywords');
  store.setState({ ready: true });
  await expect.poll(() => store.getState().colour).toBe('pillar');
  expect(store.getState()).toMatchObject({ size: 'keywords', x: 'difficulty', y: 'volume' });
});

test('a metric without values falls back to the default; axes stay, so that Opportunity can say what is missing', async () => {
  const { store } = at('?color=difficulty&size=cpc&x=cpc&y=difficulty');
  store.setState({ ready: true });
  await expect.poll(() => store.getState().colour).toBe('pillar');
  expect(store.getState()).toMatchObject({ size: 'keywords', x: 'cpc', y: 'difficulty' });
});

test('a failed list of fields is reported, and requested again by the next choice', async () => {
  const { store, requested, failures } = at('', [() => Promise.reject(new Error('offline')), async () => fields]);
  store.setState({ ready: true });
  await expect.poll(() => failures).toHaveLength(1);
  store.setState({ colour: 'field:Traffic' });
  await expect.poll(() => requested).toEqual([['Traffic']]);
});

const season = (newest: string): Field => ({
  name: `season=${newest}`,
  kind: 'category',
  values: ['', 'May'],
  counts: [],
});

test('the colour, the columns and the sort follow the peak month to its new name', async () => {
  const { store, requested, loader } = at('?color=field:season=&view=table&cols=name*field:season=.220*volume', [
    async () => [...fields, season('')],
    async () => [...fields, season('2026-04')],
  ]);
  store.setState({ ready: true, rowSort: '-field:season=*volume' });
  await expect.poll(() => requested.at(-1)).toContain('season=');
  loader.reload();
  await expect.poll(() => requested.at(-1)).toContain('season=2026-04');
  expect(requested.at(-1)).not.toContain('season=');
  expect(store.getState()).toMatchObject({
    colour: 'field:season=2026-04',
    cols: 'name*field:season=2026-04.220*volume',
    rowSort: '-field:season=2026-04*volume',
  });
});

test('of a list that arrives after it was requested again, nothing is kept', async () => {
  let respond: (fields: readonly Field[]) => void = () => undefined;
  const { store, requested, loader } = at('?color=field:season=', [
    () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
    async () => [...fields, season('2026-04')],
  ]);
  store.setState({ ready: true });
  loader.reload();
  await expect.poll(() => requested.at(-1)).toEqual(['season=2026-04']);
  respond([...fields, season('')]);
  store.setState({ size: 'field:Traffic' });
  await expect.poll(() => requested.at(-1)).toEqual(['season=2026-04', 'Traffic']);
  expect(store.getState().fields?.map(({ name }) => name)).not.toContain('season=');
});
