import type { Schema } from 'apache-arrow';
import { MetadataVersion } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { BufferRegion, DictionaryBatch, FieldNode, Message, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import type { PackSink } from '../pack-sink.ts';
import { xxh32 } from '../xxh32.ts';

// The frame of an Arrow IPC file: https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format

/**
 * A column as the buffers of a record batch: the bytes of each, 0 for the validity buffer, which columns without nulls
 * omit.
 */
export type ColumnBuffers = { readonly rows: number; readonly buffers: readonly number[] };

/** The alignment of buffers in the file, as Arrow recommends. */
export const bufferAlignment = 64;

/** Writes the start of the file. */
export async function writeHead(sink: PackSink, schema: Schema): Promise<void> {
  await sink.write(magic);
  await sink.pad(8);
  await writeMessage(sink, Message.encode(Message.from(schema)));
}

/**
 * Writes the message of a batch. The caller then writes the body, with each buffer padded to {@link bufferAlignment}.
 * @param dictionary the ID if the batch is a dictionary batch
 */
export async function writeBatchHead(
  sink: PackSink,
  rows: number,
  columns: readonly ColumnBuffers[],
  dictionary?: number,
): Promise<FileBlock> {
  const { regions, bytes } = regionsOf(columns);
  const nodes = columns.map((column) => new FieldNode(column.rows, 0));
  const batch = new RecordBatch(rows, nodes, regions, null);
  const header = dictionary === undefined ? batch : new DictionaryBatch(batch, dictionary);
  const start = sink.position;
  await writeMessage(sink, Message.encode(Message.from(header, bytes)));
  return new FileBlock(sink.position - start, bytes, start);
}

/** The positions of a batch's buffers in its body, and the length of the body. */
export function regionsOf(columns: readonly ColumnBuffers[]): {
  readonly regions: BufferRegion[];
  readonly bytes: number;
} {
  const regions: BufferRegion[] = [];
  let bytes = 0;
  for (const length of columns.flatMap((column) => column.buffers)) {
    regions.push(new BufferRegion(bytes, length));
    bytes += padded(length);
  }
  return { regions, bytes };
}

/** The end of the hashed part, given its last batch. */
export function hashedEnd({ offset, metaDataLength, bodyLength }: FileBlock): number {
  return offset + metaDataLength + bodyLength + endOfStream.length;
}

/**
 * Writes the end of the stream, the precomputed slice, the seal, and the footer that readers start from. The block
 * hashes are computed after the end of the stream.
 */
export async function writeTail(
  sink: PackSink,
  schemaOf: (blocks: string) => Schema,
  batch: FileBlock,
  dictionaries: FileBlock[],
  rootSlice: Uint8Array,
): Promise<void> {
  await sink.write(endOfStream);
  const schema = schemaOf(await sink.finishBlocks());
  const footer = Footer.encode(new Footer(schema, MetadataVersion.V5, [batch], dictionaries));
  await sink.writeUnhashed(rootSlice);
  await sink.writeUnhashed(sealOf(footer));
  await sink.writeUnhashed(footer);
  await sink.writeUnhashed(new Uint8Array(Int32Array.of(footer.length).buffer));
  await sink.writeUnhashed(magic);
}

/** 16 bytes before the footer: a marker and the footer's XXH32 in 8 hex digits. Arrow readers skip them. */
export function sealOf(footer: Uint8Array): Uint8Array {
  return new TextEncoder().encode(`KC-SEAL:${xxh32(footer).toString(16).padStart(8, '0')}`);
}

export const sealBytes = 16;
/** The first and last bytes of the file. */
export const magic = new TextEncoder().encode('ARROW1');

const endOfStream = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

export const padded = (length: number) => Math.ceil(length / bufferAlignment) * bufferAlignment;

/** Writes the continuation marker, the length, the flatbuffer, and zeros that align the body. */
async function writeMessage(sink: PackSink, flatbuffer: Uint8Array): Promise<void> {
  const end = padded(sink.position + 8 + flatbuffer.length);
  await sink.write(new Uint8Array(Int32Array.of(-1, end - sink.position - 8).buffer));
  await sink.write(flatbuffer);
  await sink.pad(bufferAlignment);
}
