import { existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readFilter } from '../pack/src/filter/filter-text.ts';
import { phrase } from '../pack/src/find/text-query.ts';
import type { ByteSource } from '../pack/src/format/byte-source.ts';
import { openPack } from '../pack/src/format/pack-reader.ts';
import { filterPack } from '../pack/src/levels/filter-pack.ts';
import { encodeSlice } from '../pack/src/slice/slice-wire.ts';
import { takeSlice } from '../pack/src/slice/take-slice.ts';
import type { FilteredPack } from '../pack/src/sums/filtered-pack.ts';
import { buildTree } from '../pack/src/tree/tree-builder.ts';
import { writePack } from '../pack/src/write/pack-writer.ts';
import { searchPack } from '../pack/test/support/search-pack.ts';
import { loadTextFinder } from '../server/src/visualizations/query/text-finder.ts';
import { type BenchCase, costOf } from './bench-case.ts';
import { makeLaterTables, makeTables } from './make-tables.ts';

const find = loadTextFinder();
const budget = 20_000;
const repeats = 20;
const cache = new URL('.cache/', import.meta.url);
/** Part of the pack file names: increase it whenever their bytes change. */
const generation = 6;

/** The filters, as text. */
export const filters: Readonly<Record<string, string>> = {
  'a range': 'volume-1000_',
  'a text': 'has-word7',
  'a text, a range, an intent and a type': 'has-number*type-cluster*intent-commercial*difficulty-_50',
};

export const cases: readonly BenchCase[] = [1e5, 1e6, 1e7].map((nodes) => ({
  name: `slice/${budget} rows of ${nodes} nodes`,
  rounds: 5,
  prepare: async () => {
    await makePack(nodes);
  },
  contenders: [
    { name: 'hot: columns held', measure: () => measureHot(nodes) },
    { name: 'cold: opened and read from the file', measure: () => measureCold(nodes) },
    { name: 'first look: opened, and the slice it has ready', measure: () => measureFirstLook(nodes) },
    ...Object.entries(filters).map(([what, filter]) => ({
      name: `filter: ${what}`,
      measure: () => measureFilter(nodes, filter),
    })),
  ],
}));

/** Processor time of one slice of the root, encoded; also wall times of a small branch and of a search. */
async function measureHot(nodes: number) {
  const file = await open(await makePack(nodes));
  const pack = await openPack(await sourceOf(file));
  const slice = (node: number, rows: number) => takeSlice(pack, { node, budget: rows, skip: 0 });
  for (let warm = 0; warm < 3; warm++) encodeSlice(await slice(0, budget));
  await searchPack(pack, phrase('word7'), 200, { find });
  const cost = await costOf(async () => {
    for (let repeat = 0; repeat < repeats; repeat++) encodeSlice(await slice(0, budget));
    return {};
  });
  const smallBranchMs = await wallMs(() => slice(1000, 200));
  const searchMs = await wallMs(() => searchPack(pack, phrase('word7'), 200, { find }));
  await file.close();
  return { ...cost, cpuMs: cost.cpuMs / repeats, wallMs: cost.wallMs / repeats, smallBranchMs, searchMs };
}

async function measureCold(nodes: number) {
  const path = await makePack(nodes);
  return costOf(async () => {
    const file = await open(path);
    const source = await sourceOf(file);
    const pack = await openPack(source);
    encodeSlice(await takeSlice(pack, { node: 0, budget, skip: 0 }));
    await file.close();
    return { bytesPerNode: source.size / nodes };
  });
}

/** The first slice of a screen: 4,000 rows of the root. */
async function measureFirstLook(nodes: number) {
  const path = await makePack(nodes);
  return costOf(async () => {
    const file = await open(path);
    const { rootSlice } = await openPack(await sourceOf(file));
    await file.close();
    return { bytes: rootSlice.length };
  });
}

/**
 * Processor time of a filter that recomputes the whole tree and of the slice of its result, from columns in memory;
 * also wall times of another slice under the same filter, and of the longest step between two pauses, which delays
 * other requests.
 */
async function measureFilter(nodes: number, text: string) {
  const file = await open(await makePack(nodes));
  const pack = await openPack(await sourceOf(file));
  const filter = readFilter(text)!;
  const slice = async (kept: FilteredPack) =>
    encodeSlice(await takeSlice(kept, { node: 0, budget, skip: 0, filter: text }));
  for (let warm = 0; warm < 2; warm++) await slice(await filterPack(pack, filter, { find }));
  let longestStepMs = 0;
  let stepped = 0;
  const pause = async () => {
    longestStepMs = Math.max(longestStepMs, performance.now() - stepped);
    await setImmediate();
    stepped = performance.now();
  };
  let kept: FilteredPack | undefined;
  const cost = await costOf(async () => {
    stepped = performance.now();
    kept = await filterPack(pack, filter, { find, pause });
    await kept.weights();
    await slice(kept);
    return {};
  });
  const cachedMs = await wallMs(() => slice(kept!));
  const share = kept!.kept.keywords[0]! / (await pack.column('keywords'))[0]!;
  await file.close();
  return { ...cost, longestStepMs, cachedMs, share, bytesPerNode: kept!.bytes() / nodes };
}

/** Mean of several runs after one warm-up run. */
async function wallMs(work: () => Promise<unknown>): Promise<number> {
  await work();
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) await work();
  return (performance.now() - start) / repeats;
}

/** @param tables the upload: `later` is one of the same research a month later */
export async function makePack(nodes: number, tables: 'usual' | 'later' = 'usual'): Promise<string> {
  const name = tables === 'usual' ? 'slice' : 'slice-later';
  const path = fileURLToPath(new URL(`${name}-${nodes}-${generation}.arrow`, cache));
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const file = await open(`${path}.part`, 'w');
  const made = tables === 'usual' ? makeTables(nodes) : makeLaterTables(nodes);
  await writePack(buildTree(made, [1, 2]), '00'.repeat(32), {
    write: async (bytes) => {
      await file.writeFile(bytes);
    },
  });
  await file.close();
  await rename(`${path}.part`, path);
  return path;
}

export async function sourceOf(file: Awaited<ReturnType<typeof open>>): Promise<ByteSource> {
  const { size } = await file.stat();
  return {
    size,
    async read(offset, length, into = new Uint8Array(length)) {
      await file.read(into, 0, length, offset);
      return into;
    },
  };
}
