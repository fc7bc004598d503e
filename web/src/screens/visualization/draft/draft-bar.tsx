import { say, sayRefusal } from '@kc/rules/all-messages';
import { progressTexts } from '@kc/rules/upload';
import { Check, Redo2, SquareDashed, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { keyName } from '../../../ui/key-names.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { dateText } from '../../../ui/quantity-text.ts';
import { useCanEdit, useDraft, useDraftEditor, useEditing } from './draft-context.ts';
import { Granularity } from './granularity.tsx';
import { PublishButton } from './publish-button.tsx';

/** How long a change takes before the page says that it is being saved. */
const savingAfterMs = 300;
const warnBeforeMs = 7 * 86_400_000;
/** What a published map has done once its bytes are received. */
const publishingPercent = 70;

/** The bar of a draft: that it is one, whether it is saved, undo and redo, publishing, granularity. */
export function DraftBar({ isSmall }: { isSmall: boolean }) {
  const draft = useDraft();
  return (
    <section aria-label="Draft" className="shrink-0 border-b border-warn bg-warn-soft text-ink">
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 max-md:gap-x-2">
        <p className="m-0 flex min-w-0 items-center gap-2">
          <span className="flex shrink-0 items-center gap-1.5 font-semibold text-small text-warn">
            <SquareDashed size={18} strokeWidth={1.75} aria-hidden="true" />
            Draft
          </span>
          <bdi className="truncate font-semibold" title={draft.name}>
            {draft.name}
          </bdi>
        </p>
        <p className="m-0 text-micro text-muted max-lg:sr-only">Only you and administrators see it.</p>
        <SavedState isSmall={isSmall} />
        <span className="ml-auto flex items-center gap-1">
          <HistoryButtons />
          <PublishButton />
        </span>
      </div>
      <div className="flex items-center border-warn/30 border-t px-3 py-1 empty:hidden">
        <Granularity isSmall={isSmall} />
      </div>
      <Publishing />
      <Notices />
    </section>
  );
}

/** Saved, Saving… or Not saved. Trying again. */
function SavedState({ isSmall }: { isSmall: boolean }) {
  const isPending = useEditing(({ edits }) => edits.pending.length > 0);
  const isLost = useEditing(({ edits }) => edits.isLost);
  const isLate = useLate(isPending);
  return (
    <p role="status" className={`m-0 shrink-0 text-small ${isLost ? 'font-medium text-bad' : 'text-muted'}`}>
      {isLost ? 'Not saved. Trying again.' : isLate ? 'Saving…' : <Saved isSmall={isSmall} />}
    </p>
  );
}

/** On a phone a sign takes the place of the word. */
function Saved({ isSmall }: { isSmall: boolean }) {
  if (!isSmall) return 'Saved';
  return (
    <>
      <Check size={16} strokeWidth={2} aria-hidden="true" />
      <span className="sr-only">Saved</span>
    </>
  );
}

/** Whether something has lasted long enough to be worth a word. */
function useLate(isOn: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isOn) return setLate(false);
    const timer = setTimeout(() => setLate(true), savingAfterMs);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLate;
}

function HistoryButtons() {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { revision } = useDraft();
  // What waits can be undone as soon as it is done.
  const isPending = useEditing(({ edits }) => edits.pending.length > 0);
  return (
    <>
      <IconButton
        size="dense"
        label={`Undo (${keyName('⌘Z')})`}
        disabled={!canEdit || !(revision?.canUndo || isPending)}
        onClick={() => editor.ask({ kind: 'undo' })}
      >
        <Undo2 size={18} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <IconButton
        size="dense"
        label={`Redo (${keyName('⇧⌘Z')})`}
        disabled={!canEdit || !revision?.canRedo}
        onClick={() => editor.ask({ kind: 'redo' })}
      >
        <Redo2 size={18} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </>
  );
}

/** The progress of the map that the draft is becoming. */
function Publishing() {
  const { state } = useDraft();
  if (state !== 'publishing') return null;
  const { title, text } = progressTexts(publishingPercent);
  return (
    <div className="flex flex-col gap-1.5 border-warn/30 border-t px-3 py-2">
      <p role="status" className="m-0 text-small">
        <span className="font-semibold">{title}</span> {text}
      </p>
      <ProgressBar label={title} percent={undefined} />
    </div>
  );
}

/** Who edits the draft, what went wrong, and when it is deleted. */
function Notices() {
  const editor = useDraftEditor();
  const draft = useDraft();
  const problem = useEditing((state) => state.problem);
  const isReading = useEditing((state) => state.isEditor === false);
  const name = useEditing((state) => state.editorName);
  const refusal = draft.state === 'ready' ? draft.refusal : undefined;
  const isExpiring = draft.expiresAt - Date.now() < warnBeforeMs;
  return (
    <div className="flex flex-col gap-1 px-3 pb-1.5 empty:hidden">
      {isReading && name !== undefined && (
        <Banner
          tone="info"
          actions={
            <Button size="dense" onClick={() => void editor.takeOver()}>
              Take over
            </Button>
          }
        >
          {say('draft/editing', { name })}
        </Banner>
      )}
      {problem !== undefined && (
        <Banner tone="error" onDismiss={() => editor.store.setState({ problem: undefined })}>
          {problem}
        </Banner>
      )}
      {refusal && <Banner tone="error">{sayRefusal(refusal)}</Banner>}
      {isExpiring && (
        <p className="m-0 text-small text-warn">{say('draft/expires', { date: dateText(draft.expiresAt) })}</p>
      )}
    </div>
  );
}
