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
  const said = {
    types,
    fields: fields.map(describe),
    ...(isFiltered && { isFiltered }),
    ...(wholeKnown !== undefined && { wholeKnown }),
  } satisfies Words;
  const words = new TextEncoder().encode(JSON.stringify(said));
  const layout = layOut(slice.rows, slice.names.length, words.length, said);
  const body = new Uint8Array(layout.bytes);
  body.set(magic, 0);
  body[3] = sliceWireVersion;
  const view = new DataView(body.buffer);
  view.setUint32(4, slice.rows, true);
  view.setUint32(8, slice.names.length, true);
  view.setUint32(12, words.length, true);
  const put = (column: ColumnArray, start: number) =>
    body.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start);
  for (const { name } of columnsOf(said)) put(slice[name], layout.start[name]);
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
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const rows = view.getUint32(4, true);
  const namesLength = view.getUint32(8, true);
  const wordsLength = view.getUint32(12, true);
  const plain: Words = { types: [], fields: [] };
  const words = readWords(body, layOut(rows, namesLength, wordsLength, plain).bytes, wordsLength);
  const { types, fields } = words;
  const layout = layOut(rows, namesLength, wordsLength, words);
  if (layout.bytes !== body.length) throw new Error(`Slice of ${body.length} bytes, expected ${layout.bytes}`);
  const at = (name: ColumnName) => body.byteOffset + layout.start[name];
  const { buffer } = body;
  const node = new Uint32Array(buffer, at('node'), rows);
  const keywords = new Uint32Array(buffer, at('keywords'), rows);
  return {
    rows,
    types,
    wholeKnown: words.wholeKnown,
    fields: fields.map((field, index): SliceField => {
      const start = layout.fields[index]!;
      const known = new Uint32Array(buffer, body.byteOffset + start.known, rows);
      if (field.kind === 'number') {
        return { ...field, value: new Float64Array(buffer, body.byteOffset + start.value, rows), known };
      }
      const count = new Uint32Array(buffer, body.byteOffset + start.count, rows);
      if (field.kind === 'set') {
        return { ...field, value: new Uint32Array(buffer, body.byteOffset + start.value, 2 * rows), count, known };
      }
      return { ...field, value: new Uint8Array(buffer, body.byteOffset + start.value, rows), count, known };
    }),
    names: body.subarray(layout.names, layout.words),
    volume: new Float64Array(buffer, at('volume'), rows),
    childKeywords: new Float64Array(buffer, at('childKeywords'), rows),
    childVolume: new Float64Array(buffer, at('childVolume'), rows),
    node,
    parent: new Uint32Array(buffer, at('parent'), rows),
    depth: new Uint32Array(buffer, at('depth'), rows),
    childCount: new Uint32Array(buffer, at('childCount'), rows),
    leaves: new Uint32Array(buffer, at('leaves'), rows),
    keywords,
    ofKeywords: words.isFiltered ? new Uint32Array(buffer, at('ofKeywords'), rows) : keywords,
    order: words.isFiltered ? new Uint32Array(buffer, at('order'), rows) : node,
    volumeKnown: new Uint32Array(buffer, at('volumeKnown'), rows),
    difficultyKnown: new Uint32Array(buffer, at('difficultyKnown'), rows),
    cpcKnown: new Uint32Array(buffer, at('cpcKnown'), rows),
    intent: new Uint32Array(buffer, at('intent'), 4 * rows),
    address: new Uint32Array(buffer, at('address'), 2 * rows),
    nameStart: new Uint32Array(buffer, at('nameStart'), rows + 1),
    difficulty: new Float32Array(buffer, at('difficulty'), rows),
    cpc: new Float32Array(buffer, at('cpc'), rows),
    type: new Uint16Array(buffer, at('type'), rows),
  };
}

/** Byte 3 of a body. Any change to the layout increments it. */
export const sliceWireVersion = 4;

const magic = [0x4b, 0x43, 0x53]; // KCS
const headerBytes = 16;

/** In wire order, with bytes per number and numbers per row; `extra` numbers follow the last row. */
const columns = [
  { name: 'volume', width: 8, perRow: 1, extra: 0 },
  { name: 'childKeywords', width: 8, perRow: 1, extra: 0 },
  { name: 'childVolume', width: 8, perRow: 1, extra: 0 },
  { name: 'node', width: 4, perRow: 1, extra: 0 },
  { name: 'parent', width: 4, perRow: 1, extra: 0 },
  { name: 'depth', width: 4, perRow: 1, extra: 0 },
  { name: 'childCount', width: 4, perRow: 1, extra: 0 },
  { name: 'leaves', width: 4, perRow: 1, extra: 0 },
  { name: 'keywords', width: 4, perRow: 1, extra: 0 },
  { name: 'volumeKnown', width: 4, perRow: 1, extra: 0 },
  { name: 'difficultyKnown', width: 4, perRow: 1, extra: 0 },
  { name: 'cpcKnown', width: 4, perRow: 1, extra: 0 },
  { name: 'intent', width: 4, perRow: 4, extra: 0 },
  { name: 'address', width: 4, perRow: 2, extra: 0 },
  { name: 'nameStart', width: 4, perRow: 1, extra: 1 },
  { name: 'difficulty', width: 4, perRow: 1, extra: 0 },
  { name: 'cpc', width: 4, perRow: 1, extra: 0 },
  { name: 'type', width: 2, perRow: 1, extra: 0 },
] as const;
/** These follow the other columns of their width, and only if they differ from existing columns. */
const filteredColumns = [
  { name: 'ofKeywords', width: 4, perRow: 1, extra: 0 },
  { name: 'order', width: 4, perRow: 1, extra: 0 },
] as const;
const allColumns = [...columns, ...filteredColumns];
const columnsOf = ({ isFiltered }: Pick<Words, 'isFiltered'>) => (isFiltered ? allColumns : columns);

type ColumnName = (typeof allColumns)[number]['name'];
type ColumnArray = Slice[ColumnName] | SliceField['value'];

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

/** Bytes per number and numbers per row, for each kind of field. */
const valuesOf = {
  number: { width: 8, perRow: 1 },
  category: { width: 1, perRow: 1 },
  set: { width: 4, perRow: 2 },
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
    for (const column of columnsOf(words)) {
      if (column.width === width) start[column.name] = take(width * (rows * column.perRow + column.extra));
    }
    for (const [index, { kind }] of fields.entries()) {
      const { width: ofValue, perRow } = valuesOf[kind];
      if (width === ofValue) starts[index]!.value = take(width * perRow * rows);
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
