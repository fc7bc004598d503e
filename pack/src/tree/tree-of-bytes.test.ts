import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { createPathHash } from '../names/path-hash.ts';
import { keyOf } from '../names/text-key.ts';
import { simdLoop } from '../upload/json-loop-simd.ts';
import { createUploadReader } from '../upload/upload-reader.ts';
import { IncrementalTree } from './incremental-tree.ts';
import { buildTree } from './tree-builder.ts';

type Said = {
  readonly name: string;
  /** An earlier name member; the last one counts. */
  readonly before: string | undefined;
  readonly type: string;
  readonly volume: number | undefined;
  readonly children: readonly Said[];
  /** Which member is written first. */
  readonly turn: number;
};
type Entry = { readonly name: string; readonly volume: number | undefined };

// biome-ignore format: a list
const name = fc.constantFrom(
  '', ' ', 'a', 'A', ' a  b ', 'A B', 'a\u00a0b', 'é', 'e\u0301', 'ß', 'SS', 'ς', 'Σ', 'が', 'か\u3099', '😀', '\ufeffa', '\0',
  '__proto__', 'trail running shoes', 'Trail  running shoes', 'é'.repeat(200),
);
const volume = fc.option(fc.nat(1000), { nil: undefined });
const own = {
  name,
  before: fc.option(name, { nil: undefined, freq: 9 }),
  type: fc.constantFrom('', 'keyword', 'Keywords', 'cluster', ' Topic ', 'something else'),
  volume,
  turn: fc.nat(3),
};
const leaf = fc.record({ ...own, children: fc.constant([]) });
const { node } = fc.letrec<{ node: Said }>((tie) => ({
  node: fc.record({
    ...own,
    children: fc.oneof(
      { maxDepth: 3 },
      fc.constant([]),
      fc.array(tie('node'), { maxLength: 4 }),
      // Enough siblings for their IDs to be computed in one batch.
      fc.array(leaf, { minLength: 16, maxLength: 20 }),
    ),
  }),
}));
const file = fc.record({
  root: node.map((root): Said => ({ ...root, name: root.name || 'all', before: undefined })),
  entries: fc.array(fc.record({ name, volume }), { maxLength: 60 }),
  isEntriesFirst: fc.boolean(),
  blockBytes: fc.integer({ min: 8, max: 1000 }),
});

function written({ name, before, type, volume, children, turn }: Said): string {
  const members = [
    `"name":${JSON.stringify(name)}`,
    `"type":${JSON.stringify(type)}`,
    `"children":[${children.map(written).join()}]`,
    ...(volume === undefined ? [] : [`"volume":${volume}`]),
  ];
  const turned = [...members.slice(turn), ...members.slice(0, turn)];
  return `{${[...(before === undefined ? [] : [`"name":${JSON.stringify(before)}`]), ...turned].join()}}`;
}

function bytesOf({
  root,
  entries,
  isEntriesFirst,
}: {
  root: Said;
  entries: readonly Entry[];
  isEntriesFirst: boolean;
}) {
  const parts = [`"keywords":${JSON.stringify(entries)}`, `"hierarchy":${written(root)}`];
  return new TextEncoder().encode(`{${(isEntriesFirst ? parts : parts.reverse()).join()}}`);
}

const groups = new Set(['cluster', 'topic']);

