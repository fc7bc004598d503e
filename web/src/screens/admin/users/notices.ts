import type { BannerTone } from '../../../ui/banner.tsx';
import type { Change } from './changes.ts';

/** What is said of something that was done. */
export type NewNotice = {
  readonly tone: BannerTone;
  readonly text: string;
  /** Whom it is about, where the text does not say. */
  readonly who?: string;
  /** Who was left as they were, and why. */
  readonly failures?: readonly { readonly email: string; readonly text: string }[];
  /** The changes that take it back, in the order it was done. */
  readonly undo?: readonly Change[];
};

export type Notice = Omit<NewNotice, 'who'> & { readonly id: number; readonly who: readonly string[] };

/**
 * The notice to show after `next`, while `last` is shown still. Somebody who works off a queue does the same again and
 * again: it is said once for all of them, and can be taken back for the last or for all.
 */
export function noticeAfter(last: Notice | undefined, next: NewNotice): Notice {
  const alone: Notice = { ...next, id: (last?.id ?? 0) + 1, who: next.who === undefined ? [] : [next.who] };
  const goesOn = last && next.who !== undefined && last.who.length > 0 && last.text === next.text;
  if (!goesOn) return alone;
  return { ...alone, who: [...last.who, next.who], undo: [...(last.undo ?? []), ...(next.undo ?? [])] };
}

/** "ann@…", "ann@… and ben@…", "ben@… and 4 others": the last one is always named. */
export function namesText(who: readonly string[]): string {
  const last = who.at(-1) ?? '';
  if (who.length <= 1) return last;
  return who.length === 2 ? `${who[0]} and ${last}` : `${last} and ${who.length - 1} others`;
}
