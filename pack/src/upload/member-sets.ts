/**
 * Sets of the members of a field, as one 64-bit set per row: two 32-bit numbers, the low half first. Bit `n` represents
 * member `n + 1` in the field's list of values, whose first value is empty.
 */
export const maxMembers = 64;

/** Calls `take` for each member of a set, in ascending order. Member 0 never occurs. */
export function eachMember(low: number, high: number, take: (member: number) => void): void {
  for (let bits = low; bits !== 0; bits &= bits - 1) take(32 - Math.clz32(bits & -bits));
  for (let bits = high; bits !== 0; bits &= bits - 1) take(64 - Math.clz32(bits & -bits));
}

export const hasMembers = (sets: Uint32Array, row: number): boolean => (sets[2 * row]! | sets[2 * row + 1]!) !== 0;

/** @param member from 1 */
export function addMember(sets: Uint32Array, row: number, member: number): void {
  sets[2 * row + ((member - 1) >>> 5)]! |= 1 << ((member - 1) & 31);
}

/** The highest member, or 0 for the empty set. */
export const lastMember = (low: number, high: number): number =>
  high !== 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