/** The expected tree, computed node by node. */
function expected(root: Said, entries: readonly Entry[]) {
  const firstEntry = new Map<string, Entry>();
  for (const { name, volume } of entries) {
    const key = keyOf(name);
    const before = firstEntry.get(key);
    // The last known volume counts.
    firstEntry.set(key, { name: before?.name ?? name, volume: volume ?? before?.volume });
  }
  const nodes: { key: string | undefined; volume: number | undefined; address: string }[] = [];
  const branches: string[] = [];
  const hash = createPathHash();
  const add = (said: Said, parent: readonly [number, number], ordinal: number): void => {
    const type = said.type.trim().toLowerCase();
    const key = keyOf(said.name);
    const isLeaf = said.children.length === 0;
    const isKeyword = type.startsWith('keyword') || (isLeaf && (!groups.has(type) || firstEntry.has(key)));
    const bytes = new TextEncoder().encode(said.name.normalize('NFC'));
    const [low, high] = hash(parent[1], parent[0], ordinal, bytes, 0, bytes.length);
    const from = nodes.length;
    const volume = said.volume ?? (isKeyword ? firstEntry.get(key)?.volume : undefined);
    nodes.push({ key: isKeyword ? key : undefined, volume, address: `${low} ${high}` });
    const met = new Map<string, number>();
    for (const child of said.children) {
      const same = child.name.normalize('NFC');
      add(child, [low!, high!], met.get(same) ?? 0);
      met.set(same, (met.get(same) ?? 0) + 1);
    }
    if (!isLeaf) branches[from] = rolledUp(nodes.slice(from));
  };
  const rolledUp = (below: typeof nodes): string => {
    const firsts = new Map<string, number | undefined>();
    let repeats = 0;
    for (const { key, volume } of below) {
      if (key === undefined) continue;
      if (firsts.has(key)) repeats++;
      else firsts.set(key, volume);
    }
    const known = [...firsts.values()].filter((value) => value !== undefined);
    return `${firsts.size} keywords, ${repeats} repeats, ${known.reduce((sum, value) => sum + value, 0)} of ${known.length}`;
  };
  add(root, [0, 0], 0);
  const placed = new Set(nodes.map(({ key }) => key));
  return {
    keys: nodes.map(({ key }) => key),
    addresses: nodes.map(({ address }) => address),
    branches: Array.from(nodes, (_, at) => branches[at]),
    unplaced: [...firstEntry].flatMap(([key, { name }]) => (placed.has(key) ? [] : [name])),
  };
}

/** The tree built while the bytes arrive block by block. */
function found(bytes: Uint8Array, blockBytes: number, loop: ReturnType<typeof simdLoop>) {
  const ahead = new IncrementalTree([1, 2], loop?.names, 1);
  const reader = createUploadReader({ loop });
  for (let at = 0; at < bytes.length; at += blockBytes) {
    reader.push(bytes.subarray(at, at + blockBytes));
    ahead.advance(reader.growing);
  }
  const read = reader.finish();
  if (!read.ok) throw new Error(read.problem.what);
  const tree = buildTree(read.tables, [1, 2], [], undefined, [], loop?.names, ahead);
  const { keywords: table } = tree.tables;
  const nameIn = ({ names, nameStart, nameLength }: typeof table, row: number) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      names.subarray(nameStart[row]!, nameStart[row]! + nameLength[row]!),
    );
  const { branch, keywords, repeats, volume } = tree.rollUp;
  const rolledUp = (at: number) =>
    `${keywords[at]} keywords, ${repeats[at]} repeats, ${volume?.sum[at] ?? 0} of ${volume?.known[at] ?? 0}`;
  return {
    keys: Array.from(tree.keyword, (id, row) => (id < 0 ? undefined : keyOf(nameIn(tree.tables.nodes, row)))),
    addresses: Array.from(branch, (_, row) => `${tree.address[2 * row]} ${tree.address[2 * row + 1]}`),
    branches: Array.from(branch, (at) => (at < 0 ? undefined : rolledUp(at))),
    unplaced: Array.from(tree.unplaced.toSorted(), (entry) => nameIn(table, entry)),
  };
}

const binary = readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url));

test.each([
  ['TypeScript', undefined],
  ['WebAssembly', simdLoop(binary)],
])('a tree built while its file arrives equals the expected one, by %s', (_, loop) => {
  fc.assert(
    fc.property(file, (made) => {
      expect(found(bytesOf(made), made.blockBytes, loop)).toEqual(expected(made.root, made.entries));
    }),
    { numRuns: sampled(200) },
  );
});
