import type { Slice } from '../slice/slice.ts';
import { decodeSlice, encodeSlice } from '../slice/slice-wire.ts';
import type { ListPlace } from './level.ts';
import { type ShareFigure, shareFigures } from './row-sort.ts';

/**
 * A page of a flat list: rows in the order of the list, and what a table shows of them. Value `i` of every column, and row `i` of
 * `slice`, belong to rank `from + i`. `parent` and `order` of the slice have no meaning here.
 */
export type LevelRows = {
  readonly from: number;
  /** The place of the requested node, if one was requested and the list is not empty. */
  readonly place: ListPlace | undefined;
  /** The number of rows in the whole list, and of distinct keywords in them. */
  readonly total: number;
  readonly keywords: number;
  readonly slice: Slice;
  /** 1 for a keyword; under a filter, for one that it keeps. */
  readonly isKeyword: Uint8Array;
  /** 1 for a keyword that occurs at several nodes. */
  readonly isRepeated: Uint8Array;
  /** The pack rows of the cluster and the pillar, see `clustersOf` and `pillarOf`; 4294967295 for none. */
  readonly cluster: Uint32Array;
  readonly pillar: Uint32Array;
  /** Their names, by pack row. */
  readonly names: ReadonlyMap<number, string>;
  /** The mean difficulty weighted by volume; NaN if unknown. */
  readonly difficultyWeighted: Float32Array;
  /** The number of keywords with at least one intent. */
  readonly intentKnown: Uint32Array;
  /** The volume of the keywords for which a figure is known, see `known-share`. */
  readonly knownVolume: Readonly<Record<ShareFigure, Float64Array>>;
  /** Twelve monthly search volumes per row, oldest first, NaN for a row without a whole year; empty if not requested. */
  readonly months: Float64Array;
  /** The names of the nodes most similar to each row, nearest first; empty if they were not requested. */
  readonly similar: readonly (readonly string[])[];
  /** Whether the file says which nodes are similar. */
  readonly hasSimilar: boolean;
  /** Whether the file has monthly search volumes. */
  readonly hasTrends: boolean;
  /** The last of these months, such as `2026-04`, if the file names months. */
  readonly newest: string | undefined;
};

/**
 * Encodes a page as one binary body, little-endian: a header of 16 bytes, the columns in the order of `columnsOf`, the
 * JSON, and a slice (`slice-wire`), which starts at a multiple of 8.
 *
 * Source: docs/pack-format.md "Rows of a level on the wire".
 */
export function encodeRows(page: LevelRows): Uint8Array<ArrayBuffer> {
  const { from, place, total, keywords, similar, hasSimilar, hasTrends, newest, names, slice } = page;
  const metadata: Words = { from, place, total, keywords, similar, hasSimilar, hasTrends, newest, names: [...names] };
  const words = new TextEncoder().encode(JSON.stringify(metadata));
  const body = encodeSlice(slice);
  const layout = layOut(slice.rows, page.months.length, words.length);
  const bytes = new Uint8Array(layout.slice + body.length);
  bytes.set(magic, 0);
  bytes[3] = rowsWireVersion;
  const view = new DataView(bytes.buffer);
  view.setUint32(4, slice.rows, true);
  view.setUint32(8, page.months.length, true);
  view.setUint32(12, words.length, true);
  const columns: Columns = { ...page, ...ofShares(page.knownVolume) };
  for (const { name } of columnsOf(slice.rows, page.months.length)) {
    const column = columns[name];
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), layout.start[name]);
  }
  bytes.set(words, layout.words);
  bytes.set(body, layout.slice);
  return bytes;
}

