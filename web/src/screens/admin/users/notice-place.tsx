import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import type { ReactNode } from 'react';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import type { Change } from './changes.ts';
import { type Notice, namesText } from './notices.ts';

type Props = {
  readonly notice: Notice | undefined;
  /** Changes that are being saved and do not show in the list yet. */
  readonly saving: number;
  /** How many of them are saved already. */
  readonly saved: number;
  readonly onDismiss: () => void;
  readonly onUndo: (changes: readonly Change[]) => void;
  /** Buttons that an error banner offers. */
  readonly recovery: ReactNode;
};

/**
 * What was done, over the head of the tab: it pushes nothing, because somebody who works off a list with the pointer
 * must not have it moved from under it.
 */
export function NoticePlace({ notice, saving, saved, onDismiss, onUndo, recovery }: Props) {
  return (
    <div className="pointer-events-none sticky top-15 z-30 h-0">
      {saving > 0 && (
        <div className="pointer-events-auto absolute inset-x-0 -top-1 max-w-2xl rounded-control shadow-2">
          <Banner tone="info">{say('account/bulk-saving', { count: saving, saved })}</Banner>
        </div>
      )}
      {notice && saving === 0 && (
        <div className="pointer-events-auto absolute inset-x-0 -top-1 max-w-2xl rounded-control shadow-2">
          <Banner
            key={notice.id}
            tone={notice.tone}
            onDismiss={onDismiss}
            {...(notice.failures?.length ? {} : { lifeMs: limits.bannerMs })}
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
    </div>
  );
}

type UndoProps = {
  readonly undo: readonly Change[];
  readonly who: readonly string[];
  readonly onUndo: (changes: readonly Change[]) => void;
};

/** A run of single changes is taken back from its end or as a whole; what was done at once, at once. */
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
