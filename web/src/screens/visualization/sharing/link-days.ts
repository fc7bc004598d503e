import { type LinkKind, linkDays } from '@kc/rules/link';

/** The days that somebody typed, or undefined if a link of this kind cannot live that long. */
export function daysIn(text: string, kind: LinkKind): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= linkDays[kind].most ? days : undefined;
}
