/**
 * Whether every fold leaves a name as it is: ASCII without capitals, its blanks single spaces between other signs. `false`
 * may also be said of a name that is; most names are told by four bytes at a time.
 */
export function isPlainName(bytes: DataView, start: number, end: number): boolean {
  if (end - start < 4) return isPlainEnd(bytes, start, end, 0x20);
  let before = 0x20;
  let index = start;
  for (; index + 4 <= end; index += 4) {
    const word = bytes.getInt32(index, true);
    // The high bit of a byte is set where it is beyond ASCII, is below a space, or is a capital. No sum carries over:
    // bytes beyond ASCII are told by the word itself.
    const high = word | ~(word + 0x60606060) | ((word + 0x3f3f3f3f) & ~(word + 0x25252525));
    if ((high & 0x80808080) !== 0) return false;
    // Spaces are bytes of which nothing but 0x20 is set; other signs below 0x40 differ in the low bits.
    const other = word ^ 0x20202020;
    const spaces = ~(other + 0x7f7f7f7f) & 0x80808080;
    if (spaces !== 0 && ((spaces & (spaces << 8)) !== 0 || ((spaces & 0x80) !== 0 && before === 0x20))) return false;
    before = word >>> 24;
  }
  return isPlainEnd(bytes, index, end, before);
}

/** The last few bytes. @param before the byte in front of them, a space at the beginning */
function isPlainEnd(bytes: DataView, start: number, end: number, before: number): boolean {
  let last = before;
  for (let index = start; index < end; index++) {
    const byte = bytes.getUint8(index);
    if (byte < 0x20 || byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) || (byte === 0x20 && last === 0x20)) return false;
    last = byte;
  }
  return last !== 0x20;
}
