/**
 * Numbers as English writes them, without `Intl`: its first use costs a browser more than ten milliseconds, and the
 * numbers of a picture are the first thing that anybody waits for. The tests hold them to `Intl`.
 */

/** With two decimals larger ones would be no whole numbers any more that can be told apart. */
const mostWritten = 1e12;
/** Smaller numbers have an exponent as text. */
const leastPlain = 1e-6;
const units = ['', 'K', 'M', 'B', 'T'];

/**
 * "27,640", "0.34": rounded half away from zero, as the number reads in decimals.
 *
 * @param most decimals; of them `least` are written though they are zero
 */
export function numberText(value: number, most = 0, least = 0): string {
  const size = Math.abs(value);
  if (!(size < mostWritten))
    return value.toLocaleString('en', { maximumFractionDigits: most, minimumFractionDigits: least });
  const rounded = roundedTo(size, most);
  const [whole, decimals] = splitAt(rounded, most, least);
  return `${value < 0 && rounded > 0 ? '-' : ''}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${decimals}`;
}

/** "18.6K", "165.8K", "12.6M": one decimal at most. */
export function compactText(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  while (unit < units.length - 1 && roundedTo(size, 1) >= 10_000) {
    size /= 1000;
    unit++;
  }
  return `${numberText(Math.sign(value) * size, 1)}${units[unit]}`;
}

/** "18.6K", "4.1", "0.25": a figure that need not be whole, as short as says enough. */
export function compactFigure(value: number): string {
  const size = Math.abs(value);
  if (size >= 1 || size === 0) return compactText(value);
  return size < leastPlain ? value.toLocaleString('en', twoDigits) : String(Number(value.toPrecision(2)));
}
const twoDigits = { maximumSignificantDigits: 2 } as const;

/** A size in its last decimal: 12.345 to two decimals is 1235. Moved by its digits, for 1.005 times 100 is less than 100.5. */
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
