import type { PackSink } from '../format/pack-sink.ts';
import type { Fill, Numbers } from './pack-values.ts';

/** Rows are gathered this many at a time. */
const rowsAtATime = 64 * 1024;

type NumberArrayOf = { new (length: number): Numbers & { readonly buffer: ArrayBuffer } };

/** A column's numbers for some rows. */
export async function writeNumbers(
  sink: PackSink,
  array: NumberArrayOf,
  perRow: number,
  rows: Uint32Array,
  fill: Fill,
): Promise<void> {
  const buffer = new array(perRow * Math.min(rowsAtATime, rows.length));
  for (let start = 0; start < rows.length; start += rowsAtATime) {
    const some = rows.subarray(start, start + rowsAtATime);
    fill(buffer, some);
    await sink.write(new Uint8Array(buffer.buffer, 0, some.length * perRow * buffer.BYTES_PER_ELEMENT));
  }
}

/** Where each part begins when they stand back to back, and where the last one ends: 32 bits each. */
export async function writeStarts(sink: PackSink, parts: number, lengthOf: (part: number) => number): Promise<void> {
  await writeEnds(
    sink,
    parts,
    1,
    (buffer, at, end) => {
      buffer[at] = end;
    },
    lengthOf,
  );
}

/** As {@link writeStarts}, with 64 bits. */
export async function writeStartsWide(sink: PackSink, parts: number, lengthOf: (part: number) => number) {
  await writeEnds(
    sink,
    parts,
    2,
    (buffer, at, end) => {
      buffer[2 * at] = end >>> 0;
      buffer[2 * at + 1] = Math.floor(end / 2 ** 32);
    },
    lengthOf,
  );
}

async function writeEnds(
  sink: PackSink,
  parts: number,
  words: 1 | 2,
  put: (buffer: Uint32Array, at: number, end: number) => void,
  lengthOf: (part: number) => number,
): Promise<void> {
  await sink.write(new Uint8Array(4 * words));
  const buffer = new Uint32Array(words * Math.min(rowsAtATime, parts));
  let end = 0;
  for (let start = 0; start < parts; start += rowsAtATime) {
    const count = Math.min(rowsAtATime, parts - start);
    for (let at = 0; at < count; at++) {
      end += lengthOf(start + at);
      put(buffer, at, end);
    }
    await sink.write(new Uint8Array(buffer.buffer, 0, 4 * words * count));
  }
}
