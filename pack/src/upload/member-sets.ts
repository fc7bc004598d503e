/**
 * Sets of members of a field, one of 64 bits a row: two numbers of 32, the low half first. Bit `n` stands for the member
 * `n + 1` in the list of the field's values, whose first one is empty.
 */
export const mostMembers = 64;

/** The members of a set, rising; 0 is none of them. */
export function eachMember(low: number, high: number, take: (member: number) => void): void {
  for (let bits = low; bits !== 0; bits &= bits - 1) take(32 - Math.clz32(bits & -bits));
  for (let bits = high; bits !== 0; bits &= bits - 1) take(64 - Math.clz32(bits & -bits));
}

export const hasMembers = (sets: Uint32Array, row: number): boolean => (sets[2 * row]! | sets[2 * row + 1]!) !== 0;

/** @param member from 1 */
export function addMember(sets: Uint32Array, row: number, member: number): void {
  sets[2 * row + ((member - 1) >>> 5)]! |= 1 << ((member - 1) & 31);
}

/** 0 for the empty set. */
export const lastMember = (low: number, high: number): number =>
  high !== 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
