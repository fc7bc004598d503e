import { writeFilter } from '@kc/pack/filter/filter-text';
import { locateLast, pathTo } from '@kc/pack/format/locate';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { anyFilter } from '@kc/pack/test/support/filters';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unaskedSource } from '../../../test/support/source.ts';
import { none } from '../tree-data/columns.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import type { AddressBar } from './parts.ts';
import { withSeen } from './seen-filter.ts';
import type { ExplorerSource, Located } from './source.ts';
import { colours, depths, metrics, sizes, views } from './url-state.ts';

/** Five levels of uneven size, with two siblings of the same name and a name in another script. */
const shop = JSON.stringify({
  hierarchy: {
    name: 'shop',
    children: Array.from({ length: 4 }, (_, i) => ({
      name: i < 2 ? 'shoes' : `hats ${i}`,
      children: Array.from({ length: 3 + i }, (_, j) => ({
        name: `靴 ${j}`,
        children: j === 0 ? [] : [{ name: 'trail', children: [{ name: 'deep' }, { name: `road ${i}` }] }],
      })),
    })),
  },
});
let pack: PackReader;

beforeEach(async () => {
  // Only the explorer's timers are fake; the pack's promises resolve as usual.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  pack = await packOf(shop);
});
afterEach(() => {
  vi.useRealTimers();
});

