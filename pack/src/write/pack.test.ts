import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownColumns } from '../../test/support/columns.ts';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { blockBytes, PackDamaged, partsOf, rootSliceRows } from '../format/pack-format.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { decodeSlice } from '../slice/slice-wire.ts';
import { takeSlice } from '../slice/take-slice.ts';
import type { Tree } from '../tree/tree.ts';
import { buildTree } from '../tree/tree-builder.ts';
import { type EntryColumns, type MetricColumns, metricNames, type UploadTables } from '../upload/upload-tables.ts';
import { checkPack, checkRootSlice, PackCheck, type PackHead } from './pack-check.ts';
import { writePack } from './pack-writer.ts';

const sha256 = '5e'.repeat(32);
const { PROVE_RUNS, PROVE_SEED } = process.env;
/** Every position in `npm run prove -- damage`; in a test run one of so many, the first one by the seed. */
const stride = PROVE_RUNS ? 1 : 15;
const firstPosition = Number(PROVE_SEED ?? 1) % stride;

async function packOf(tree: Tree): Promise<Uint8Array<ArrayBuffer>> {
  const sink = arraySink();
  await writePack(tree, sha256, sink);
  return sink.bytes();
}

const small = treeOf(
  'shoes:root (running:cluster (trail 30 "road café" 20) walking 5)',
  'trail 4 "lone wolf" 8 "old hat"',
);

test('apache-arrow can open a pack', async () => {
  const table = tableFromIPC(await packOf(small));
  expect(table.schema.fields.map((field) => field.name)).toEqual([
    ...['parent', 'depth', 'type', 'name', 'folded', 'address', 'is_keyword', 'own_volume'],
    ...['node_start', 'node_end', 'keyword_start', 'keyword_end', 'branch'],
  ]);
  const names = ['shoes', 'running', 'walking', 'trail', 'road café', 'lone wolf', 'old hat'];
  expect([...table.getChild('name')!]).toEqual(names);
  expect(Array.from(table.getChild('folded')!, (fold) => [...fold])).toEqual([[], [], [], [], ['road cafe'], [], []]);
  expect([...table.getChild('type')!].slice(0, 3)).toEqual(['root', 'cluster', '']);
  const branches = Array.from(table.getChild('branch')!, (branch) => [...branch].map((one) => one.toJSON()));
  expect(branches.map((found) => found.length)).toEqual([1, 1, 0, 0, 0, 0, 0]);
  expect(branches[0]![0]).toMatchObject({ first_child: 1, child_count: 2, keywords: 3, volume: 55, volume_known: 3 });
  expect([...table.getChild('own_volume')!].slice(3)).toEqual([30, 20, 8, Number.NaN]);
  expect([...table.getChild('keyword_start')!]).toEqual([0, 0, 0, 50, 0, 60, 70]);
});

test('fields of the file are columns of rows and of branches, categories as dictionaries', async () => {
  const fields = [
    { name: 'Traffic', kind: 'number', rollUp: 'sum', nodes: undefined, keywords: Float64Array.of(7, 9, Number.NaN) },
    {
      name: 'land',
      kind: 'category',
      values: ['', 'ü', 'us'],
      nodes: Uint8Array.of(0, 2, 1, 1, 0),
      keywords: undefined,
    },
    { name: 'stage', kind: 'category', values: ['', 'top'], nodes: undefined, keywords: Uint8Array.of(0, 1, 0) },
  ] as const;
  const bytes = await packOf(buildTree(small.tables, [1, 2], fields));
  await checkPack(arraySource(bytes));
  const table = tableFromIPC(bytes);
  expect([...table.getChild('field:Traffic')!]).toEqual([
    ...[Number.NaN, Number.NaN, Number.NaN, 7, Number.NaN],
    ...[9, Number.NaN],
  ]);
  expect([...table.getChild('field:land')!]).toEqual(['', 'us', '', 'ü', 'ü', '', '']);
  expect([...table.getChild('field:stage')!]).toEqual(['', '', '', '', '', 'top', '']);
  const branches = Array.from(table.getChild('branch')!, (branch) => [...branch].map((one) => one.toJSON()));
  const totals = { 'sum:Traffic': 7, 'known:Traffic': 1, 'top:land': 1, 'top_count:land': 2, 'known:land': 2 };
  expect(branches[0]![0]).toMatchObject({ ...totals, 'top:stage': 0, 'top_count:stage': 0, 'known:stage': 0 });
  const pack = await openPack(arraySource(bytes));
  expect([...(await pack.column('field:land'))!]).toEqual([0, 2, 0, 1, 1, 0, 0]);
  expect(await pack.column('field:other')).toBeUndefined();
});

