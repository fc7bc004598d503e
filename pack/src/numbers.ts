const UNKNOWN = Number.NaN;
const MULTIPLES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };
/** A number as people write it, its thousands and decimal signs still in it, and what may follow it. */
const FIGURE = /^[<>≤≥~≈]?\s*[=]?\s*[$€£¥₫]?\s*(-?[\d.,'’\s]*\d)\s*([kmb])?\s*\+?\s*[%$€£¥₫]?$/iu;
const RANGE = /\s*[–—]\s*|\s+-\s+|(?<=[\dkmb])\s*-\s*(?=\d)|\s+to\s+/iu;

/**
 * A number as keyword tools print it; NaN when the text names none ("", "n/a", "-").
 *
 * "1,300" is 1300, "1K – 10K" and "0-10" the middle of the range, ">1k" its bound, "33.33%" 33.33, "1,5" 1.5. A comma or
 * a point before exactly three digits separates thousands where it is a comma or stands more than once.
 *
 * Source: fields.md, "volume".
 */
export function numberOfText(text: string): number {
  const bounds = text.trim().split(RANGE);
  if (bounds.length === 2) return (figure(bounds[0]!) + figure(bounds[1]!)) / 2;
  return bounds.length === 1 ? figure(bounds[0]!) : UNKNOWN;
}

/** Digits with at most one point, read from the bytes without making a string; any other text goes the long way. */
export function numberOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let i = start;
  while (i < end && bytes[i]! >= 0x30 && bytes[i]! <= 0x39) value = value * 10 + (bytes[i++]! - 0x30);
  if (i === end && i > start && end - start <= 15) return value;
  return end - start > MAX_BYTES ? UNKNOWN : numberOfText(new TextDecoder().decode(bytes.subarray(start, end)));
}

/** No figure is written longer; what is longer is prose. */
const MAX_BYTES = 64;

function figure(text: string): number {
  const match = FIGURE.exec(text.trim());
  if (!match) return UNKNOWN;
  const value = Number(plainDecimal(match[1]!));
  return Number.isFinite(value) ? value * (MULTIPLES[match[2]?.toLowerCase() ?? ''] ?? 1) : UNKNOWN;
}

/** The digits with a point for the decimals, whatever separated them. */
function plainDecimal(digits: string): string {
  const plain = digits.replace(/['’\s]/gu, '');
  const comma = plain.lastIndexOf(',');
  const point = plain.lastIndexOf('.');
  if (comma >= 0 && point >= 0) {
    const [thousands, decimal] = comma > point ? ['.', ','] : [',', '.'];
    return plain.replaceAll(thousands, '').replace(decimal, '.');
  }
  if (comma >= 0) return /^-?\d{1,3}(,\d{3})+$/u.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.');
  return /^-?\d{1,3}(\.\d{3}){2,}$/u.test(plain) ? plain.replaceAll('.', '') : plain;
}
