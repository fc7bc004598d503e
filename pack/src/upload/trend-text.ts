/** Values of a trend: a year. */
export const trendMonths = 12;

/**
 * Reads numbers that stand in a text one after the other, "0.67,0.81" or "[12, 9, 30]", without making strings.
 *
 * The last twelve are written to `last`, the last one at its end, NaN where nothing stands between two commas. A text with
 * anything else in it is no series.
 * @returns how many numbers there are, 0 for a text that is no series
 */
export function readSeries(bytes: Uint8Array, start: number, end: number, last: Float64Array): number {
  let [from, to] = trimmed(bytes, start, end);
  if (bytes[from] === OPEN && bytes[to - 1] === CLOSE && to - from >= 2) [from, to] = trimmed(bytes, from + 1, to - 1);
  if (from === to) return 0;
  let count = 0;
  for (let at = from; at <= to; at++) {
    const first = at;
    while (at < to && bytes[at] !== COMMA && bytes[at] !== SEMICOLON) at++;
    const value = numberAt(bytes, ...trimmed(bytes, first, at));
    if (value < 0) return 0;
    last.copyWithin(0, 1);
    last[last.length - 1] = value;
    count++;
  }
  return count;
}

const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const POINT = 0x2e;
/** A mantissa of so many digits, and a power of ten, are exact: their quotient is the nearest double. */
const maxDigits = 15;

/** NaN for nothing, -1 for what is no decimal number. */
function numberAt(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return Number.NaN;
  let mantissa = 0;
  let divisor = 1;
  let digits = 0;
  let isFraction = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === POINT && !isFraction) isFraction = true;
    else if (byte >= 0x30 && byte <= 0x39 && digits < maxDigits) {
      mantissa = 10 * mantissa + (byte - 0x30);
      if (isFraction) divisor *= 10;
      digits++;
    } else return -1;
  }
  return digits === 0 ? -1 : mantissa / divisor;
}

function trimmed(bytes: Uint8Array, start: number, end: number): [start: number, end: number] {
  let from = start;
  let to = end;
  while (from < to && bytes[from]! <= 0x20) from++;
  while (to > from && bytes[to - 1]! <= 0x20) to--;
  return [from, to];
}
