// JSON numbers (RFC 8259 §6): their values, and their grammar one byte at a time.

const MINUS = 0x2d;
const POINT_SIGN = 0x2e;
/** Mantissas with at most this many digits are below 2^53. */
const maxExactDigits = 15;

/** Powers of ten that a double represents exactly, so that dividing by one rounds only once. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** The exactly rounded value of a valid number; NaN if it is too large for a double. */
export function decimalOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > maxExactDigits + 2) return parsedDecimal(bytes, start, end);
  let mantissa = 0;
  let digits = 0;
  let point = end;
  for (let i = bytes[start] === MINUS ? start + 1 : start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === POINT_SIGN) point = i + 1;
    else if (isExponent(byte)) return parsedDecimal(bytes, start, end);
    else {
      mantissa = mantissa * 10 + (byte - 0x30);
      digits++;
    }
  }
  if (digits > maxExactDigits) return parsedDecimal(bytes, start, end);
  const value = mantissa / powers[end - point]!;
  return bytes[start] === MINUS ? -value : value;
}

function parsedDecimal(bytes: Uint8Array, start: number, end: number): number {
  const value = Number(new TextDecoder().decode(bytes.subarray(start, end)));
  return Number.isFinite(value) ? value : Number.NaN;
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

/** The state after `byte`, or -1 if the number cannot continue with it. */
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
