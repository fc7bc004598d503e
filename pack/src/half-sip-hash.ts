/**
 * HalfSipHash-2-4 with 64 bits of output: 32-bit arithmetic only, and with a secret key nobody can construct texts
 * that collide. Writes the first word of the output to `out[at]` and the second to `out[at + 1]`.
 *
 * Cost: no allocation, one load for four bytes.
 * Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, and its reference file halfsiphash.c.
 *
 * @param words the message, four bytes each, little end first; one word more than it fills (see `WordBuffer`)
 * @param length of the message in bytes; what stands behind it does not count
 */
export function halfSipHash(
  key0: number,
  key1: number,
  words: Int32Array,
  length: number,
  out: Uint32Array,
  at: number,
): void {
  let v0 = key0 | 0;
  let v1 = key1 ^ 0xee;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1;
  const last = length >>> 2;
  // The rounds are written out, because a call or a loop over them takes the state out of the registers.
  for (let index = 0; index <= last; index++) {
    const word = index < last ? words[index]! : lastWord(words[last]!, length);
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

/** What is left of the message, with the length's low byte on top. */
function lastWord(word: number, length: number): number {
  return (word & ((1 << (8 * (length & 3))) - 1)) | (length << 24);
}
