import { namesAt } from '@kc/pack/format/names-at';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { countHits, findHits, placeHits, rankHits } from '@kc/pack/search/search';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unaskedSource } from '../../../test/support/source.ts';
import { none } from '../tree-data/columns.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import type { ExplorerSource, SearchQuery } from './source.ts';

/** 120 keywords in two groups, "boot" in each. */
const shop = JSON.stringify({
  hierarchy: {
    name: 'shop',
    children: ['Boots', 'Wear'].map((name) => ({
      name,
      children: Array.from({ length: 60 }, (_, i) => ({ name: `boot ${name} ${i}` })),
    })),
  },
});
let pack: PackReader;
let explorer: Explorer | undefined;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(new TextEncoder().encode(shop));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  pack = await openPack(arraySource(sink.bytes()));
});
afterEach(() => {
  explorer?.stop();
  vi.useRealTimers();
});

/** The server response. */
async function respond({ text, mode, limit, skip, under }: SearchQuery) {
  const hits = await findHits(pack, { mode, text });
  const rows = await rankHits(pack, hits, skip, limit);
  const parent = await pack.column('parent');
  const [names, root, above] = await Promise.all([
    Promise.all(rows.map((row) => namesAt(pack, Uint32Array.of(row)))),
    namesAt(pack, Uint32Array.of(0)),
    Promise.all(rows.map((row) => namesAt(pack, Uint32Array.of(parent[row]!)))),
  ]);
  const pathOf = (row: number, index: number) =>
    parent[row] === 0
      ? [{ node: 0, name: root[0]! }]
      : [
          { node: 0, name: root[0]! },
          { node: parent[row]!, name: above[index]![0]! },
        ];
  return {
    total: hits.total,
    notInHierarchy: 0,
    hits: rows.map((node, index) => ({
      node,
      name: names[index]![0]!,
      type: '',
      keywords: 1,
      path: node === 0 ? [] : pathOf(node, index),
    })),
    ...(under !== undefined && { places: await placeHits(pack, hits, await countHits(pack, hits), under, 4000) }),
  };
}

