import { lazily } from './lazily.ts';
import { numberText } from './number-text.ts';

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** A number of bytes in decimal units: "412 MB", "1.2 GB". */
export function bytesText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
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

const dateFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

/** A date and time (ms since 1970) as "Nov 20, 2026, 09:30 AM" in the user's time zone. */
export const dateText = (time: number): string => dateFormat().format(time);

const clockFormat = lazily(() => new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' }));

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
