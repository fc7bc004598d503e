import type { NumberRollUp } from '../upload/upload-tables.ts';
import type { Slice, SliceField, WholeKnown } from './slice.ts';

/**
 * Encodes a slice as one binary body. Decoding copies nothing: the columns of the decoded slice are views of the body.
 *
 * The body consists of a header of 16 bytes, the columns in order of decreasing number width so that each one is
 * aligned, the names, and the types and fields as JSON. Little-endian, like every machine that runs a browser.
 *
 * Source: docs/pack-format.md "Slice on the wire".
 */
export function encodeSlice(slice: Slice): Uint8Array<ArrayBuffer> {
  const isFiltered = slice.ofKeywords !== slice.keywords || slice.order !== slice.node;
  const { types, fields, wholeKnown } = slice;
  const metadata = {
    types,
    fields: fields.map(describe),
    ...(isFiltered && { isFiltered }),
    ...(wholeKnown !== undefined && { wholeKnown }),
  } satisfies Words;
  const words = new TextEncoder().encode(JSON.stringify(metadata));
  const layout = layOut(slice.rows, slice.names.length, words.length, metadata);
  const body = new Uint8Array(layout.bytes);
  body.set(magic, 0);
  body[3] = sliceWireVersion;
  const view = new DataView(body.buffer);
  view.setUint32(4, slice.rows, true);
  view.setUint32(8, slice.names.length, true);
  view.setUint32(12, words.length, true);
  const put = (column: ColumnArray, start: number) =>
    body.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start);
  for (const { name } of columnsOf(metadata)) put(slice[name], layout.start[name]);
  for (const [index, field] of fields.entries()) {
    const start = layout.fields[index]!;
    put(field.value, start.value);
    put(field.known, start.known);
    if (field.kind !== 'number') put(field.count, start.count);
  }
  body.set(slice.names, layout.names);
  body.set(words, layout.words);
  return body;
}

/** @throws Error if the body is not a slice of this version or is truncated */
export function decodeSlice(bytes: Uint8Array): Slice {
  if (bytes.length < headerBytes || magic.some((byte, index) => bytes[index] !== byte)) throw new Error('Not a slice');
  if (bytes[3] !== sliceWireVersion) throw new Error(`Slice of version ${bytes[3]}, expected ${sliceWireVersion}`);
  // Typed arrays need aligned views. A body that is part of something larger is copied once.
  const body = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const header = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const rows = header.getUint32(4, true);
  const namesLength = header.getUint32(8, true);
  const wordsLength = header.getUint32(12, true);
  const plain: Words = { types: [], fields: [] };
  const words = readWords(body, layOut(rows, namesLength, wordsLength, plain).bytes, wordsLength);
  const { types, fields } = words;
  const layout = layOut(rows, namesLength, wordsLength, words);
  if (layout.bytes !== body.length) throw new Error(`Slice of ${body.length} bytes, expected ${layout.bytes}`);
  const view = <A>(array: ArrayOn<A>, start: number, length: number) =>
    new array(body.buffer, body.byteOffset + start, length);
  const own = Object.fromEntries(
    columnsOf(words).map(({ name, array, perRow, extra }) => [
      name,
      view<ColumnArray>(array, layout.start[name], rows * perRow + extra),
    ]),
  ) as Omit<Pick<Slice, ColumnName>, FilteredColumn> & Partial<Pick<Slice, FilteredColumn>>;
  return {
    rows,
    types,
    wholeKnown: words.wholeKnown,
    fields: fields.map((field, index) => {
      const start = layout.fields[index]!;
      const { array, perRow } = valuesOf[field.kind];
      return {
        ...field,
        value: view<ColumnArray>(array, start.value, perRow * rows),
        known: view(Uint32Array, start.known, rows),
        ...(field.kind !== 'number' && { count: view(Uint32Array, start.count, rows) }),
      } as SliceField;
    }),
    names: body.subarray(layout.names, layout.words),
    ...own,
    ofKeywords: own.ofKeywords ?? own.keywords,
    order: own.order ?? own.node,
  };
}

/** Byte 3 of a body. Any change to the layout increments it. */
export const sliceWireVersion = 4;

const magic = [0x4b, 0x43, 0x53]; // KCS
const headerBytes = 16;

