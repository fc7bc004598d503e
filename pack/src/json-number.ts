// Numbers of JSON, RFC 8259 §6: the short ones in one go, any other one byte at a time.

const MINUS = 0x2d;
const POINT_SIGN = 0x2e;
const ZERO_DIGIT = 0x30;
const NINE_DIGIT = 0x39;
const MAX_SHORT_DIGITS = 9;

/** Powers of ten that a double holds exactly, so that dividing by one rounds once. */
const powers = Float64Array.from({ length: MAX_SHORT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** Where a decimal of up to nine digits ends; 0 for any other number, and for one that may go on after `end`. */
export function endOfShortDecimal(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const point = endOfDigits(bytes, first, end);
  if (point === first || point === end || (bytes[first] === ZERO_DIGIT && point > first + 1)) return 0;
  if (bytes[point] !== POINT_SIGN) return point - first > MAX_SHORT_DIGITS || isExponent(bytes[point]!) ? 0 : point;
  const stop = endOfDigits(bytes, point + 1, end);
  const isShort = stop > point + 1 && stop - first - 1 <= MAX_SHORT_DIGITS;
  return isShort && stop < end && !isExponent(bytes[stop]!) ? stop : 0;
}

/** The value of what `endOfShortDecimal` found. */
export function shortDecimal(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS;
  let digits = 0;
  let point = end - 1;
  for (let i = isNegative ? start + 1 : start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === POINT_SIGN) point = i;
    else digits = (digits * 10 + (byte - ZERO_DIGIT)) | 0;
  }
  const value = point === end - 1 ? digits : digits / powers[end - 1 - point]!;
  return isNegative ? -value : value;
}

function endOfDigits(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i]! >= ZERO_DIGIT && bytes[i]! <= NINE_DIGIT) i++;
  return i;
}

export const NUMBER_START = 0;
const SIGN = 1;
const ZERO = 2;
const INTEGER = 3;
const POINT = 4;
const FRACTION = 5;
const EXPONENT = 6;
const EXPONENT_SIGN = 7;
const EXPONENT_DIGITS = 8;

/** The state after `byte`, or -1 when the number cannot go on with it. */
export function nextNumberState(state: number, byte: number): number {
  const digit = byte >= 0x30 && byte <= 0x39;
  switch (state) {
    case NUMBER_START:
      return byte === 0x2d ? SIGN : firstDigit(byte, digit);
    case SIGN:
      return firstDigit(byte, digit);
    case INTEGER:
      return digit ? INTEGER : afterInteger(byte);
    case ZERO:
      return afterInteger(byte);
    case POINT:
    case FRACTION:
      if (digit) return FRACTION;
      return state === FRACTION && isExponent(byte) ? EXPONENT : -1;
    case EXPONENT:
      if (byte === 0x2b || byte === 0x2d) return EXPONENT_SIGN;
      return digit ? EXPONENT_DIGITS : -1;
    default:
      return digit ? EXPONENT_DIGITS : -1;
  }
}

/** Whether a number may end here. */
export function numberIsWhole(state: number): boolean {
  return state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT_DIGITS;
}

function firstDigit(byte: number, digit: boolean): number {
  if (byte === 0x30) return ZERO;
  return digit ? INTEGER : -1;
}

function afterInteger(byte: number): number {
  if (byte === 0x2e) return POINT;
  return isExponent(byte) ? EXPONENT : -1;
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45;
}
