import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { type ReactNode, useRef, useState } from 'react';
import { Banner, BannerButton, type BannerTone } from '../../../ui/banner.tsx';
import { InMessagePlace } from '../../../ui/toast.tsx';
import type { Change } from './account-changes.ts';

type Props = {
  readonly notice: Notice | undefined;
  /** Number of changes that are being saved and not shown in the list yet. */
  readonly saving: number;
  /** How many of them are already saved. */
  readonly saved: number;
  readonly onDismiss: () => void;
  readonly onUndo: (changes: readonly Change[]) => void;
  /** Buttons shown in error banners. */
  readonly recovery: ReactNode;
};

/**
 * The notice, in the header of the page: above the list it would shift it under the pointer of somebody who is working
 * through it, and over the list it would cover it.
 */
export function NoticePlace({ notice, saving, saved, onDismiss, onUndo, recovery }: Props) {
  return (
    <InMessagePlace>
      {saving > 0 && (
        <div className="w-full max-w-2xl">
          <Banner tone="info">{say('account/bulk-saving', { count: saving, saved })}</Banner>
        </div>
      )}
      {notice && saving === 0 && (
        <div className="w-full max-w-2xl">
          <Banner
            key={notice.id}
            tone={notice.tone}
            onDismiss={onDismiss}
            {...(notice.failures?.length ? {} : { lifeMs: lifeOf(notice) })}
            actions={
              <>
                <UndoButtons undo={notice.undo ?? []} who={notice.who} onUndo={onUndo} />
                {notice.tone === 'error' && recovery}
              </>
            }
          >
            <p>{notice.text}</p>
            {notice.who.length > 0 && <p className="text-small">{namesText(notice.who)}</p>}
            {notice.failures && notice.failures.length > 0 && <Failures failures={notice.failures} />}
          </Banner>
        </div>
      )}
    </InMessagePlace>
  );
}

/** A change of many accounts takes longer to review than one. */
const lifeOf = ({ undo = [] }: Notice): number => limits.bannerMs * (undo.length > 1 ? 6 : 1);

type UndoProps = {
  readonly undo: readonly Change[];
  readonly who: readonly string[];
  readonly onUndo: (changes: readonly Change[]) => void;
};

/** Consecutive single changes can be undone one at a time or all at once; a bulk change only as a whole. */
function UndoButtons({ undo, who, onUndo }: UndoProps) {
  if (undo.length === 0) return null;
  if (undo.length === 1) return <BannerButton onClick={() => onUndo(undo)}>Undo</BannerButton>;
  return (
    <>
      {who.length > 1 && <BannerButton onClick={() => onUndo(undo.slice(-1))}>Undo last</BannerButton>}
      <BannerButton onClick={() => onUndo(undo)}>Undo all {undo.length}</BannerButton>
    </>
  );
}

function Failures({ failures }: { readonly failures: NonNullable<Notice['failures']> }) {
  return (
    <ul className="mt-1 max-h-40 list-none overflow-y-auto text-small">
      {failures.map(({ email, text }) => (
        <li key={email}>
          {email}: {text}
        </li>
      ))}
    </ul>
  );
}

/** A message about something that was done. */
export type NewNotice = {
  readonly tone: BannerTone;
  readonly text: string;
  /** The account's email, if the text does not name it. */
  readonly who?: string;
  /** Accounts that were not changed, and why. */
  readonly failures?: readonly { readonly email: string; readonly text: string }[];
  /** The changes that undo it, in the order it was done. */
  readonly undo?: readonly Change[];
};

type Notice = Omit<NewNotice, 'who'> & { readonly id: number; readonly who: readonly string[] };

/**
 * The notice after `next`, while `last` is still shown. Repeating the same change on several accounts, as when working
 * through a queue, gives one combined notice that can undo the last change or all of them.
 */
export function noticeAfter(last: Notice | undefined, next: NewNotice): Notice {
  const alone: Notice = { ...next, id: (last?.id ?? 0) + 1, who: next.who === undefined ? [] : [next.who] };
  const isSameKind = last && next.who !== undefined && last.who.length > 0 && last.text === next.text;
  if (!isSameKind) return alone;
  return { ...alone, who: [...last.who, next.who], undo: [...(last.undo ?? []), ...(next.undo ?? [])] };
}

/** "ann@…", "ann@… and ben@…", "ben@… and 4 others": the last one is always named. */
export function namesText(who: readonly string[]): string {
  const last = who.at(-1) ?? '';
  if (who.length <= 1) return last;
  return who.length === 2 ? `${who[0]} and ${last}` : `${last} and ${who.length - 1} others`;
}

/** The current notice, and functions to show and dismiss one. `current` is a ref for callbacks that run later. */
export function useNotices() {
  const [notice, setNotice] = useState<Notice>();
  const current = useRef(notice);
  current.current = notice;
  const [notify] = useState(() => (next: NewNotice) => setNotice((last) => noticeAfter(last, next)));
  const [dismiss] = useState(() => () => setNotice(undefined));
  return { notice, current, notify, dismiss };
}
