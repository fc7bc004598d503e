/**
 * How a member of the uploaded file is shown: any JSON value becomes one of these.
 *
 * `series` is a run of numbers worth a line (a trend), oldest first; `list` is short texts; `json` is everything nested.
 */
export type ShownValue =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'series'; readonly values: readonly number[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'json'; readonly text: string };

/** A line of fewer points says less than its numbers do. */
const shortestSeries = 6;

export function shownValue(value: unknown): ShownValue {
  if (value === null || value === undefined || value === '') return { kind: 'unknown' };
  if (typeof value === 'string') return shownText(value);
  if (typeof value === 'number') return { kind: 'text', text: plainNumber(value) };
  if (typeof value === 'boolean') return { kind: 'text', text: value ? 'yes' : 'no' };
  if (Array.isArray(value)) return shownArray(value);
  return { kind: 'json', text: JSON.stringify(value, null, 2) };
}

/** "search_volume" → "search volume"; the spelling of the file otherwise stays. */
export function shownLabel(member: string): string {
  return member.replaceAll(/[_\s]+/g, ' ').trim() || member;
}

function shownText(text: string): ShownValue {
  // Only addresses that a browser opens without running anything become links.
  return /^https?:\/\/\S+$/i.test(text) ? { kind: 'link', text, href: text } : { kind: 'text', text };
}

function shownArray(items: readonly unknown[]): ShownValue {
  if (items.length === 0) return { kind: 'unknown' };
  if (items.length >= shortestSeries && items.every((item): item is number => typeof item === 'number'))
    return { kind: 'series', values: items };
  if (items.every(isScalar)) return { kind: 'list', items: items.map(String) };
  return { kind: 'json', text: JSON.stringify(items, null, 2) };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Numbers of the file are shown as they stand, with thousands apart only where that cannot be misread. */
function plainNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 10_000 ? value.toLocaleString('en') : String(value);
}
