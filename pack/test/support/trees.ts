import type { ByteSink, ByteSource } from '../../src/format/byte-source.ts';
import { createPathHash } from '../../src/names/path-hash.ts';
import type { Slice } from '../../src/slice/slice.ts';
import type { Tree } from '../../src/tree/tree.ts';
import { buildTree } from '../../src/tree/tree-builder.ts';
import type { UploadTables } from '../../src/upload/upload-tables.ts';
import { entryColumns } from './columns.ts';
import { breadthFirst, type OutlineNode, parseOutline } from './outline.ts';

/**
 * The slice of a tree written as text, for tests: `sliceOf('shoes (running (trail 30 road 20) walking 5)')`.
 *
 * Uses the notation of `parseOutline`. Leaves are keywords with the given volume, unknown without one. A branch without
 * a number has the sum of its children. A branch with a number has that volume, and the difference belongs to children
 * that are not in the slice: `shoes 100 (trail 30 +4)` has five children with a total volume of 100, of which one with
 * a volume of 30 is in the slice. Siblings keep the order of the text, so write the heaviest first. Difficulty and cost
 * per click are unknown.
 */
export function sliceOf(text: string): Slice {
  const nodes = parseOutline(text);
  const order = breadthFirst(nodes);
  const rowOf = new Map(order.map((index, row) => [index, row]));
  const sums = order.map(() => ({ leaves: 0, keywords: 0, volume: 0, known: 0, childKeywords: 0, childVolume: 0 }));
  const types = [...new Set(['', ...nodes.map((node) => node.type)])];
  const slice = emptySlice(order, nodes, types);
  for (let row = order.length - 1; row >= 0; row--) {
    const node = nodes[order[row]!]!;
    const sum = sums[row]!;
    const isLeaf = node.children.length === 0 && node.unseen === 0;
    if (isLeaf) Object.assign(sum, { leaves: 1, keywords: 1, known: Number.isNaN(node.volume) ? 0 : 1 });
    sum.leaves += node.unseen;
    sum.keywords += node.unseen;
    sum.childKeywords += node.unseen;
    if (!Number.isNaN(node.volume)) {
      sum.volume = node.volume;
      sum.known = Math.max(1, sum.known);
      if (!isLeaf) sum.childVolume = node.volume;
    }
    const parent = rowOf.get(node.parent);
    slice.parent[row] = parent ?? 0;
    slice.type[row] = types.indexOf(node.type);
    slice.childCount[row] = node.children.length + node.unseen;
    slice.leaves[row] = sum.leaves;
    slice.keywords[row] = sum.keywords;
    slice.volume[row] = sum.known > 0 ? sum.volume : Number.NaN;
    slice.volumeKnown[row] = sum.known;
    slice.childKeywords[row] = sum.childKeywords;
    slice.childVolume[row] = sum.childVolume;
    if (parent !== undefined) addTo(sums[parent]!, sum, Number.isNaN(nodes[node.parent]!.volume));
  }
  for (let row = 1; row < order.length; row++) slice.depth[row] = slice.depth[slice.parent[row]!]! + 1;
  writeAddresses(slice);
  return slice;
}

function writeAddresses(slice: Slice): void {
  const hash = createPathHash();
  const ordinals = new Map<string, number>();
  for (let row = 0; row < slice.rows; row++) {
    const parent = slice.parent[row]!;
    const [start, end] = [slice.nameStart[row]!, slice.nameStart[row + 1]!];
    const sameName = `${parent} ${slice.names.slice(start, end)}`;
    const ordinal = ordinals.get(sameName) ?? 0;
    ordinals.set(sameName, ordinal + 1);
    const above = row === 0 ? [0, 0] : [slice.address[2 * parent]!, slice.address[2 * parent + 1]!];
    const [low, high] = hash(above[0]!, above[1]!, ordinal, slice.names, start, end);
    slice.address[2 * row] = high!;
    slice.address[2 * row + 1] = low!;
  }
}

