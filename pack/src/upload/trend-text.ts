/** The number of values in a trend: one year. */
export const trendMonths = 12;

/**
 * Reads a text of consecutive numbers, "0.67,0.81" or "[12, 9, 30]", without creating strings.
 *
 * Shifts the numbers into `last` from its end, so that it ends with the last ones; an empty place between two commas is NaN. With fewer
 * numbers than `last` holds, its beginning keeps what it had. A text that contains anything else is not a series.
 *
 * @returns the count of numbers, empty places included; 0 if the text is not a series, after which `last` means nothing
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
/** A mantissa and a power of ten with at most this many digits are exact, so their quotient is the nearest double. */
const maxDigits = 15;

/** Returns NaN for an empty range, -1 if it is not a decimal number. */
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
