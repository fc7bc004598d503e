/**
 * XXH32 with seed 0. Detects damage, not tampering. Any change of a single byte changes the hash.
 *
 * Cost: about 3 GB/s if `bytes` starts on a multiple of four bytes in its buffer; otherwise the bytes are copied first.
 * Source: Yann Collet, "xxHash fast digest algorithm", version 0.1.1.
 */
export function xxh32(bytes: Uint8Array): number {
  const input = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(input.buffer, input.byteOffset, input.length >>> 2);
  const striped = words.length & ~3;
  let hash = prime5;
  if (striped > 0) {
    let lane0 = (prime1 + prime2) | 0;
    let lane1 = prime2;
    let lane2 = 0;
    let lane3 = -prime1 | 0;
    for (let word = 0; word < striped; word += 4) {
      lane0 = Math.imul(rotate((lane0 + Math.imul(words[word]!, prime2)) | 0, 13), prime1);
      lane1 = Math.imul(rotate((lane1 + Math.imul(words[word + 1]!, prime2)) | 0, 13), prime1);
      lane2 = Math.imul(rotate((lane2 + Math.imul(words[word + 2]!, prime2)) | 0, 13), prime1);
      lane3 = Math.imul(rotate((lane3 + Math.imul(words[word + 3]!, prime2)) | 0, 13), prime1);
    }
    hash = (rotate(lane0, 1) + rotate(lane1, 7) + rotate(lane2, 12) + rotate(lane3, 18)) | 0;
  }
  hash = (hash + input.length) | 0;
  for (let word = striped; word < words.length; word++) {
    hash = Math.imul(rotate((hash + Math.imul(words[word]!, prime3)) | 0, 17), prime4);
  }
  for (let index = 4 * words.length; index < input.length; index++) {
    hash = Math.imul(rotate((hash + Math.imul(input[index]!, prime5)) | 0, 11), prime1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const prime1 = 0x9e3779b1 | 0;
const prime2 = 0x85ebca77 | 0;
const prime3 = 0xc2b2ae3d | 0;
const prime4 = 0x27d4eb2f | 0;
const prime5 = 0x165667b1 | 0;

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));
