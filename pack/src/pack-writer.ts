import { bufferAlignment, type ColumnBuffers, writeBatchHead, writeHead, writeTail } from './arrow/frame.ts';
import { packSchema } from './arrow/schema.ts';
import type { ByteSink } from './byte-source.ts';
import { numberKinds, packColumns, packFormatVersion } from './pack-format.ts';
import { PackSink } from './pack-sink.ts';
import { type ColumnValues, columnValues, type Numbers } from './pack-values.ts';
import { type NameFold, SearchKey } from './text-key.ts';
import type { Tree } from './tree.ts';
import type { EntryColumns } from './upload-tables.ts';

/**
 * Writes a tree as a pack: one Arrow IPC file with one uncompressed record batch. The same tree gives the same bytes.
 *
 * Rows are gathered and written in blocks, so memory beside the tree stays under 3 MiB and 4 bytes a row.
 * Source: docs/pack-format.md.
 *
 * @param sourceSha256 of the uploaded file, 64 hex digits
 */
export async function writePack(tree: Tree, sourceSha256: string, target: ByteSink): Promise<void> {
  const sink = new PackSink(target);
  const rows = tree.order.length + tree.unplaced.length;
  await writeHead(sink, packSchema());
  const dictionary = await writeTypes(sink, tree.tables.types);
  const columns = columnWriters(tree);
  const batch = await writeBatchHead(sink, rows, columns);
  for (const column of columns) await column.write(sink);
  const { names, nameStart, nameLength } = tree.tables.nodes;
  const metadata = {
    version: packFormatVersion,
    sourceSha256,
    sourceBytes: tree.tables.bytes,
    ...tree.counts,
    types: tree.tables.types,
    rootName: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      names.subarray(nameStart[0]!, nameStart[0]! + nameLength[0]!),
    ),
  };
  await writeTail(sink, (blocks) => packSchema(metadata, blocks), batch, dictionary);
}

/** Rows are gathered this many at a time. */
const rowsAtATime = 64 * 1024;

type ColumnWriter = ColumnBuffers & { write(sink: PackSink): Promise<void> };

function columnWriters(tree: Tree): ColumnWriter[] {
  const values = columnValues(tree);
  return packColumns.map(({ name, kind }) =>
    kind === 'text'
      ? textWriter(tree, name === 'folded' ? new SearchKey() : undefined)
      : numberWriter(tree, kind, values[name]),
  );
}

function numberWriter({ order, unplaced }: Tree, kind: keyof typeof numberKinds, values: ColumnValues): ColumnWriter {
  const { array: NumberArrayOf, perRow } = numberKinds[kind];
  const rows = order.length + unplaced.length;
  return {
    rows,
    buffers: [0, rows * perRow * NumberArrayOf.BYTES_PER_ELEMENT],
    async write(sink) {
      const buffer = new NumberArrayOf(perRow * Math.min(rowsAtATime, rows));
      await writeNumbers(sink, buffer, perRow, order, values.nodes);
      await writeNumbers(sink, buffer, perRow, unplaced, values.entries);
      await sink.pad(bufferAlignment);
    },
  };
}

async function writeNumbers(
  sink: PackSink,
  buffer: Numbers,
  perRow: number,
  rows: Uint32Array,
  fill: ColumnValues['nodes'],
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtATime) {
    const some = rows.subarray(start, start + rowsAtATime);
    fill(buffer, some);
    await sink.write(new Uint8Array(buffer.buffer, 0, some.length * perRow * buffer.BYTES_PER_ELEMENT));
  }
}

/** A column of texts: 64-bit offsets, then the bytes. Folded ones are made twice, once to know their lengths. */
function textWriter(tree: Tree, fold: NameFold | undefined): ColumnWriter {
  const { order, unplaced, tables } = tree;
  const rows = order.length + unplaced.length;
  const lengths = new Uint32Array(rows);
  measureTexts(lengths, tables.nodes, order, fold);
  measureTexts(lengths.subarray(order.length), tables.keywords, unplaced, fold);
  let bytes = 0;
  for (let row = 0; row < rows; row++) bytes += lengths[row]!;
  return {
    rows,
    buffers: [0, 8 * (rows + 1), bytes],
    async write(sink) {
      await writeOffsets(sink, lengths);
      await writeTexts(sink, tables.nodes, order, fold);
      await writeTexts(sink, tables.keywords, unplaced, fold);
      await sink.pad(bufferAlignment);
    },
  };
}

function measureTexts(
  lengths: Uint32Array,
  { names, nameStart, nameLength }: EntryColumns,
  rows: Uint32Array,
  fold: NameFold | undefined,
): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const start = nameStart[row]!;
    lengths[at] = fold ? fold.write(names, start, start + nameLength[row]!) : nameLength[row]!;
  }
}

/** Texts back to back, gathered so that not every one of them waits for the sink. */
async function writeTexts(
  sink: PackSink,
  { names, nameStart, nameLength }: EntryColumns,
  rows: Uint32Array,
  fold: NameFold | undefined,
): Promise<void> {
  const buffer = new Uint8Array(rowsAtATime);
  let filled = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const start = nameStart[row]!;
    const length = fold ? fold.write(names, start, start + nameLength[row]!) : nameLength[row]!;
    const bytes = fold ? fold.buffer.bytes : names;
    const from = fold ? 0 : start;
    if (filled + length > buffer.length) {
      await sink.write(buffer.subarray(0, filled));
      filled = 0;
    }
    if (length > buffer.length) await sink.write(bytes.subarray(from, from + length));
    else for (let index = 0; index < length; index++) buffer[filled++] = bytes[from + index]!;
  }
  await sink.write(buffer.subarray(0, filled));
}

async function writeOffsets(sink: PackSink, lengths: Uint32Array): Promise<void> {
  let offset = 0;
  await sink.write(new Uint8Array(8));
  const buffer = new Uint32Array(2 * Math.min(rowsAtATime, lengths.length));
  for (let start = 0; start < lengths.length; start += rowsAtATime) {
    const count = Math.min(rowsAtATime, lengths.length - start);
    for (let row = 0; row < count; row++) {
      offset += lengths[start + row]!;
      buffer[2 * row] = offset >>> 0;
      buffer[2 * row + 1] = Math.floor(offset / 2 ** 32);
    }
    await sink.write(new Uint8Array(buffer.buffer, 0, 8 * count));
  }
  await sink.pad(bufferAlignment);
}

/** The dictionary of node types: one column of texts with 32-bit offsets. */
async function writeTypes(sink: PackSink, types: readonly string[]) {
  const texts = types.map((type) => new TextEncoder().encode(type));
  const offsets = new Int32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) offsets[index + 1] = offsets[index]! + text.length;
  const column = { rows: texts.length, buffers: [0, offsets.byteLength, offsets[texts.length]!] };
  const block = await writeBatchHead(sink, texts.length, [column], 0);
  await sink.write(new Uint8Array(offsets.buffer));
  await sink.pad(bufferAlignment);
  for (const text of texts) await sink.write(text);
  await sink.pad(bufferAlignment);
  return block;
}
