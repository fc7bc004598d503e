import type { HashKey } from '../names/hash-key.ts';
import { release } from '../upload/release.ts';
import type { Names, NameTable } from './name-table.ts';

/** Names in a part of the join: few enough that its tables stay in the processor's cache. */
const namesAPart = 2048;
/** More parts than this would be too many places to write to at once. */
const maxPartBits = 11;
const bitsToShift = 32;

/**
 * Finds for each of some names the first of them with the same text key.
 *
 * A radix join: names are hashed in their order, with a keyed hash of 64 bits; the hashes are dealt out by their high
 * bits into parts, each of which is joined by a table that fits into the processor's cache.
 * Cost: one hash a name, 20 bytes a name while it runs, 12 from the dealing on.
 *
 * Source: Manegold, Boncz and Kersten, "Optimizing main-memory join on modern hardware", IEEE TKDE 14(4), 2002.
 *
 * @param names rising numbers
 * @param mayBegin whether a name may be the first of its text, or only the same as one before it
 * @param isSure whether names of the same hash are compared at once. Otherwise the caller has to do it, which is cheaper
 *   in the order of the names than in that of their hashes; two texts of one hash are all but impossible
 * @param found called for each name with the first of its text (itself for that one), or -1
 */
export function findSameNames(
  table: NameTable,
  names: Names,
  key: HashKey,
  mayBegin: (name: number) => boolean,
  isSure: boolean,
  found: (name: number, first: number) => void,
): void {
  const { count } = names;
  const bits = Math.min(maxPartBits, Math.max(0, Math.ceil(Math.log2(count / namesAPart))));
  const { dealt, ends } = deal(table.hashAll(names, key), names, bits);
  let start = 0;
  let slots = new Int32Array(16);
  for (const end of ends) {
    if (slots.length < 2 * (end - start)) slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * (end - start))));
    joinPart(isSure ? table : undefined, dealt, start, end, slots, mayBegin, found);
    start = end;
  }
  release(dealt);
}

/** Three words a name, its hash and its number, by parts; in each the names rise. `ends`: where each part ends. */
function deal(hashes: Uint32Array, names: Names, bits: number): { dealt: Uint32Array; ends: Uint32Array } {
  const { count } = names;
  const next = new Uint32Array(2 ** bits);
  // Shifts count modulo 32, so without bits there is one part by name.
  const partOf = bits === 0 ? () => 0 : (index: number) => hashes[2 * index + 1]! >>> (bitsToShift - bits);
  for (let index = 0; index < count; index++) next[partOf(index)]!++;
  let end = 0;
  for (let part = 0; part < next.length; part++) {
    const names = next[part]!;
    next[part] = end;
    end += names;
  }
  const dealt = new Uint32Array(3 * count);
  for (let index = 0; index < count; index++) {
    const to = 3 * next[partOf(index)]!++;
    dealt[to] = hashes[2 * index]!;
    dealt[to + 1] = hashes[2 * index + 1]!;
    dealt[to + 2] = names.at(index);
  }
  release(hashes);
  return { dealt, ends: next };
}

/**
 * @param table to compare names of the same hash; the hash alone counts without it
 * @param slots at least twice as many as names, a power of two: a name's place plus one, 0 where none is
 */
function joinPart(
  table: NameTable | undefined,
  dealt: Uint32Array,
  start: number,
  end: number,
  slots: Int32Array,
  mayBegin: (name: number) => boolean,
  found: (name: number, first: number) => void,
): void {
  slots.fill(0);
  const mask = slots.length - 1;
  for (let at = start; at < end; at++) {
    const low = dealt[3 * at]!;
    const high = dealt[3 * at + 1]!;
    const name = dealt[3 * at + 2]!;
    let slot = low & mask;
    let first = -1;
    for (; slots[slot]! > 0 && first < 0; slot = (slot + 1) & mask) {
      const other = slots[slot]! - 1;
      const isLike = dealt[3 * other] === low && dealt[3 * other + 1] === high;
      if (isLike && table?.isSameText(dealt[3 * other + 2]!, name) !== false) first = dealt[3 * other + 2]!;
    }
    if (first < 0 && mayBegin(name)) {
      slots[slot] = at + 1;
      first = name;
    }
    found(name, first);
  }
}
