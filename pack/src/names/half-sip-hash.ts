/**
 * The secret halves of a hash key: 32 random bits each, new for every ingest, so that no file can be crafted to cause
 * collisions.
 */
export type HashKey = readonly [number, number];

/**
 * HalfSipHash-2-4 with 64 bits of output. Uses only 32-bit arithmetic; without the secret key, nobody can construct
 * texts that collide. Writes the first word of the output to `out[at]` and the second to `out[at + 1]`.
 *
 * Cost: no allocation, no copy, one load per four bytes at any alignment.
 * Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, and its reference file halfsiphash.c.
 *
 * @param bytes contains the message from `start` to `end`
 */
export function halfSipHash(
  key0: number,
  key1: number,
  bytes: DataView,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): void {
  hash(key0, key1, 0, 0, 0, bytes, start, end, out, at);
}

/** {@link halfSipHash} of a message that starts with two little-endian words before the bytes. */
export function halfSipHashAfter(
  key0: number,
  key1: number,
  first: number,
  second: number,
  bytes: DataView,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): void {
  hash(key0, key1, 2, first, second, bytes, start, end, out, at);
}

function hash(
  key0: number,
  key1: number,
  ahead: 0 | 2,
  first: number,
  second: number,
  bytes: DataView,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): void {
  let v0 = key0 | 0;
  let v1 = key1 ^ 0xee;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1;
  const last = (end - start) >>> 2;
  // The rounds are unrolled, because a call or a loop would move the state out of the registers.
  for (let index = -ahead; index <= last; index++) {
    let word: number;
    if (index < 0) word = index === -2 ? first : second;
    else if (index < last) word = bytes.getInt32(start + 4 * index, true);
    else word = lastWord(bytes, start + 4 * last, end) | ((end - start + 4 * ahead) << 24);
    v3 ^= word;

    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);

    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);

    v0 ^= word;
  }
  v2 ^= 0xee;
  for (let round = 0; round < 8; round++) {
    if (round === 4) {
      out[at] = v1 ^ v3;
      v1 ^= 0xdd;
    }
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  out[at + 1] = v1 ^ v3;
}

/** The remaining bytes of the message, with the low byte of its length on top. */
function lastWord(bytes: DataView, from: number, end: number): number {
  let word = 0;
  for (let index = end - 1; index >= from; index--) word = (word << 8) | bytes.getUint8(index);
  return word;
}