test('the precomputed slice of the root equals one taken from the pack', async () => {
  const pack = await openPack(arraySource(await packOf(large)));
  const taken = await takeSlice(pack, { node: 0, budget: rootSliceRows, skip: 0 });
  expect(taken.rows).toBe(rootSliceRows);
  expect(decodeSlice(pack.rootSlice)).toEqual(taken);
});

// Shows P14.3.
test('opening a pack for the first slice takes one read of 1 MiB', async () => {
  const source = arraySource(await packOf(large));
  const reads: number[] = [];
  const { rootSlice } = await openPack({
    size: source.size,
    read: (offset, length) => {
      reads.push(length);
      return source.read(offset, length);
    },
  });
  expect(decodeSlice(rootSlice).rows).toBe(rootSliceRows);
  expect(reads).toEqual([blockBytes]);
});

test('a slice that belongs to another pack is detected, even with a valid checksum', async () => {
  const bytes = await packOf(small);
  const other = await packOf(treeOf('boots:root (running:cluster (trail 30 "road café" 20) walking 5)', 'trail 4'));
  const pack = await openPack(arraySource(bytes));
  const { rootSlice } = await openPack(arraySource(other));
  await expect(checkRootSlice({ ...pack, rootSlice })).rejects.toThrow('the slice of the root is another one');
});

test('reading whole columns and reading single rows give the same values', async () => {
  const pack = await openPack(arraySource(await packOf(small)));
  expect([...(await pack.column('parent'))].slice(0, 5)).toEqual([0, 0, 0, 1, 1]);
  expect([...(await pack.gather('own_volume', Uint32Array.of(2, 3)))!]).toEqual([5, 30]);
  expect([...(await pack.gather('volume', await pack.branchesOf(Uint32Array.of(0, 1))))]).toEqual([55, 50]);
  const { start, bytes } = await pack.gatherTexts('name', Uint32Array.of(0, 1, 4));
  expect([...start]).toEqual([0, 5, 12, 22]);
  expect(new TextDecoder().decode(bytes)).toBe('shoesrunningroad café');
  await expect(pack.gather('parent', Uint32Array.of(1000))).rejects.toThrow(RangeError);
});

test('a pack describes its content and its origin', async () => {
  const { metadata, rows } = await openPack(arraySource(await packOf(small)));
  expect(rows).toBe(7);
  expect(metadata).toEqual({
    version: 10,
    withheld: [],
    sourceSha256: sha256,
    sourceBytes: 80,
    nodes: 5,
    keywords: 3,
    distinct: 5,
    notInHierarchy: 2,
    merged: 0,
    depth: 2,
    branches: 2,
    types: ['', 'root', 'cluster'],
    rootName: 'shoes',
    optional: ['own_volume', 'keyword_start', 'keyword_end'],
    fields: [],
    rootSlice: { bytes: expect.any(Number), hash: expect.any(Number) },
  });
});

// Shows P10.16.
test('a flipped byte is detected at any position', async () => {
  const bytes = await packOf(small);
  await checkPack(arraySource(bytes));
  for (let index = firstPosition; index < bytes.length; index += stride) {
    const flipped = bytes.with(index, bytes[index]! ^ (1 << (index % 8)));
    await expect(checkPack(arraySource(flipped)), `byte ${index}`).rejects.toThrow(PackDamaged);
  }
});

test('inconsistent content is detected, even with valid hashes', async () => {
  const unnoticed: string[] = [];
  for (const [what, tree] of wrongTrees()) {
    const found = await checkPack(arraySource(await packOf(tree))).catch((error: unknown) => error);
    if (!(found instanceof PackDamaged)) unnoticed.push(what);
  }
  expect(unnoticed).toEqual([]);
});

