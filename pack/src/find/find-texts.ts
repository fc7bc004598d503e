import type { Pause } from '../format/in-pieces.ts';
import type { Texts } from '../format/pack-reader.ts';
import { compiled, WebAssembly } from '../json/web-assembly.ts';
import { type FindTexts, findFallback, type TextFinder } from './find-fallback.ts';

/** The maximum number of texts, and of their bytes, between two pauses: at most a millisecond of work. */
const maxTexts = 2 ** 16;
const maxBytes = 2 ** 20;

/**
 * Searches the first texts, as many as `kinds` has elements, in pieces; see {@link FindTexts}.
 *
 * @param pause called between pieces of work; an error it throws ends the search
 * @returns the number of texts that contain the needle
 */
export async function findTexts(
  texts: Texts,
  needle: Uint8Array,
  kinds: Uint8Array,
  find: FindTexts,
  pause: Pause,
): Promise<number> {
  let found = 0;
  for (let first = 0; first < kinds.length; ) {
    const end = pieceEnd(texts.start, first, kinds.length);
    found += find(texts, first, end, needle, kinds);
    first = end;
    if (first < kinds.length) await pause();
  }
  return found;
}

/** The end of a piece: as many texts as allowed, but at least one. */
function pieceEnd(start: Float64Array, first: number, count: number): number {
  const maxEnd = start[first]! + maxBytes;
  let end = Math.min(count, first + maxTexts);
  if (start[end]! <= maxEnd) return end;
  for (let low = first + 1; low < end; ) {
    const middle = (low + end + 1) >>> 1;
    if (start[middle]! <= maxEnd) low = middle;
    else end = middle - 1;
  }
  return end;
}

// The memory contains, in this order: the needle, kinds, starts, and bytes with room for reads beyond their end.
const needleRoom = 2 ** 16;
const kindsAt = needleRoom;
const startsAt = kindsAt + maxTexts;
const pageBytes = 2 ** 16;
/** The maximum size of a memory. */
const maxPages = 2 ** 16;

type Find = (needle: number, length: number, bytes: number, starts: number, texts: number, kinds: number) => number;
type Room = {
  readonly start: Float64Array;
  readonly bytes: Uint8Array;
  readonly memory: Uint8Array;
  readonly find: Find;
};

/**
 * The WebAssembly version with SIMD, built from `pack/assembly/find-texts.ts`. Texts that were read into its room are
 * searched in place; others are copied through a memory of 1.8 MB piece by piece. Needles and texts that do not fit are
 * searched in TypeScript.
 *
 * @param binary the bytes of `pack/dist/find-texts.wasm`
 * @returns undefined if it cannot run: no SIMD, or a policy that forbids it
 */
export function simdFinder(binary: Uint8Array<ArrayBuffer>): TextFinder | undefined {
  const module = compiled(binary);
  if (!module) return undefined;
  const rooms = new WeakMap<ArrayBufferLike, Room>();
  const roomFor = (starts: number, bytes: number): Room | undefined => {
    const bytesAt = startsAt + 8 * starts;
    const pages = Math.ceil((bytesAt + bytes + 2 * needleRoom) / pageBytes);
    if (pages > maxPages) return undefined;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { find } = new WebAssembly.Instance(module, { env: { memory } }).exports as { find: Find };
    return {
      start: new Float64Array(memory.buffer, startsAt, starts),
      bytes: new Uint8Array(memory.buffer, bytesAt, bytes),
      memory: new Uint8Array(memory.buffer),
      find,
    };
  };
  const passage = roomFor(maxTexts + 1, maxBytes);
  if (!passage) return undefined;
  return {
    room(starts, bytes) {
      const room = roomFor(starts, bytes);
      if (room) rooms.set(room.memory.buffer, room);
      return room;
    },
    find(texts, first, end, needle, kinds) {
      const from = texts.start[first]!;
      const to = texts.start[end]!;
      if (to - from > maxBytes || needle.length > needleRoom || end - first > maxTexts) {
        return findFallback(texts, first, end, needle, kinds);
      }
      const own = rooms.get(texts.bytes.buffer);
      const { memory, find, start, bytes } = own ?? passage;
      if (!own) {
        bytes.set(texts.bytes.subarray(from, to));
        start.set(texts.start.subarray(first, end + 1));
      }
      memory.set(needle, 0);
      memory.fill(0, kindsAt, kindsAt + end - first);
      const bytesAt = bytes.byteOffset + (own ? from : 0);
      // The texts may be a part of those that were read into the room.
      const startAt = own ? texts.start.byteOffset + 8 * first : start.byteOffset;
      const found = find(0, needle.length, bytesAt, startAt, end - first, kindsAt);
      if (found > 0) kinds.set(memory.subarray(kindsAt, kindsAt + end - first), first);
      return found;
    },
  };
}
