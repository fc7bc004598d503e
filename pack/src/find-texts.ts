import { findPlainly, type TextFinder } from './find-plainly.ts';
import type { Texts } from './pack-reader.ts';
import { compiled, WebAssembly } from './web-assembly.ts';

/** Texts, and bytes of them, that are gone through between two pauses: one or two milliseconds. */
const mostTexts = 2 ** 16;
const mostBytes = 2 ** 20;

/**
 * Looks through the first `count` texts in pieces; see {@link TextFinder}.
 *
 * @param pause between pieces of the work; what it throws ends the search
 */
export async function findTexts(
  texts: Texts,
  count: number,
  needle: Uint8Array,
  found: (text: number, kind: number) => void,
  find: TextFinder,
  pause: () => Promise<void>,
): Promise<void> {
  for (let first = 0; first < count; ) {
    const end = pieceEnd(texts.start, first, count);
    find(texts, first, end, needle, found);
    first = end;
    if (first < count) await pause();
  }
}

/** As many texts as may be; one at least. */
function pieceEnd(start: Float64Array, first: number, count: number): number {
  const most = start[first]! + mostBytes;
  let end = Math.min(count, first + mostTexts);
  if (start[end]! <= most) return end;
  for (let low = first + 1; low < end; ) {
    const middle = (low + end + 1) >>> 1;
    if (start[middle]! <= most) low = middle;
    else end = middle - 1;
  }
  return end;
}

// One after the other in the memory: the needle, starts, what is found, bytes with room to read beyond them.
const needleRoom = 2 ** 16;
const startsAt = needleRoom;
const foundAt = startsAt + 8 * mostTexts + 2 ** 16;
const bytesAt = foundAt + 4 * mostTexts;
const pages = (bytesAt + mostBytes + 2 * needleRoom) / 2 ** 16;

type Find = (needle: number, length: number, bytes: number, starts: number, texts: number, found: number) => number;

/**
 * The finder in WebAssembly with SIMD, made of `pack/assembly/find-texts.ts`. It has a memory of 2.2 MB, through which the
 * texts go piece by piece. Longer needles and texts than that are looked through in TypeScript.
 *
 * @param binary the bytes of `pack/dist/find-texts.wasm`
 * @returns undefined where it cannot run: no SIMD, or a policy that forbids it
 */
export function simdFinder(binary: Uint8Array<ArrayBuffer>): TextFinder | undefined {
  const module = compiled(binary);
  if (!module) return undefined;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { find } = new WebAssembly.Instance(module, { env: { memory } }).exports as { find: Find };
  const bytes = new Uint8Array(memory.buffer);
  const starts = new Float64Array(memory.buffer, startsAt, mostTexts + 1);
  const hits = new Uint32Array(memory.buffer, foundAt, mostTexts);
  return (texts, first, end, needle, found) => {
    const from = texts.start[first]!;
    const to = texts.start[end]!;
    if (to - from > mostBytes || needle.length > needleRoom || end - first > mostTexts) {
      findPlainly(texts, first, end, needle, found);
      return;
    }
    bytes.set(needle, 0);
    bytes.set(texts.bytes.subarray(from, to), bytesAt);
    starts.set(texts.start.subarray(first, end + 1));
    const count = find(0, needle.length, bytesAt, startsAt, end - first, foundAt);
    for (let index = 0; index < count; index++) found(first + (hits[index]! >>> 2), hits[index]! & 3);
  };
}