/** For each checked property, a tree that violates it. */
function wrongTrees(): [string, Tree][] {
  const tree = () =>
    treeOf('shoes:root (running:cluster (trail 30 trail 20) walking 5 (trail 4))', 'trail 4 "old hat"');
  const changed = (what: string, change: (tree: Tree) => void): [string, Tree] => {
    const made = tree();
    change(made);
    return [what, made];
  };
  return [
    changed('rows', ({ order }) => order.set([order[2]!, order[1]!], 1)),
    changed('childCount', ({ rollUp }) => rollUp.childCount.set([1])),
    changed('leaves', ({ rollUp }) => rollUp.leaves.set([4])),
    changed('nodes', ({ rollUp }) => rollUp.nodes.set([8])),
    changed('keywords', ({ rollUp }) => rollUp.keywords.set([2])),
    changed('repeats', ({ rollUp }) => rollUp.repeats.set([1])),
    changed('childKeywords', ({ rollUp }) => rollUp.childKeywords.set([9])),
    changed('childVolume', ({ rollUp }) => rollUp.childVolume.set([9])),
    changed('a byte range that ends before it begins', ({ tables }) => tables.nodes.byteEnd.set([0], 1)),
    changed('a byte range behind the file', ({ tables }) => tables.nodes.byteEnd.set([1e6])),
    changed('a keyword’s byte range', ({ tables }) => tables.keywords.byteEnd.set([1e6], 1)),
    changed('a type', ({ tables }) => tables.nodes.type.set([77], 1)),
    changed('a level', ({ levels }) => levels.set([2], 1)),
  ];
}

/** Checks a pack as the server does while it writes one. */
async function checkBehind(bytes: Uint8Array<ArrayBuffer>, head: PackHead): Promise<PackReader> {
  const source = arraySource(bytes);
  const check = new PackCheck(head);
  for (let wanted = check.wanted; wanted; wanted = check.wanted)
    check.take(await source.read(wanted.offset, wanted.length));
  return check.finish(source);
}

async function packWithHead(tree: Tree): Promise<{ bytes: Uint8Array<ArrayBuffer>; head: PackHead }> {
  const sink = arraySink();
  const heads: PackHead[] = [];
  await writePack(tree, sha256, sink, undefined, (head) => {
    expect(sink.bytes().length).toBeLessThan(head.places.get('parent')![0]!.offset);
    heads.push(structuredClone(head));
  });
  return { bytes: sink.bytes(), head: heads[0]! };
}

test('a flipped byte is also detected by the check during writing', async () => {
  const { bytes, head } = await packWithHead(small);
  expect((await checkBehind(bytes, head)).rows).toBe(7);
  for (let index = firstPosition; index < bytes.length; index += stride) {
    const flipped = bytes.with(index, bytes[index]! ^ (1 << (index % 8)));
    await expect(checkBehind(flipped, head), `byte ${index}`).rejects.toThrow(PackDamaged);
  }
});

test('a pack that differs from its announced head is detected', async () => {
  const { bytes, head } = await packWithHead(small);
  const others: PackHead[] = [
    { ...head, metadata: { ...head.metadata, sourceBytes: 81 } },
    { ...head, hashedBytes: head.hashedBytes - 8 },
    {
      ...head,
      places: new Map([
        ...head.places,
        ['address', [{ offset: head.places.get('address')![0]!.offset + 8, length: 56 }]],
      ]),
    },
  ];
  for (const other of others) await expect(checkBehind(bytes, other)).rejects.toThrow(PackDamaged);
});

test('a truncated pack is detected', async () => {
  const bytes = await packOf(small);
  for (const length of [0, 5, 64, bytes.length - 1, bytes.length >> 1]) {
    await expect(openPack(arraySource(bytes.slice(0, length)))).rejects.toThrow(PackDamaged);
  }
});

const large = treeOf(
  `r (${Array.from({ length: 20_000 }, (_, index) => `Keyword-number-${index} ${index}`).join(' ')})`,
);

test('rows read one by one from a pack larger than its cache equal those of the whole column', async () => {
  const bytes = await packOf(large);
  const pack = await openPack(arraySource(bytes), 2 * blockBytes);
  const whole = await openPack(arraySource(bytes));
  const rows = Uint32Array.from({ length: 500 }, (_, index) => (index * 7919) % 20_001);
  const volume = (await whole.column('own_volume'))!;
  expect([...(await pack.gather('own_volume', rows))!]).toEqual([...rows].map((row) => volume[row]));
  const { start, bytes: names } = await whole.texts('name');
  const found = await pack.gatherTexts('name', rows);
  for (const [index, row] of rows.entries()) {
    const name = names.subarray(start[row], start[row + 1]);
    expect(found.bytes.subarray(found.start[index], found.start[index + 1])).toEqual(name);
  }
});