/** @throws Error if the body is not a page of this version or is truncated */
export function decodeRows(encoded: Uint8Array): LevelRows {
  if (encoded.length < headerBytes || magic.some((byte, index) => encoded[index] !== byte)) throw new Error('No rows');
  if (encoded[3] !== rowsWireVersion) throw new Error(`Rows of version ${encoded[3]}, expected ${rowsWireVersion}`);
  // Typed arrays need aligned views. A body that is part of something larger is copied once.
  const bytes = encoded.byteOffset % 8 === 0 ? encoded : encoded.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [rows, months, wordBytes] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  const layout = layOut(rows, months, wordBytes);
  if (layout.slice > bytes.length) throw new Error(`Rows of ${bytes.length} bytes`);
  const at = (name: ColumnName) => bytes.byteOffset + layout.start[name];
  const { buffer } = bytes;
  const { names, newest, place, ...rest } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(layout.words, layout.words + wordBytes)),
  ) as Words;
  const knownVolume = Object.fromEntries(
    shareFigures.map((figure) => [figure, new Float64Array(buffer, at(`known:${figure}`), rows)]),
  ) as Record<ShareFigure, Float64Array>;
  return {
    ...rest,
    place,
    newest,
    names: new Map(names),
    slice: decodeSlice(bytes.subarray(layout.slice)),
    knownVolume,
    months: new Float64Array(buffer, at('months'), months),
    cluster: new Uint32Array(buffer, at('cluster'), rows),
    pillar: new Uint32Array(buffer, at('pillar'), rows),
    intentKnown: new Uint32Array(buffer, at('intentKnown'), rows),
    difficultyWeighted: new Float32Array(buffer, at('difficultyWeighted'), rows),
    isKeyword: new Uint8Array(buffer, at('isKeyword'), rows),
    isRepeated: new Uint8Array(buffer, at('isRepeated'), rows),
  };
}

/** Byte 3 of a body. Any change to the layout increments it. */
export const rowsWireVersion = 2;

const magic = [0x4b, 0x43, 0x52]; // KCR
const headerBytes = 16;

type ShareName = `known:${ShareFigure}`;
type ColumnName =
  | ShareName
  | 'months'
  | 'cluster'
  | 'pillar'
  | 'intentKnown'
  | 'difficultyWeighted'
  | 'isKeyword'
  | 'isRepeated';
type Columns = Readonly<Record<ColumnName, Float64Array | Float32Array | Uint32Array | Uint8Array>>;

/** The JSON of a page. */
type Words = {
  readonly from: number;
  readonly place: LevelRows['place'];
  readonly total: number;
  readonly keywords: number;
  readonly similar: LevelRows['similar'];
  readonly hasSimilar: boolean;
  readonly hasTrends: boolean;
  readonly newest: string | undefined;
  readonly names: readonly (readonly [number, string])[];
};

/** The columns in wire order, with bytes per number and the number of numbers. Decreasing widths keep each column aligned. */
function columnsOf(rows: number, months: number): { name: ColumnName; width: number; count: number }[] {
  return [
    ...shareFigures.map((figure) => ({ name: `known:${figure}` as const, width: 8, count: rows })),
    { name: 'months', width: 8, count: months },
    { name: 'cluster', width: 4, count: rows },
    { name: 'pillar', width: 4, count: rows },
    { name: 'intentKnown', width: 4, count: rows },
    { name: 'difficultyWeighted', width: 4, count: rows },
    { name: 'isKeyword', width: 1, count: rows },
    { name: 'isRepeated', width: 1, count: rows },
  ];
}

const ofShares = (volumes: LevelRows['knownVolume']) =>
  Object.fromEntries(shareFigures.map((figure) => [`known:${figure}`, volumes[figure]])) as Record<
    ShareName,
    Float64Array
  >;

function layOut(rows: number, months: number, wordBytes: number) {
  const start = {} as Record<ColumnName, number>;
  let next = headerBytes;
  for (const { name, width, count } of columnsOf(rows, months)) {
    start[name] = next;
    next += width * count;
  }
  const words = next;
  return { start, words, slice: 8 * Math.ceil((words + wordBytes) / 8) };
}
