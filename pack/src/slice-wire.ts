import type { Slice } from './slice.ts';

/**
 * A slice as one binary body, and back without a copy: the columns of the decoded slice are views of the body.
 *
 * A header of 16 bytes, the columns from the widest numbers to the narrowest so that each one is aligned, the names,
 * and the types as JSON. Little end first, like every machine that runs a browser.
 *
 * Source: docs/pack-format.md "Slice on the wire".
 */
export function encodeSlice(slice: Slice): Uint8Array<ArrayBuffer> {
  const types = new TextEncoder().encode(JSON.stringify(slice.types));
  const layout = layOut(slice.rows, slice.names.length, types.length);
  const body = new Uint8Array(layout.bytes);
  body.set(magic, 0);
  body[3] = sliceWireVersion;
  const view = new DataView(body.buffer);
  view.setUint32(4, slice.rows, true);
  view.setUint32(8, slice.names.length, true);
  view.setUint32(12, types.length, true);
  for (const { name } of columns) {
    const column = slice[name];
    body.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), layout.start[name]);
  }
  body.set(slice.names, layout.names);
  body.set(types, layout.types);
  return body;
}

/** @throws Error when the body is no slice of this version or is cut short */
export function decodeSlice(bytes: Uint8Array): Slice {
  if (bytes.length < headerBytes || magic.some((byte, index) => bytes[index] !== byte)) throw new Error('Not a slice');
  if (bytes[3] !== sliceWireVersion) throw new Error(`Slice of version ${bytes[3]}, expected ${sliceWireVersion}`);
  // Typed arrays need aligned views; a body that comes as part of something larger is copied once.
  const body = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const rows = view.getUint32(4, true);
  const namesLength = view.getUint32(8, true);
  const typesLength = view.getUint32(12, true);
  const layout = layOut(rows, namesLength, typesLength);
  if (layout.bytes !== body.length) throw new Error(`Slice of ${body.length} bytes, expected ${layout.bytes}`);
  const at = (name: ColumnName) => body.byteOffset + layout.start[name];
  const { buffer } = body;
  const types: unknown = JSON.parse(new TextDecoder().decode(body.subarray(layout.types)));
  if (!isTextList(types)) throw new Error('Slice without a list of types');
  return {
    rows,
    types,
    names: body.subarray(layout.names, layout.types),
    volume: new Float64Array(buffer, at('volume'), rows),
    childKeywords: new Float64Array(buffer, at('childKeywords'), rows),
    childVolume: new Float64Array(buffer, at('childVolume'), rows),
    node: new Uint32Array(buffer, at('node'), rows),
    parent: new Uint32Array(buffer, at('parent'), rows),
    depth: new Uint32Array(buffer, at('depth'), rows),
    childCount: new Uint32Array(buffer, at('childCount'), rows),
    leaves: new Uint32Array(buffer, at('leaves'), rows),
    keywords: new Uint32Array(buffer, at('keywords'), rows),
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

/** Byte 3 of a body. Anything that moves a byte changes it. */
export const sliceWireVersion = 1;

const magic = [0x4b, 0x43, 0x53]; // KCS
const headerBytes = 16;

/** Order on the wire, bytes of a number and numbers a row; `extra` numbers follow the last row. */
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

type ColumnName = (typeof columns)[number]['name'];

function layOut(rows: number, namesLength: number, typesLength: number) {
  const start = {} as Record<ColumnName, number>;
  let position = headerBytes;
  for (const { name, width, perRow, extra } of columns) {
    start[name] = position;
    position += width * (rows * perRow + extra);
  }
  const types = position + namesLength;
  return { start, names: position, types, bytes: types + typesLength };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