async function packOf(json: string): Promise<PackReader> {
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(new TextEncoder().encode(json));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

/** A pack that returns slices of a few rows, so that nodes have to be loaded. */
function sourceOf(from: PackReader, locate?: (address: string) => Promise<Located>): ExplorerSource {
  return {
    ...unaskedSource,
    // Filtering is the server's task; here everything is kept.
    slice: (query) => takeSlice(from, { ...query, filter: '', budget: 6 }),
    fields: async () => [],
    locate: locate ?? (async (address) => ({ path: [...((await locateLast(from, [address])) ?? [])] })),
  };
}

/** An address bar with a history. */
function barAt(search: string) {
  const entries = [search];
  let at = 0;
  const listeners = new Set<() => void>();
  const bar: AddressBar & { go(by: number): void; entries: string[] } = {
    entries,
    read: () => entries[at]!,
    write(next, how) {
      if (how === 'push') entries.splice(++at);
      entries[at] = next;
    },
    listen(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    go(by) {
      at = Math.min(entries.length - 1, Math.max(0, at + by));
      for (const onChange of listeners) onChange();
    },
  };
  return bar;
}

async function opened(addressBar: AddressBar, source = sourceOf(pack)): Promise<Explorer> {
  const explorer = createExplorer({
    visualization: { id: 'a', fileName: 'shop.json', nodes: pack.metadata.nodes },
    linkId: 'a',
    isDefault: () => true,
    source,
    addressBar,
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  await explorer.start();
  return explorer;
}

/** What the user sees, as node IDs, because rows are numbered in loading order. */
function look({ store, tree, address }: Explorer) {
  const { view, depth, colour, size, steps, x, y, query, filter, theme, focus, selected } = store.getState();
  const at = (row: number) => (row === none ? undefined : tree.addressOf(row));
  const look = { view, depth, colour, size, steps, x, y, query, filter, theme };
  return { ...look, focus: at(focus), selected: at(selected), camera: address.camera() };
}

type Act = (explorer: Explorer) => unknown;
const acting = <T>(on: fc.Arbitrary<T>, act: (explorer: Explorer, value: T) => unknown): fc.Arbitrary<Act> =>
  on.map((value) => (explorer) => act(explorer, value));
const row = fc.nat();
const rowIn = (explorer: Explorer, n: number) => n % explorer.tree.size;
const coordinate = fc.integer({ min: -9e5, max: 9e5 }).map((n) => n / 1e4);
const zoom = fc.integer({ min: 1, max: 4e5 }).map((n) => n / 100);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  acting(row, (explorer, n) => explorer.focusOn(rowIn(explorer, n))),
  acting(row, (explorer, n) => explorer.select(rowIn(explorer, n))),
  acting(row, (explorer, n) => {
    const path: number[] = [];
    for (let at = rowIn(explorer, n); at !== none; at = explorer.tree.parent[at] ?? none) path.unshift(at);
    return explorer.goTo(path.map((one) => explorer.tree.node[one]!));
  }),
  acting(fc.constantFrom('previous', 'next', 'first', 'last', 'parent', 'child'), ({ step }, to) => step(to)),
  fc.constant<Act>(({ climb }) => climb()),
  acting(fc.constantFrom(...views), ({ setView }, view) => setView(view)),
  acting(fc.constantFrom(...depths), ({ setDepth }, depth) => setDepth(depth)),
  acting(fc.constantFrom(...colours), ({ store }, colour) => store.setState({ colour })),
  acting(fc.constantFrom(...sizes), ({ store }, size) => store.setState({ size })),
  acting(fc.constantFrom('even', 'log', undefined), ({ store }, steps) => store.setState({ steps })),
  acting(fc.shuffledSubarray([...metrics], { minLength: 2, maxLength: 2 }), ({ store }, [x, y]) =>
    store.setState({ x: x!, y: y! }),
  ),
  acting(fc.constantFrom('light', 'dark'), ({ store }, theme) => store.setState({ theme })),
  acting(anyFilter(), ({ store }, filter) =>
    store.setState((state) => ({ filter: withSeen(writeFilter(filter), state) })),
  ),
  acting(fc.string({ maxLength: 8, unit: 'grapheme' }), ({ store }, query) => store.setState({ query })),
  acting(fc.option(fc.record({ x: coordinate, y: coordinate, k: zoom }), { nil: undefined }), ({ address }, camera) =>
    address.moved(camera),
  ),
  // Wait for slices to load and for the camera to settle.
  fc.constant<Act>(() => vi.advanceTimersByTimeAsync(500)),
);

test('loading can be stopped and restarted, and reports its progress', async () => {
  const source = sourceOf(pack);
  const answers: (() => void)[] = [];
  const explorer = createExplorer({
    visualization: { id: 'v', fileName: 'shop.json', nodes: pack.metadata.nodes },
    linkId: 'v',
    isDefault: () => true,
    source: {
      ...source,
      slice: (query, signal, onBytes) =>
        new Promise((resolve, reject) => {
          onBytes?.({ read: 1, total: 4 });
          answers.push(() => resolve(source.slice(query, signal)));
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    addressBar: barAt(''),
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  const { store } = explorer;
  const first = explorer.start();
  expect(store.getState().loadProgress).toEqual({ read: 1, total: 4 });
  explorer.cancel();
  await first;
  expect(store.getState()).toMatchObject({ ready: false, isCancelled: true, failure: undefined });
  const second = explorer.start();
  expect(store.getState().isCancelled).toBe(false);
  answers[1]!();
  await second;
  expect(store.getState()).toMatchObject({ ready: true, isCancelled: false });
  explorer.stop();
});

test('a step up from the branch in focus leaves it, and so does its camera', async () => {
  const explorer = await opened(barAt(''));
  explorer.focusOn(1);
  explorer.address.moved({ x: 10, y: 20, k: 3 });
  explorer.step('parent');
  expect(explorer.store.getState()).toMatchObject({ focus: 0, selected: 0 });
  expect(explorer.address.camera()).toBeUndefined();
  explorer.stop();
});

test('the table gives way to the chart that was there before it', async () => {
  const explorer = await opened(barAt('?view=icicle'));
  const { store, toggleTable, setView } = explorer;
  for (const view of ['icicle', 'sunburst'] as const) {
    setView(view);
    toggleTable();
    expect(store.getState().view).toBe('table');
    toggleTable();
    expect(store.getState().view).toBe(view);
  }
  explorer.stop();
});

describe('the address', () => {
  test('of every reachable state restores that state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 12 }), async (acts) => {
        const bar = barAt('');
        const explorer = await opened(bar);
        for (const act of acts) await act(explorer);
        await vi.advanceTimersByTimeAsync(500);
        const link = bar.read();
        const again = barAt(link);
        const linked = await opened(again);
        expect(look(linked)).toEqual(look(explorer));
        expect(again.read()).toBe(link);
        expect(linked.store.getState().notice).toBeUndefined();
        for (const each of [explorer, linked]) each.stop();
      }),
      { numRuns: 200, seed: 20261122 },
    );
  });

  // Shows P16.3.
  test('goes back one step at a time, and forward again', async () => {
    const bar = barAt('');
    const explorer = await opened(bar);
    explorer.focusOn(1);
    const first = look(explorer);
    explorer.setView('table');
    const second = look(explorer);
    explorer.store.setState({ colour: 'depth' });
    await vi.advanceTimersByTimeAsync(500);
    expect(bar.entries).toHaveLength(3);
    bar.go(-1);
    await expect.poll(() => look(explorer)).toEqual(first);
    bar.go(-1);
    await expect.poll(() => explorer.store.getState().focus).toBe(0);
    bar.go(2);
    await expect.poll(() => look(explorer)).toEqual({ ...second, colour: 'depth' });
    explorer.stop();
  });
});

describe('a link', () => {
  const deep = 'fedcba9876543210';

  test('to a saved view shows that view, keeps the visualization and theme, and Back leaves it', async () => {
    const address = await leafAddress();
    const bar = barAt('?v=a&view=tree&t=dark');
    const explorer = await opened(bar);
    await explorer.address.open(`view=sunburst&sel=${address}&color=depth&cam=5%2C6%2C2&v=b&t=light`, 'push');
    expect(look(explorer)).toMatchObject({ view: 'sunburst', colour: 'depth', selected: address, theme: 'dark' });
    expect(explorer.address.camera()).toEqual({ x: 5, y: 6, k: 2 });
    expect(new URLSearchParams(bar.read()).get('v')).toBe('a');
    await explorer.address.open('view=icicle', 'replace');
    expect(bar.entries).toHaveLength(2);
    bar.go(-1);
    await expect.poll(() => look(explorer)).toMatchObject({ view: 'tree', colour: 'pillar', selected: undefined });
    explorer.stop();
  });

  // Shows P16.4.
  test('to a removed node opens its nearest ancestor with a notice, without a history entry for the missing node', async () => {
    const bar = barAt(`?n=${deep}&cam=5,5,9`);
    const explorer = await opened(
      bar,
      sourceOf(pack, async () => ({ path: [0, 1], gone: 'trail shoes women' })),
    );
    const { focus, notice } = explorer.store.getState();
    expect(explorer.tree.name(focus)).toBe('hats 3');
    expect(notice).toBe('“trail shoes women” is no longer in this visualization – showing “hats 3”.');
    expect(explorer.address.camera()).toBeUndefined();
    expect(bar.entries).toEqual([`?n=${explorer.tree.addressOf(focus)}`]);
    explorer.stop();
  });

  test('whose nearest ancestor no longer has branches focuses the parent of that ancestor', async () => {
    const bar = barAt(`?n=${deep}`);
    const leaf = (await locateLast(pack, [await leafAddress()]))!;
    const explorer = await opened(
      bar,
      sourceOf(pack, async () => ({ path: [...leaf], gone: 'gone' })),
    );
    const { focus } = explorer.store.getState();
    expect(explorer.tree.node[focus]).toBe(leaf.at(-2));
    explorer.stop();
  });

  test('to an unknown node shows everything with a notice', async () => {
    const explorer = await opened(barAt(`?n=${deep}`));
    const { focus, notice } = explorer.store.getState();
    expect([focus, notice]).toEqual([
      0,
      'The place in this link is no longer in this visualization. Showing all of it.',
    ]);
    explorer.stop();
  });

  test('that cannot be resolved shows the reason and keeps its address, so that it can be retried', async () => {
    const bar = barAt(`?n=${deep}`);
    const explorer = await opened(
      bar,
      sourceOf(pack, () => Promise.reject(new Error('no connection'))),
    );
    expect(explorer.store.getState().notice).toBe('Error: no connection');
    expect(bar.entries).toEqual([`?n=${deep}`]);
    explorer.stop();
  });

  async function leafAddress(): Promise<string> {
    const explorer = await opened(barAt(''));
    await vi.advanceTimersByTimeAsync(500);
    const { tree } = explorer;
    const at = Array.from(tree.childCount.subarray(0, tree.size)).indexOf(0);
    explorer.stop();
    return tree.addressOf(at);
  }
});

describe('navigation', () => {
  /** Nodes far from the root, with the path to each, as the search returns them. */
  async function farPaths(): Promise<readonly [number[], number[]]> {
    const nodes = pack.metadata.nodes;
    const path = async (node: number) => [...(await pathTo(pack, node))];
    return [await path(nodes - 1), await path(nodes - 3)];
  }

  test('the latest request wins, wherever earlier ones led', async () => {
    const explorer = await opened(barAt(''));
    const [first, second] = await farPaths();
    const goings = [explorer.goTo(first), explorer.goTo(second)];
    expect(await Promise.all(goings)).toEqual([false, true]);
    expect(explorer.tree.node[explorer.store.getState().selected]).toBe(second.at(-1));
  });

  test('a selection made meanwhile is kept', async () => {
    const explorer = await opened(barAt(''));
    const [first] = await farPaths();
    const going = explorer.goTo(first);
    explorer.select(1);
    expect(await going).toBe(false);
    expect(explorer.store.getState()).toMatchObject({ focus: 0, selected: 1 });
  });

  test('resolving a node is cancelled by further navigation, and a failure shows its reason', async () => {
    const lookUps: { readonly signal: AbortSignal; readonly fail: (why: Error) => void }[] = [];
    const node: ExplorerSource['node'] = (_asked, { signal } = {}) =>
      new Promise((_resolve, fail) => {
        lookUps.push({ signal: signal!, fail });
      });
    const explorer = await opened(barAt(''), { ...sourceOf(pack), node });
    const [first] = await farPaths();
    const lost = explorer.goToNode(1);
    expect(await explorer.goTo(first)).toBe(true);
    expect(lookUps[0]!.signal.aborted).toBe(true);
    lookUps[0]!.fail(new Error('aborted'));
    expect(await lost).toBe(false);
    expect(explorer.store.getState().notice).toBeUndefined();
    const failed = explorer.goToNode(1);
    lookUps[1]!.fail(new Error('no connection'));
    expect(await failed).toBe(false);
    expect(explorer.store.getState().notice).toBe('Error: no connection');
  });

  test('opening a search hit cancels a node that is still being resolved', async () => {
    const lookUps: { readonly signal: AbortSignal; readonly find: (path: readonly number[]) => void }[] = [];
    const node: ExplorerSource['node'] = (_asked, { signal } = {}) =>
      new Promise((resolve) => {
        const find = (path: readonly number[]) => resolve({ path: path.map((at) => ({ node: at })) } as never);
        lookUps.push({ signal: signal!, find });
      });
    const explorer = await opened(barAt(''), { ...sourceOf(pack), node });
    const [first, second] = await farPaths();
    const hit = { node: first.at(-1)!, path: first.slice(0, -1).map((at) => ({ node: at })) };
    explorer.store.setState({ searchResults: { text: 'deep', mode: 'all', total: 1, hits: [hit] } as never });
    const lost = explorer.goToNode(second.at(-1)!);
    const shown = explorer.goToHit(0);
    lookUps[0]!.find(second);
    expect(await lost).toBe(false);
    await shown;
    expect(lookUps[0]!.signal.aborted).toBe(true);
    expect(explorer.tree.node[explorer.store.getState().selected]).toBe(first.at(-1));
  });

  test('Back during navigation goes back, and navigation during Back goes to its own target', async () => {
    const bar = barAt('');
    const explorer = await opened(bar);
    const [first, second] = await farPaths();
    await explorer.goTo(first);
    await vi.advanceTimersByTimeAsync(500);
    const going = explorer.goTo(second);
    bar.go(-1);
    await vi.advanceTimersByTimeAsync(500);
    expect(await going).toBe(false);
    expect(explorer.store.getState().focus).toBe(0);
    bar.go(1);
    expect(await explorer.goTo(second)).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(explorer.tree.node[explorer.store.getState().selected]).toBe(second.at(-1));
  });
});
