import type { PackSink } from '../format/pack-sink.ts';
import type { Fill, Numbers } from './pack-values.ts';

/** The number of rows collected at a time if they cannot be written in place. */
const rowsAtATime = 64 * 1024;
/** The maximum bytes per row that are written in place; wider rows could span two blocks. */
const widest = 8;

export type NumberArrayOf = {
  new (length: number): Numbers & { readonly buffer: ArrayBuffer };
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
};

/** Writes the numbers of a column for some rows. */
export async function writeNumbers(
  sink: PackSink,
  array: NumberArrayOf,
  perRow: number,
  rows: Uint32Array,
  fill: Fill,
): Promise<void> {
  const width = perRow * array.BYTES_PER_ELEMENT;
  if (width <= widest) {
    return sink.fill(width, rows.length, (place, start, count) =>
      fill(new array(place.buffer, place.byteOffset, count * perRow), rows.subarray(start, start + count)),
    );
  }
  const buffer = new array(perRow * Math.min(rowsAtATime, rows.length));
  for (let start = 0; start < rows.length; start += rowsAtATime) {
    const some = rows.subarray(start, start + rowsAtATime);
    fill(buffer, some);
    await sink.write(new Uint8Array(buffer.buffer, 0, some.length * width));
  }
}

/** Writes the lengths of parts, from `start` on, as many as fit in the target. */
export type Lengths = (target: Uint32Array, start: number) => void;

/**
 * Writes the start of each part in a sequence of contiguous parts, followed by the end of the last one, as 32-bit
 * numbers.
 */
export async function writeStarts(sink: PackSink, parts: number, lengths: Lengths): Promise<void> {
  let end = 0;
  await sink.write(new Uint8Array(4));
  await sink.fill(4, parts, (place, start, count) => {
    const ends = new Uint32Array(place.buffer, place.byteOffset, count);
    lengths(ends, start);
    end = addUp(ends, end);
  });
}

/** Like {@link writeStarts}, with 64 bits. */
export async function writeStartsWide(sink: PackSink, parts: number, lengths: Lengths): Promise<void> {
  const some = new Uint32Array(Math.min(parts, rowsAtATime));
  let end = 0;
  await sink.write(new Uint8Array(8));
  await sink.fill(8, parts, (place, start, count) => {
    const ends = new Uint32Array(place.buffer, place.byteOffset, 2 * count);
    lengths(some.subarray(0, count), start);
    end = addUpWide(some, ends, end);
  });
}

/** Replaces lengths by ends, as a running sum that starts at `before`. */
function addUp(lengths: Uint32Array, before: number): number {
  let end = before;
  for (let at = 0; at < lengths.length; at++) {
    end += lengths[at]!;
    lengths[at] = end;
  }
  return end;
}

/** {@link addUp} to pairs of words, low word first. */
function addUpWide(lengths: Uint32Array, ends: Uint32Array, before: number): number {
  let end = before;
  for (let at = 0; 2 * at < ends.length; at++) {
    end += lengths[at]!;
    ends[2 * at] = end >>> 0;
    ends[2 * at + 1] = Math.floor(end / 2 ** 32);
  }
  return end;
}
