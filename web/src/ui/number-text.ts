/**
 * English number formatting without `Intl`, whose first use costs more than ten milliseconds, when the figures of a
 * chart are the first thing that users wait for. The tests compare it with `Intl`.
 */

/** With two decimals, larger numbers would no longer be exact integers. */
const maxWritten = 1e12;
/** Smaller numbers are printed with an exponent. */
const minPlain = 1e-6;
const units = ['', 'K', 'M', 'B', 'T'];

/**
 * "27,640", "0.34": rounded half away from zero, as the number reads in decimal.
 *
 * @param maxDecimals maximum number of decimals; at least `minDecimals` are written, even zeros
 */
export function numberText(value: number, maxDecimals = 0, minDecimals = 0): string {
  const size = Math.abs(value);
  if (!(size < maxWritten))
    return value.toLocaleString('en', { maximumFractionDigits: maxDecimals, minimumFractionDigits: minDecimals });
  const rounded = roundedTo(size, maxDecimals);
  const [whole, decimals] = splitAt(rounded, maxDecimals, minDecimals);
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
  return size < minPlain && size > 0 ? value.toLocaleString('en', threeDigits) : String(Number(value.toPrecision(3)));
}
const threeDigits = { maximumSignificantDigits: 3 } as const;

/**
 * The number in units of its last decimal: 12.345 with two decimals is 1235. Shifts the digits, because 1.005 times 100
 * is less than 100.5.
 */
function roundedTo(size: number, decimals: number): number {
  if (size < minPlain) return 0;
  return Math.round(Number(`${size}e${decimals}`));
}

function splitAt(rounded: number, maxDecimals: number, minDecimals: number): [whole: string, decimals: string] {
  const digits = String(rounded).padStart(maxDecimals + 1, '0');
  const split = digits.length - maxDecimals;
  let end = digits.length;
  while (end > split + minDecimals && digits[end - 1] === '0') end--;
  return [digits.slice(0, split), end > split ? `.${digits.slice(split, end)}` : ''];
}

const byteUnits = ['bytes', 'KB', 'MB', 'GB'] as const;

/** A number of bytes in decimal units: "412 MB", "1.2 GB". */
export function bytesText(bytes: number): string {
  const step = Math.min(byteUnits.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${byteUnits[step]}`;
}

/** A duration in its largest unit: "45 s", "12 min", "2 h". */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const ages = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const;

/** A relative time: "0 seconds ago", "1 minute ago", "3 days ago"; `undefined` is "never". */
export function agoText(ms: number | undefined): string {
  if (ms === undefined) return 'never';
  const age = ages.find((one) => ms >= one.ms) ?? ages[3];
  const count = Math.max(0, Math.floor(ms / age.ms));
  return `${count} ${age.unit}${count === 1 ? '' : 's'} ago`;
}

const formatOf = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat('en-US', options));
const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const dateFormat = formatOf({ ...day, ...clock });
const dayFormat = formatOf(day);
const clockFormat = formatOf(clock);

/** A date and time (ms since 1970) as "Nov 20, 2026, 09:30 AM" in the user's time zone. */
export const dateText = (time: number): string => dateFormat().format(time);

/** A day (ms since 1970) as "Nov 20, 2026" in the user's time zone. */
export const dayText = (time: number): string => dayFormat().format(time);

/** "2026-04-30" as "Apr 30, 2026". */
export const isoDayText = (text: string): string => dayFormat().format(new Date(`${text}T00:00`));

/** A time of day (ms since 1970) as "09:30 AM" in the user's time zone. */
export const clockText = (time: number): string => clockFormat().format(time);

/** "27,640" */
export const countText = (count: number): string => numberText(count);

/** The content of a file: "1 keyword", "27,640 keywords"; its nodes if the list of keywords is empty, "5,596 nodes". */
export function contentText({ keywords, nodes }: { readonly keywords: number; readonly nodes: number }): string {
  const [count, one] = keywords > 0 ? ([keywords, 'keyword'] as const) : ([nodes, 'node'] as const);
  return `${countText(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** How many entries of a file repeat a keyword. */
export const mergedText = (entries: number): string =>
  `${countText(entries)} ${entries === 1 ? 'entry' : 'entries'} merged`;

/**
 * Creates a value on first use. For `Intl` formats: the first one costs more than ten milliseconds, which must not
 * delay the first paint.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
