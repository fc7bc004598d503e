/**
 * English number formatting without `Intl`, whose first use costs more than ten milliseconds, when the figures of a
 * chart are the first thing that users wait for. The tests compare it with `Intl`.
 */

/** With two decimals, larger numbers would no longer be exact integers. */
const mostWritten = 1e12;
/** Smaller numbers are printed with an exponent. */
const leastPlain = 1e-6;
const units = ['', 'K', 'M', 'B', 'T'];

/**
 * "27,640", "0.34": rounded half away from zero, as the number reads in decimal.
 *
 * @param most maximum number of decimals; at least `least` are written, even zeros
 */
export function numberText(value: number, most = 0, least = 0): string {
  const size = Math.abs(value);
  if (!(size < mostWritten))
    return value.toLocaleString('en', { maximumFractionDigits: most, minimumFractionDigits: least });
  const rounded = roundedTo(size, most);
  const [whole, decimals] = splitAt(rounded, most, least);
  return `${value < 0 && rounded > 0 ? '-' : ''}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${decimals}`;
}

/** "18.6K", "165.8K", "12.6M": at most one decimal. */
export function compactText(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  while (unit < units.length - 1 && roundedTo(size, 1) >= 10_000) {
    size /= 1000;
    unit++;
  }
  return `${numberText(Math.sign(value) * size, 1)}${units[unit]}`;
}

/** "18.6K", "4.1", "0.0342": a short form of a figure that need not be an integer. */
export function compactFigure(value: number): string {
  const size = Math.abs(value);
  if (size >= 1 || size === 0) return compactText(value);
  return significantText(value);
}

/** "0.00342", "12.3", "1,230": three significant digits. */
export function significantText(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return numberText(Number(value.toPrecision(3)));
  return size < leastPlain && size > 0 ? value.toLocaleString('en', threeDigits) : String(Number(value.toPrecision(3)));
}
const threeDigits = { maximumSignificantDigits: 3 } as const;

/**
 * The number in units of its last decimal: 12.345 with two decimals is 1235. Shifts the digits, because 1.005 times 100
 * is less than 100.5.
 */
function roundedTo(size: number, decimals: number): number {
  if (size < leastPlain) return 0;
  return Math.round(Number(`${size}e${decimals}`));
}

function splitAt(rounded: number, most: number, least: number): [whole: string, decimals: string] {
  const digits = String(rounded).padStart(most + 1, '0');
  const split = digits.length - most;
  let end = digits.length;
  while (end > split + least && digits[end - 1] === '0') end--;
  return [digits.slice(0, split), end > split ? `.${digits.slice(split, end)}` : ''];
}
