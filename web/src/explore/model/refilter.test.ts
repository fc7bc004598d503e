import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import type { NodeDetail } from '@kc/rules/shapes';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unaskedSource } from '../../../test/support/source.ts';
import { cutTo, loadTree, partOf, withRest } from '../../../test/support/tree.ts';
import { none } from '../tree-data/columns.ts';
import { removeCompared, toggleCompared } from './compare.ts';
import { hasFigures, nameOf } from './compared-nodes.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import type { AddressBar } from './parts.ts';
import type { ExplorerSource, Located } from './source.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps, 6 trail, 7 road. */
const whole = sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4))');
const keptRows: Readonly<Record<string, readonly number[]>> = { 'has-trail': [0, 1, 3, 6], 'has-caps': [0, 2, 5] };
const keptBy: Readonly<Record<string, Slice>> = {
  'has-trail': cutTo(whole, [0, 1, 3, 6]),
  'has-caps': cutTo(whole, [0, 2, 5]),
  'has-nothing': cutTo(whole, [0]),
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The branch that a query requests, restricted to what its filter keeps. */
function respond({ node, filter = '', rest }: SliceQuery): Slice {
  const tree = filter === '' ? whole : rest ? withRest(whole, keptRows[filter]!) : keptBy[filter]!;
  const rows = [Array.from(tree.node).indexOf(node)];
  for (let row = rows[0]! + 1; row < tree.rows; row++) if (rows.includes(tree.parent[row]!)) rows.push(row);
  return partOf(tree, rows);
}

function sourceOf(slice: ExplorerSource['slice'] = async (query) => respond(query)): ExplorerSource {
  return {
    ...unaskedSource,
    slice,
    fields: async () => [],
    node: async ({ node }) => ({ name: nameAt(node) }) as NodeDetail,
    locate: async (address, filter): Promise<Located> => {
      const row = Array.from(whole.node).find((at) => addressOf(at) === address);
      const path: number[] = [];
      for (let at = row ?? -1; at > 0; at = whole.parent[at]!) path.unshift(at);
      const tree = filter === '' ? whole : keptBy[filter]!;
      return { path: row === undefined ? [] : [0, ...path].filter((at) => tree.node.includes(at)) };
    },
  };
}

const nameAt = (node: number) => {
  const tree = loadTree(whole);
  return tree.name(tree.rowOf(node));
};
const addressOf = (row: number) =>
  [0, 1].map((half) => whole.address[row * 2 + half]!.toString(16).padStart(8, '0')).join('');

/** An address bar with a history. */
function barAt(search: string) {
  const entries = [search];
  let at = 0;
  let heard = () => undefined as unknown;
  const bar: AddressBar & { back(): void; readonly entries: string[] } = {
    entries,
    read: () => entries[at]!,
    write(next, how) {
      if (how === 'push') entries.splice(++at);
      entries[at] = next;
    },
    listen(onChange) {
      heard = onChange;
      return () => undefined;
    },
    back() {
      at--;
      heard();
    },
  };
  return bar;
}

async function opened(search = '', source = sourceOf()) {
  const addressBar = barAt(search);
  const explorer = createExplorer({
    visualization: { id: 'a', fileName: 'shop.json', nodes: whole.rows },
    linkId: 'a',
    isDefault: () => true,
    source,
    addressBar,
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  await explorer.start();
  return { explorer, addressBar };
}

/** What the user sees, by name, because a filter changes the row numbers. */
function look({ store, tree }: Explorer) {
  const { focus, selected, expanded, filter, filtering, spoken, notice } = store.getState();
  const name = (row: number) => (row === none ? undefined : tree.name(row));
  return {
    names: Array.from({ length: tree.size }, (_, row) => tree.name(row)).sort(),
    focus: name(focus),
    selected: name(selected),
    expanded: [...expanded].map(name).sort(),
    filter,
    filtering,
    spoken,
    notice,
  };
}

const rowOf = ({ tree }: Explorer, name: string) =>
  Array.from({ length: tree.size }, (_, row) => tree.name(row)).indexOf(name);

test('focus and selection stay if their nodes are kept, and move to the nearest kept branch otherwise', async () => {
  const { explorer, addressBar } = await opened();
  explorer.setExpanded(rowOf(explorer, 'hats'), true);
  explorer.focusOn(rowOf(explorer, 'shoes'), rowOf(explorer, 'walking'));
  expect(await explorer.setFilter('has-trail')).toBe(true);
  expect(look(explorer)).toEqual({
    names: ['running', 'shoes', 'shop', 'trail'],
    focus: 'shoes',
    selected: 'shoes',
    expanded: ['running', 'shoes', 'shop'],
    filter: 'has-trail',
    filtering: undefined,
    spoken: '1 of 4 keywords kept',
    notice: undefined,
  });
  expect(addressBar.entries.at(-1)).toContain('f=has-trail');
  await explorer.setFilter('has-caps');
  expect(look(explorer)).toMatchObject({ focus: 'shop', selected: 'shop', expanded: ['hats', 'shop'] });
  await explorer.setFilter('');
  expect(look(explorer)).toMatchObject({
    expanded: ['hats', 'running', 'shoes', 'shop'],
    spoken: 'No filter: all 4 keywords',
  });
  explorer.stop();
});

test('excluded nodes can be shown and hidden under the same filter, and the focus is never excluded', async () => {
  const { explorer, addressBar } = await opened();
  const { tree } = explorer;
  const leftOut = () =>
    Array.from({ length: tree.size }, (_, row) => row)
      .filter((row) => tree.isLeftOut(row))
      .map((row) => tree.name(row));
  explorer.focusOn(rowOf(explorer, 'hats'), rowOf(explorer, 'caps'));
  expect(await explorer.setFilter('has-trail', 0, true)).toBe(true);
  expect([tree.size, leftOut()]).toEqual([8, ['hats', 'walking', 'caps', 'road']]);
  expect(look(explorer)).toMatchObject({ focus: 'shop', selected: 'caps', spoken: '1 of 4 keywords kept' });
  explorer.focusOn(rowOf(explorer, 'hats'));
  expect(look(explorer)).toMatchObject({ focus: 'shop', selected: 'hats' });
  vi.runAllTimers();
  expect(addressBar.entries.at(-1)).toContain('f=has-trail&rest=faint');
  expect(await explorer.setFilter('has-trail', 0, true)).toBe(true);
  expect(await explorer.setFilter('has-trail', 0, false)).toBe(true);
  expect([tree.size, leftOut()]).toEqual([4, []]);
  expect(look(explorer)).toMatchObject({ focus: 'shop', selected: 'shop' });
  vi.runAllTimers();
  expect(addressBar.entries.at(-1)).not.toContain('rest');
  // Without a filter nothing is excluded; the preference is kept for the next filter.
  await explorer.setFilter('');
  expect(await explorer.setFilter('', 0, true)).toBe(true);
  expect(await explorer.setFilter('has-caps')).toBe(true);
  expect(leftOut()).toContain('trail');
  explorer.stop();
});

test('a link opens with excluded nodes shown, even if they are selected', async () => {
  const { explorer } = await opened(`?f=has-caps&rest=faint&sel=${addressOf(6)}&n=${addressOf(3)}`);
  expect(look(explorer)).toMatchObject({ focus: 'shop', selected: 'trail', filter: 'has-caps' });
  expect(explorer.tree.size).toBe(8);
  explorer.stop();
});

// Shows P16.3.
test('Back removes a filter and restores the focus', async () => {
  const { explorer, addressBar } = await opened();
  explorer.focusOn(rowOf(explorer, 'hats'));
  await explorer.setFilter('has-trail');
  expect(look(explorer).focus).toBe('shop');
  addressBar.back();
  await expect.poll(() => look(explorer)).toMatchObject({ filter: '', focus: 'hats' });
  expect(explorer.tree.size).toBe(whole.rows);
  explorer.stop();
});

test('a link with a filter requests and draws nothing unfiltered first', async () => {
  const queries: SliceQuery[] = [];
  const { explorer, addressBar } = await opened(
    `?n=${addressOf(3)}&f=has-trail`,
    sourceOf(async (query) => {
      queries.push(query);
      return respond(query);
    }),
  );
  expect(look(explorer)).toMatchObject({ filter: 'has-trail', focus: 'running', notice: undefined });
  expect(queries.map(({ filter }) => filter)).toEqual(['has-trail']);
  expect(addressBar.entries).toEqual([`?n=${addressOf(3)}&f=has-trail`]);
  explorer.stop();
});

test('a link to an excluded node opens the nearest kept one, with a notice', async () => {
  const { explorer } = await opened(`?n=${addressOf(2)}&f=has-trail`);
  expect(look(explorer)).toMatchObject({
    focus: 'shop',
    notice: 'The place in this link is hidden by the filters – showing “shop”.',
  });
  explorer.stop();
});

test('a filter that cannot be parsed is ignored', async () => {
  const { explorer } = await opened('?f=nonsense');
  expect(look(explorer)).toMatchObject({ filter: '', notice: undefined });
  expect(explorer.tree.size).toBe(whole.rows);
  explorer.stop();
});

test('a filter that keeps nothing leaves the root, with a notice', async () => {
  const { explorer } = await opened();
  explorer.focusOn(rowOf(explorer, 'running'));
  await explorer.setFilter('has-nothing');
  expect(look(explorer)).toMatchObject({ names: ['shop'], focus: 'shop', spoken: 'No keywords match these filters' });
  explorer.stop();
});

test('a filter that fails to load leaves the content unchanged and shows the reason', async () => {
  const { explorer, addressBar } = await opened(
    '',
    sourceOf(async (query) => {
      if (query.filter) throw new Error('offline');
      return respond(query);
    }),
  );
  expect(await explorer.setFilter('has-trail')).toBe(false);
  expect(look(explorer)).toMatchObject({ filter: '', filtering: undefined, notice: 'Error: offline' });
  expect([explorer.tree.size, addressBar.entries]).toEqual([whole.rows, ['']]);
  explorer.stop();
});

test('while typing or dragging only the last filter is requested, and only it becomes a history entry', async () => {
  const requests: string[] = [];
  const { explorer, addressBar } = await opened(
    '',
    sourceOf(async (query) => {
      requests.push(query.filter ?? '');
      return respond(query);
    }),
  );
  void explorer.setFilter('has-t', 300);
  void explorer.setFilter('has-tra', 300);
  const last = explorer.setFilter('has-trail', 300);
  expect(look(explorer)).toMatchObject({ filter: '', filtering: 'has-trail' });
  await vi.advanceTimersByTimeAsync(300);
  expect(await last).toBe(true);
  expect(requests).toEqual(['', 'has-trail']);
  expect(addressBar.entries).toEqual(['', '?f=has-trail']);
  void explorer.setFilter('has-caps', 300);
  expect(await explorer.setFilter('has-trail')).toBe(true);
  await vi.advanceTimersByTimeAsync(300);
  expect(requests).toHaveLength(2);
  explorer.stop();
});

test('a filter that is too long changes nothing and shows a notice', async () => {
  const { explorer } = await opened();
  expect(await explorer.setFilter(`has-${'x'.repeat(2000)}`)).toBe(false);
  expect(look(explorer)).toMatchObject({
    filter: '',
    filtering: undefined,
    notice: 'This is more than a filter can hold',
  });
  explorer.stop();
});

/** The compared nodes in order; nodes that the filter excludes are in brackets. */
const compared = ({ store, tree }: Explorer) =>
  store.getState().compared.map((one) => (hasFigures(tree, one) ? nameOf(tree, one) : `(${nameOf(tree, one)})`));

async function comparing(names: readonly string[]) {
  const { explorer, addressBar } = await opened();
  for (const name of names) toggleCompared(explorer, rowOf(explorer, name));
  vi.runAllTimers();
  return { explorer, bar: addressBar };
}

test('a compared node that the filter excludes keeps its position, and returns when the filter is removed', async () => {
  const { explorer, bar } = await comparing(['hats', 'trail', 'walking']);
  expect(compared(explorer)).toEqual(['hats', 'trail', 'walking']);
  const before = bar.entries.at(-1)!;
  await explorer.setFilter('has-trail');
  expect(compared(explorer)).toEqual(['(hats)', 'trail', '(walking)']);
  // explore/compare-away
  expect(look(explorer).spoken).toBe('1 of 4 keywords kept. Compared and left out by the filter: 2');
  const comparedIn = (entry: string) => new URLSearchParams(entry).get('sel')!.split('.').slice(1);
  expect(comparedIn(bar.entries.at(-1)!)).toEqual(comparedIn(before));
  await explorer.setFilter('has-caps');
  expect(compared(explorer)).toEqual(['hats', '(trail)', '(walking)']);
  await explorer.setFilter('has-caps', 0, true);
  expect(compared(explorer)).toEqual(['hats', '(trail)', '(walking)']);
  await explorer.setFilter('');
  expect(compared(explorer)).toEqual(['hats', 'trail', 'walking']);
  expect(look(explorer).spoken).toBe('No filter: all 4 keywords');
  explorer.stop();
});

test('a link restores a filter with compared nodes that it excludes, and Back restores both', async () => {
  const { explorer, addressBar } = await opened(`?sel=.${addressOf(5)}.${addressOf(6)}&f=has-trail`);
  expect(compared(explorer)).toEqual(['(caps)', 'trail']);
  expect(addressBar.entries).toEqual([`?sel=.${addressOf(5)}.${addressOf(6)}&f=has-trail`]);
  await explorer.setFilter('');
  expect(compared(explorer)).toEqual(['caps', 'trail']);
  addressBar.back();
  await expect.poll(() => compared(explorer)).toEqual(['(caps)', 'trail']);
  explorer.stop();
});

test('an excluded node can be removed from the comparison, and counts towards the limit of four', async () => {
  const { explorer } = await comparing(['hats', 'trail', 'walking', 'road']);
  await explorer.setFilter('has-trail');
  toggleCompared(explorer, rowOf(explorer, 'running'));
  expect(compared(explorer)).toEqual(['(hats)', 'trail', '(walking)', '(road)']);
  removeCompared(explorer, explorer.store.getState().compared[0]!);
  expect(look(explorer).spoken).toBe('hats taken out. Compared: 3');
  toggleCompared(explorer, rowOf(explorer, 'running'));
  await explorer.setFilter('');
  expect(compared(explorer)).toEqual(['trail', 'walking', 'road', 'running']);
  explorer.stop();
});

test('an unknown node ID is not compared, with or without a filter', async () => {
  const { explorer } = await opened(`?sel=.${'0'.repeat(15)}9.${addressOf(5)}&f=has-trail`);
  expect(compared(explorer)).toEqual(['(caps)']);
  explorer.stop();
});
