/**
 * HalfSipHash-1-3 with 64 bits of output: half the work of `half-sip-hash.ts`, for tables that live as long as an
 * ingest. Without the secret key nobody can construct texts that collide; equal hashes are still compared byte by byte.
 * Writes the first word of the output to `out[at]` and the second to `out[at + 1]`.
 *
 * Source: Aumasson and Bernstein, as in that file. The Linux kernel uses one round per word and three final rounds for
 * its hash tables (Documentation/security/siphash.rst).
 *
 * @param bytes contains the message from `start` to `end`
 */
export function nameHash(
  key0: number,
  key1: number,
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
  const lastWord = start + ((end - start) & ~3);
  // The round is unrolled, because a call would move the state out of the registers.
  for (let index = start; ; index += 4) {
    let word: number;
    if (index < lastWord) word = bytes.getInt32(index, true);
    else {
      // The remaining bytes of the message, with the low byte of its length on top.
      word = (end - start) << 24;
      for (let left = end - 1; left >= index; left--) word |= bytes.getUint8(left) << (8 * (left - index));
    }
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
    v0 ^= word;
    if (index >= lastWord) break;
  }
  v2 ^= 0xee;
  for (let round = 0; round < 6; round++) {
    if (round === 3) {
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
