/** Whether two ranges of this length have the same bytes. Sixteen bytes behind each must be readable. */
export function isSame(at: usize, name: usize, length: i32): bool {
  while (length > 16) {
    if (!i8x16.all_true(i8x16.eq(v128.load(at), v128.load(name)))) return false;
    at += 16;
    name += 16;
    length -= 16;
  }
  const same = i8x16.bitmask(i8x16.eq(v128.load(at), v128.load(name)));
  return (~same & ((1 << length) - 1)) === 0;
}