/** In wire order, with the kind of number and numbers per row; `extra` numbers follow the last row. */
const columns = [
  { name: 'volume', array: Float64Array, perRow: 1, extra: 0 },
  { name: 'childKeywords', array: Float64Array, perRow: 1, extra: 0 },
  { name: 'childVolume', array: Float64Array, perRow: 1, extra: 0 },
  { name: 'node', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'parent', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'depth', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'childCount', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'leaves', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'keywords', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'volumeKnown', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'difficultyKnown', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'cpcKnown', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'intent', array: Uint32Array, perRow: 4, extra: 0 },
  { name: 'address', array: Uint32Array, perRow: 2, extra: 0 },
  { name: 'nameStart', array: Uint32Array, perRow: 1, extra: 1 },
  { name: 'difficulty', array: Float32Array, perRow: 1, extra: 0 },
  { name: 'cpc', array: Float32Array, perRow: 1, extra: 0 },
  { name: 'type', array: Uint16Array, perRow: 1, extra: 0 },
] as const;
/** These follow the other columns of their width, and only if they differ from existing columns. */
const filteredColumns = [
  { name: 'ofKeywords', array: Uint32Array, perRow: 1, extra: 0 },
  { name: 'order', array: Uint32Array, perRow: 1, extra: 0 },
] as const;
const allColumns = [...columns, ...filteredColumns];
const columnsOf = ({ isFiltered }: Pick<Words, 'isFiltered'>) => (isFiltered ? allColumns : columns);

type ColumnName = (typeof allColumns)[number]['name'];
type FilteredColumn = (typeof filteredColumns)[number]['name'];
type ColumnArray = Slice[ColumnName] | SliceField['value'];
type ArrayOn<A> = new (buffer: ArrayBufferLike, start: number, length: number) => A;

/** The JSON part of a field, without its columns. */
type FieldWords =
  | { readonly name: string; readonly kind: 'number'; readonly rollUp: NumberRollUp }
  | { readonly name: string; readonly kind: 'category'; readonly values: readonly string[] }
  | { readonly name: string; readonly kind: 'set'; readonly values: readonly string[] };

/** The JSON at the end. */
type Words = {
  readonly types: readonly string[];
  readonly fields: readonly FieldWords[];
  readonly isFiltered?: boolean;
  readonly wholeKnown?: WholeKnown;
};

function describe(field: SliceField): FieldWords {
  const { name } = field;
  return field.kind === 'number'
    ? { name, kind: field.kind, rollUp: field.rollUp }
    : { name, kind: field.kind, values: field.values };
}

/** The kind of number and numbers per row, for each kind of field. */
const valuesOf = {
  number: { array: Float64Array, perRow: 1 },
  category: { array: Uint8Array, perRow: 1 },
  set: { array: Uint32Array, perRow: 2 },
} as const;

/** Columns of fields follow the others of their width, in field order. */
function layOut(rows: number, namesLength: number, wordsLength: number, words: Words) {
  const { fields } = words;
  const start = {} as Record<ColumnName, number>;
  const starts = fields.map(() => ({ value: 0, known: 0, count: 0 }));
  let position = headerBytes;
  const take = (bytes: number) => {
    position += bytes;
    return position - bytes;
  };
  for (const width of [8, 4, 2, 1]) {
    for (const { name, array, perRow, extra } of columnsOf(words)) {
      if (array.BYTES_PER_ELEMENT === width) start[name] = take(width * (rows * perRow + extra));
    }
    for (const [index, { kind }] of fields.entries()) {
      const { array, perRow } = valuesOf[kind];
      if (width === array.BYTES_PER_ELEMENT) starts[index]!.value = take(width * perRow * rows);
      if (width === 4) starts[index]!.known = take(4 * rows);
      if (width === 4 && kind !== 'number') starts[index]!.count = take(4 * rows);
    }
  }
  const wordsAt = position + namesLength;
  return { start, fields: starts, names: position, words: wordsAt, bytes: wordsAt + wordsLength };
}

/** @param fewest the size of the body without fields, in bytes */
function readWords(body: Uint8Array, fewest: number, length: number) {
  if (body.length < fewest) throw new Error(`Slice of ${body.length} bytes, expected ${fewest}`);
  const words: unknown = JSON.parse(new TextDecoder().decode(body.subarray(body.length - length)));
  if (!isWords(words)) throw new Error('Slice without types and fields');
  return words;
}

function isWords(value: unknown): value is Words {
  const { types, fields } = (value ?? {}) as { types?: unknown; fields?: unknown };
  return isTextList(types) && Array.isArray(fields);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
