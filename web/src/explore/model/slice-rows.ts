import type { Slice } from '@kc/pack/slice/slice';

/** The name of a row of a slice that is not merged. */
export function nameIn(slice: Slice, row: number): string {
  return utf8.decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1]));
}

/** 16 hex digits. */
export function addressIn({ address }: Slice, row: number): string {
  const half = (part: number) => address[2 * row + part]!.toString(16).padStart(8, '0');
  return half(0) + half(1);
}

const utf8 = new TextDecoder();
