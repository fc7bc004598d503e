import { compactText, numberText, significantText } from '../../ui/number-text.ts';

/** Formats the numbers of the explorer. Unknown (undefined or NaN) is always this word, never 0. */
export const unknown = 'unknown';

/** "27,640" */
export function exact(value: number | undefined): string {
  return isKnown(value) ? numberText(value) : unknown;
}

/** "27.6K" */
export function compact(value: number | undefined): string {
  return isKnown(value) ? compactText(value) : unknown;
}

/** At most two decimals, but three significant digits of what is below one: "1.25", "37", "0.00342". */
export function decimal(value: number | undefined): string {
  if (!isKnown(value)) return unknown;
  return Math.abs(value) < 1 ? significantText(value) : numberText(value, 2);
}

/** A mean of integers, at most one decimal: "41.3", "37". */
export function mean(value: number | undefined): string {
  return isKnown(value) ? numberText(value, 1) : unknown;
}

/** Always two decimals, without a currency, because the file does not name it: "0.34", "12.00". */
export function money(value: number | undefined): string {
  return isKnown(value) ? numberText(value, 2, 2) : unknown;
}

/** "12.5 %"; a share that would round to zero is "< 0.1 %". There is no share without a total. */
export function share(part: number | undefined, whole: number | undefined): string {
  if (!isKnown(part) || !isKnown(whole) || whole <= 0) return unknown;
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent >= 99.95 || percent === 0 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** "1 keyword", "27,640 keywords" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${exact(count)} ${count === 1 ? one : many}`;
}

/** "known for 20 of 27,640"; undefined if nothing is unknown. */
export function knownFor(known: number, of: number): string | undefined {
  return known >= of ? undefined : `known for ${exact(known)} of ${exact(of)}`;
}

export function isKnown(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