test('a failed read is retried by the next caller', async () => {
  const source = arraySource(await packOf(large));
  let isDown = false;
  const pack = await openPack({
    size: source.size,
    read: (offset, length) => (isDown ? Promise.reject(new Error('disk is away')) : source.read(offset, length)),
  });
  isDown = true;
  await expect(pack.column('child_volume')).rejects.toThrow('disk is away');
  await expect(pack.gather('child_volume', Uint32Array.of(0))).rejects.toThrow('disk is away');
  isDown = false;
  expect((await pack.column('child_volume'))[0]).toBe(199_990_000);
  expect((await pack.gather('child_volume', Uint32Array.of(0)))[0]).toBe(199_990_000);
});

test('damage is detected by the reader that first touches it, not only by a check', async () => {
  const bytes = await packOf(large);
  expect(bytes.length).toBeGreaterThan(1.5 * blockBytes);
  bytes[blockBytes + 77]! ^= 4;
  const pack = await openPack(arraySource(bytes));
  expect((await pack.column('parent')).length).toBe(20_001);
  await expect(readEverything(pack)).rejects.toThrow(/bytes 1048576 to \d+ are not what was written/);
});

test('opening a pack reads its ends, not all of it', async () => {
  const source = arraySource(await packOf(large));
  await openPack(source);
  expect(source.bytesRead).toBeLessThan(1.1 * blockBytes);
});

test('write, read and write again gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(tablesArbitrary, async (tables) => {
      const first = await packOf(buildTree(tables, [1, 2]));
      const again = await packOf(
        buildTree(await tablesFrom(await checkPack(arraySource(first)), tables.bytes), [3, 4]),
      );
      expect(again).toEqual(first);
    }),
    { numRuns: sampled(100) },
  );
});

async function readEverything(pack: PackReader): Promise<void> {
  for (const { name } of partsOf(pack.metadata)) {
    if (name === 'name' || name === 'fold') await pack.texts(name);
    else if (name !== 'structure') await pack.column(name);
  }
}

/**
 * The tables of an upload from its pack: own metrics are filled into each node, and joined keywords have the texts of
 * their nodes.
 */
async function tablesFrom(pack: PackReader, bytes: number): Promise<UploadTables> {
  const { nodes, types } = pack.metadata;
  const start = await pack.column('node_start');
  const order = Array.from({ length: nodes }, (_, row) => row).sort((one, other) => start[one]! - start[other]!);
  const rank = new Map(order.map((row, index) => [row, index]));
  const parent = await pack.column('parent');
  const type = await pack.column('type');
  const keywordStart = (await pack.column('keyword_start')) ?? new Uint32Array(pack.rows);
  const entries = new Map<number, number>();
  for (let row = 0; row < pack.rows; row++) {
    if (row >= nodes || keywordStart[row]! > 0) entries.set(keywordStart[row]!, row);
  }
  const entryRows = [...entries.keys()].sort((one, other) => one - other).map((at) => entries.get(at)!);
  return {
    types,
    bytes,
    nodes: {
      ...(await entriesAt(pack, order, 'node')),
      parent: Uint32Array.from(order, (row) => rank.get(parent[row]!)!),
      type: Uint16Array.from(order, (row) => type[row]!),
    },
    keywords: withoutJoined(await entriesAt(pack, entryRows, 'keyword'), (entry) => entryRows[entry]! < nodes),
  };
}

/** Removes the metrics of joined entries, because their nodes already have them. */
function withoutJoined(entries: EntryColumns, isJoined: (entry: number) => boolean): EntryColumns {
  for (const [name, column] of Object.entries(entries.metrics)) {
    for (let entry = 0; entry < entries.rows; entry++) {
      if (isJoined(entry)) column[entry] = name === 'intent' ? 0 : Number.NaN;
    }
  }
  return { ...entries, metrics: knownColumns(entries.metrics) };
}

async function entriesAt(pack: PackReader, rows: number[], range: 'node' | 'keyword'): Promise<EntryColumns> {
  const { start, bytes } = await pack.texts('name');
  const from = await pack.column(`${range}_start`);
  const to = await pack.column(`${range}_end`);
  const metrics: Record<string, ArrayLike<number>> = {};
  for (const name of metricNames) {
    const column = await pack.gather(`own_${name}`, Uint32Array.from(rows));
    if (column) metrics[name] = column;
  }
  return {
    rows: rows.length,
    names: bytes,
    nameStart: Uint32Array.from(rows, (row) => start[row]!),
    nameLength: Uint32Array.from(rows, (row) => start[row + 1]! - start[row]!),
    byteStart: Uint32Array.from(rows, (row) => from?.[row] ?? 0),
    byteEnd: Uint32Array.from(rows, (row) => to?.[row] ?? 0),
    metrics: knownColumns(metrics as MetricColumns),
  };
}
