/**
 * The WebAssembly SIMD version of the loop in `cluster/src/features/row-products.ts`: products of one row of bytes with
 * others.
 *
 * @param own the address of the row, filled up with zeros to a multiple of 16 bytes
 * @param width how many bytes a row has
 * @param rows the address of all rows, back to back; up to 15 bytes behind the last one are read
 * @param chosen the address of the numbers of `count` rows, as i32
 * @param found the address of the products, as i32
 */
export function multiply(own: usize, width: usize, rows: usize, chosen: usize, count: usize, found: usize): void {
  for (let at: usize = 0; at < count << 2; at += 4) {
    const row = rows + width * <usize>load<u32>(chosen + at);
    let sums = i32x4.splat(0);
    for (let place: usize = 0; place < width; place += 16) {
      const left = v128.load(own + place);
      const right = v128.load(row + place);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_low_i8x16_s(left, right)));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_high_i8x16_s(left, right)));
    }
    store<i32>(
      found + at,
      i32x4.extract_lane(sums, 0) +
        i32x4.extract_lane(sums, 1) +
        i32x4.extract_lane(sums, 2) +
        i32x4.extract_lane(sums, 3),
    );
  }
}