type Sums = {
  leaves: number;
  keywords: number;
  volume: number;
  known: number;
  childKeywords: number;
  childVolume: number;
};

function addTo(parent: Sums, child: Sums, addVolume: boolean): void {
  parent.leaves += child.leaves;
  parent.keywords += child.keywords;
  parent.childKeywords += child.keywords;
  parent.known += child.known;
  if (!addVolume) return;
  parent.volume += child.volume;
  parent.childVolume += child.volume;
}

function emptySlice(order: readonly number[], nodes: readonly OutlineNode[], types: readonly string[]): Slice {
  const rows = order.length;
  const encoded = order.map((index) => new TextEncoder().encode(nodes[index]!.name));
  const nameStart = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) nameStart[row + 1] = nameStart[row]! + encoded[row]!.length;
  const names = new Uint8Array(nameStart[rows]!);
  for (let row = 0; row < rows; row++) names.set(encoded[row]!, nameStart[row]!);
  const node = Uint32Array.from({ length: rows }, (_, row) => row);
  const keywords = new Uint32Array(rows);
  return {
    rows,
    types,
    names,
    nameStart,
    node,
    order: node,
    parent: new Uint32Array(rows),
    depth: new Uint32Array(rows),
    type: new Uint16Array(rows),
    childCount: new Uint32Array(rows),
    leaves: new Uint32Array(rows),
    keywords,
    ofKeywords: keywords,
    volume: new Float64Array(rows),
    volumeKnown: new Uint32Array(rows),
    childKeywords: new Float64Array(rows),
    childVolume: new Float64Array(rows),
    difficulty: new Float32Array(rows).fill(Number.NaN),
    difficultyKnown: new Uint32Array(rows),
    cpc: new Float32Array(rows).fill(Number.NaN),
    cpcKnown: new Uint32Array(rows),
    intent: new Uint32Array(4 * rows),
    address: new Uint32Array(2 * rows),
    fields: [],
  };
}

/**
 * The tables of an upload written as text: the hierarchy in the notation of `parseOutline`, and the entries of the
 * `keywords` array as an outline with one level. Byte ranges are invented, disjoint and ascending.
 */
export function tablesOf(hierarchy: string, keywords = ''): UploadTables {
  const nodes = parseOutline(hierarchy);
  const entries = keywords === '' ? [] : parseOutline(`keywords (${keywords})`).slice(1);
  const types = [...new Set(['', ...nodes.map((node) => node.type)])];
  return {
    types,
    nodes: {
      ...entryColumns(nodes, 0),
      parent: Uint32Array.from(nodes, (node) => Math.max(0, node.parent)),
      type: Uint16Array.from(nodes, (node) => types.indexOf(node.type)),
    },
    keywords: entryColumns(entries, 10 * nodes.length),
    bytes: 10 * (nodes.length + entries.length),
  };
}

/** The tree built from {@link tablesOf}. */
export function treeOf(hierarchy: string, keywords = ''): Tree {
  return buildTree(tablesOf(hierarchy, keywords), [1, 2]);
}

/** A source over an array that counts the bytes read. */
export function arraySource(bytes: Uint8Array): ByteSource & { readonly bytesRead: number } {
  let bytesRead = 0;
  return {
    size: bytes.length,
    get bytesRead() {
      return bytesRead;
    },
    read: async (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) {
        throw new RangeError(`Bytes ${offset} to ${offset + length} of ${bytes.length}`);
      }
      bytesRead += length;
      return bytes.slice(offset, offset + length);
    },
  };
}

/** A sink that keeps everything in memory. */
export function arraySink(): ByteSink & { bytes(): Uint8Array<ArrayBuffer> } {
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    write: async (bytes) => {
      parts.push(bytes.slice());
      length += bytes.length;
    },
    bytes: () => {
      const all = new Uint8Array(length);
      let position = 0;
      for (const part of parts) {
        all.set(part, position);
        position += part.length;
      }
      return all;
    },
  };
}
