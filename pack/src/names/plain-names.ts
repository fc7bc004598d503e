/**
 * Whether every fold leaves a name unchanged: ASCII without capitals, and no white space except single spaces between
 * other characters. May return `false` for some unchanged names. Most names are checked four bytes at a time.
 */
export function isPlainName(bytes: DataView, start: number, end: number): boolean {
  if (end - start < 4) return isPlainEnd(bytes, start, end, 0x20);
  let before = 0x20;
  let index = start;
  for (; index + 4 <= end; index += 4) {
    const word = bytes.getInt32(index, true);
    // The high bit of a byte is set for non-ASCII, for characters below a space, and for capitals. No sum carries over,
    // because the word itself marks the non-ASCII bytes.
    const high = word | ~(word + 0x60606060) | ((word + 0x3f3f3f3f) & ~(word + 0x25252525));
    if ((high & 0x80808080) !== 0) return false;
    // In a space only bit 0x20 is set; other characters below 0x40 differ in the low bits.
    const other = word ^ 0x20202020;
    const spaces = ~(other + 0x7f7f7f7f) & 0x80808080;
    if (spaces !== 0 && ((spaces & (spaces << 8)) !== 0 || ((spaces & 0x80) !== 0 && before === 0x20))) return false;
    before = word >>> 24;
  }
  return isPlainEnd(bytes, index, end, before);
}

/** Checks the last few bytes. @param before the byte in front of them; a space at the start of the name */
function isPlainEnd(bytes: DataView, start: number, end: number, before: number): boolean {
  let last = before;
  for (let index = start; index < end; index++) {
    const byte = bytes.getUint8(index);
    if (byte < 0x20 || byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) || (byte === 0x20 && last === 0x20)) return false;
    last = byte;
  }
  return last !== 0x20;
}