async function explore(
  address: string,
  search: ExplorerSource['search'],
  isBroken: () => boolean = () => false,
): Promise<Explorer> {
  explorer = createExplorer({
    visualization: { id: 'v', fileName: 'shop.json', nodes: pack.metadata.nodes },
    linkId: 'v',
    isDefault: () => true,
    source: {
      ...unaskedSource,
      // Filtering is the server's task; here everything is kept.
      slice: (query) => (isBroken() ? Promise.reject(new Error('gone')) : takeSlice(pack, { ...query, filter: '' })),
      fields: async () => [],
      search,
      locate: async () => ({ path: [] }),
    },
    addressBar: { read: () => address, write: () => undefined, listen: () => () => undefined },
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  await explorer.start();
  return explorer;
}

const results = (at: Explorer) => at.store.getState().searchResults;

test('the query in the address is searched once the chart has loaded', async () => {
  const at = await explore('?q=wear', respond);
  await expect.poll(() => results(at)?.total).toBe(61);
  expect(results(at)?.hits.length).toBe(50);
  expect(results(at)?.glow.counts.get(0)).toBe(61);
});

test('of queries in quick succession only the last is requested, and the previous request is cancelled', async () => {
  const requests: { text: string; signal: AbortSignal }[] = [];
  const at = await explore('', (query, _filter, signal) => {
    requests.push({ text: query.text, signal });
    return query.text === 'boot' ? new Promise(() => undefined) : respond(query);
  });
  for (const query of ['b', 'bo', 'boot']) at.store.setState({ query });
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests.map(({ text }) => text)).toEqual(['boot']);
  at.store.setState({ query: 'boot wear 7' });
  expect(requests[0]!.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => results(at)?.hits[0]?.name).toBe('boot Wear 7');
});

test('stepping through hits wraps around, loads hits beyond the first ones, and announces the position', async () => {
  const at = await explore('?q=boot', respond);
  await expect.poll(() => results(at)?.total).toBe(121);
  await at.stepHits(1);
  expect(results(at)?.index).toBe(0);
  await at.stepHits(-1);
  expect(results(at)?.index).toBe(120);
  const { selected, spoken } = at.store.getState();
  expect(at.tree.name(selected)).toMatch(/^boot Wear/);
  expect(spoken).toMatch(/^121 of 121\. /);
  await at.stepHits(1);
  expect(results(at)?.index).toBe(0);
});

test('a failed request for hits of an earlier query does not discard those of the current one', async () => {
  const pages: { text: string; fail: (why: Error) => void }[] = [];
  const at = await explore('?q=boot', (query) => {
    if (query.skip === 0) return respond(query);
    return new Promise((resolve, fail) => {
      pages.push({ text: query.text, fail });
      if (query.text !== 'boot') resolve(respond(query));
    });
  });
  await expect.poll(() => results(at)?.total).toBe(121);
  const pendingStep = at.goToHit(60);
  at.store.setState({ query: 'wear' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => results(at)?.total).toBe(61);
  await at.goToHit(60);
  pages[0]!.fail(new Error('late'));
  await pendingStep;
  await at.goToHit(60);
  expect(pages.map(({ text }) => text)).toEqual(['boot', 'wear']);
});

test('a new focus reloads the hit counts below it; a new query resets the current hit', async () => {
  const at = await explore('?q=boot', respond);
  await expect.poll(() => results(at)?.total).toBe(121);
  await at.stepHits(1);
  const { focus } = at.store.getState();
  at.focusOn(at.tree.children(0)[1]!);
  await expect.poll(() => results(at)?.glow.counts.has(at.tree.node[at.store.getState().focus]!)).toBe(true);
  expect([results(at)?.index, at.store.getState().focus === focus]).toEqual([0, false]);
  at.store.setState({ query: 'wear' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => results(at)?.text).toBe('wear');
  expect(results(at)?.index).toBe(none);
});

test('ending the search clears the hits; a failure is reported and keeps the previous hits', async () => {
  let isBroken = false;
  const at = await explore('?q=boot', (query) => (isBroken ? Promise.reject(new Error('gone')) : respond(query)));
  await expect.poll(() => results(at)?.total).toBe(121);
  isBroken = true;
  at.store.setState({ query: 'wear' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => at.store.getState().searchFailure).toEqual(new Error('gone'));
  expect(results(at)?.text).toBe('boot');
  at.clearSearch();
  await vi.advanceTimersByTimeAsync(1000);
  expect([results(at), at.store.getState().searchFailure]).toEqual([undefined, undefined]);
});

test('filtering to the hits keeps the rest of the filter', async () => {
  const at = await explore('?f=not-kids&q=boot', respond);
  at.keepHits();
  await expect.poll(() => at.store.getState()).toMatchObject({ filter: 'has-boot*not-kids', query: '' });
});

test('a query that is refused as a filter stays', async () => {
  let isBroken = false;
  const at = await explore('?q=boot', respond, () => isBroken);
  isBroken = true;
  await at.keepHits();
  expect(at.store.getState()).toMatchObject({ filter: '', query: 'boot', notice: 'Error: gone' });
  isBroken = false;
  await at.keepHits();
  expect(at.store.getState()).toMatchObject({ filter: 'has-boot', query: '' });
});

test('changing the match mode searches again, is in the address, and applies to the filter', async () => {
  const requests: string[] = [];
  const at = await explore('?q=wear+boot', (query) => {
    requests.push(`${query.mode} ${query.text}`);
    return respond(query);
  });
  await expect.poll(() => results(at)?.total).toBe(60);
  at.store.setState({ match: 'phrase' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => results(at)).toMatchObject({ total: 0, mode: 'phrase' });
  at.store.setState({ match: 'any' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => results(at)?.mode).toBe('any');
  expect(requests).toEqual(['all wear boot', 'phrase wear boot', 'any wear boot']);
  expect(at.address.link()).toContain('match=any');
  at.keepHits();
  await expect.poll(() => at.store.getState()).toMatchObject({ filter: 'any-wear boot', query: '' });
});
