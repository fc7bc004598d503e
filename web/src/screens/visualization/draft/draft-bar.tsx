import { say, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { progressTexts } from '@kc/rules/upload';
import { useMutation } from '@tanstack/react-query';
import { Check, ChevronDown, Ellipsis, Info, Redo2, SquareDashed, Undo2 } from 'lucide-react';
import { type ComponentProps, type ReactNode, useContext, useState } from 'react';
import { client } from '../../../api/client.ts';
import { counted } from '../../../explore/format/figure-text.ts';
import { type BarControls, ExplorerContext } from '../../../explore/panels/explorer-context.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button, buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { Field, Form } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { keyName } from '../../../ui/keys.ts';
import { dateText } from '../../../ui/number-text.ts';
import { Popover } from '../../../ui/popover.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { useAfter } from '../../../ui/timers.ts';
import { useCanEdit, useDraft, useDraftEditor, useEditing } from './draft-context.ts';
import { lastOperation } from './edits.ts';
import { Granularity, GranularityButton } from './granularity.tsx';
import { ReviewButton } from './review-dock.tsx';

/** How long a change takes before the page says that it is being saved. */
const savingAfterMs = 300;
/** From this width on, everything is in the bar itself. */
const wideFromPx = 1360;
const warnBeforeMs = 7 * 86_400_000;
/** What a published map has done once its bytes are received. */
const publishingPercent = 70;

/**
 * The one bar of a draft: that it is one, whether it is saved, undo and redo; the controls of the explorer; granularity,
 * review and publishing. What is needed rarely is in a menu.
 *
 * It has one line in every window: in a narrow one, the menu has more.
 *
 * @param controls absent until the explorer is there, and on a small screen, where it has rows of its own
 */
export function DraftBar({ controls }: { readonly controls: BarControls | undefined }) {
  const isNarrow = !useMedia(`(min-width: ${wideFromPx}px)`);
  const hasExplorer = useContext(ExplorerContext) !== undefined;
  return (
    <section aria-label="Draft" className="shrink-0 border-b border-warn bg-warn-soft text-ink">
      <div className="flex min-h-12 items-center gap-x-2 px-3 py-1 max-lg:gap-x-1 max-lg:px-2">
        <Status isNarrow={isNarrow} />
        <HistoryButtons isNarrow={isNarrow} />
        {controls && (
          <>
            <span className="flex min-w-16 flex-1 border-warn/30 border-l pl-1">{controls.path}</span>
            {controls.views}
            {controls.filter}
            {controls.search}
            {controls.score}
          </>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-1 lg:gap-2">
          {!isNarrow && <GranularityButton />}
          {hasExplorer && <ReviewButton />}
          {controls?.share}
          <MoreButton isNarrow={isNarrow} help={controls?.help} />
          <PublishButton isSmall={isNarrow} />
        </span>
      </div>
      <Publishing />
      <Notices />
    </section>
  );
}

function Status({ isNarrow }: { readonly isNarrow: boolean }) {
  const { name } = useDraft();
  return (
    <>
      <p className="m-0 flex min-w-0 items-center gap-1.5 max-md:flex-1">
        <span title={onlyYou} className="flex shrink-0 items-center gap-1.5 font-semibold text-small text-warn">
          <SquareDashed size={18} />
          <span className="max-lg:sr-only">Draft</span>
        </span>
        <bdi className="max-w-40 truncate font-semibold md:max-lg:max-w-20 max-md:max-w-none" title={name}>
          {name}
        </bdi>
      </p>
      <p className="sr-only">{onlyYou}</p>
      <SavedState isNarrow={isNarrow} />
    </>
  );
}

const onlyYou = 'Only you and administrators see it.';

type MoreProps = { readonly isNarrow: boolean; readonly help: ReactNode };

/** What a person should know about the draft and needs rarely; in a narrow window, also what there is no room for. */
function MoreButton({ isNarrow, help }: MoreProps) {
  const { warnings } = useDraft();
  const [typed, setTyped] = useState<ComponentProps<typeof PublishForm>['typed']>({});
  const label = warnings.length === 0 ? 'More' : `More, ${counted(warnings.length, 'note')}`;
  return (
    <Popover
      label="More"
      align="end"
      className="w-88 max-w-[calc(100vw-1rem)]"
      trigger={
        <button type="button" aria-label={label} title={label} className={`${iconButtonClass('dense')} relative`}>
          <Ellipsis size={18} />
          {warnings.length > 0 && (
            <span
              aria-hidden="true"
              className="absolute top-1 right-1 size-2 rounded-full bg-info touch:top-2 touch:right-2"
            />
          )}
        </button>
      }
    >
      {(close) => (
        <div className="flex flex-col gap-3 text-small">
          {warnings.map((warning) => (
            <p key={sayRefusal(warning)} className="m-0 flex gap-2">
              <Info size={16} className="mt-0.5 shrink-0 text-info" />
              {sayRefusal(warning)}
            </p>
          ))}
          <p className="m-0 text-muted">{onlyYou}</p>
          {isNarrow && <RedoButton isNamed />}
          {isNarrow && <Granularity />}
          {isNarrow && <PublishForm typed={typed} onType={setTyped} onDone={close} />}
          {help}
        </div>
      )}
    </Popover>
  );
}

/** Saved, Saving… or Not saved. Trying again. In a narrow window an icon replaces the first. */
function SavedState({ isNarrow }: { isNarrow: boolean }) {
  const isPending = useEditing(({ edits }) => edits.pending.length > 0);
  const isLost = useEditing(({ edits }) => edits.isLost);
  // Only what has lasted is worth a word.
  const isLate = useAfter(savingAfterMs, isPending);
  const isSaved = !isLost && !isLate;
  return (
    <p role="status" className={`m-0 shrink-0 text-small ${isLost ? 'font-medium text-bad' : 'text-muted'}`}>
      {isSaved && isNarrow && <Check size={16} strokeWidth={2} />}
      <span className={isSaved && isNarrow ? 'sr-only' : undefined}>
        {isLost ? 'Not saved. Trying again.' : isLate ? 'Saving…' : 'Saved'}
      </span>
    </p>
  );
}

function HistoryButtons({ isNarrow }: { readonly isNarrow: boolean }) {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { revision } = useDraft();
  // A waiting edit can be undone as soon as it is done.
  const isPending = useEditing(({ edits }) => edits.pending.length > 0);
  return (
    <span className="flex shrink-0 items-center">
      <IconButton
        size="dense"
        label={`Undo (${keyName('⌘Z')})`}
        disabled={!canEdit || !(revision?.canUndo || isPending)}
        onClick={() => editor.submit({ kind: 'undo' })}
      >
        <Undo2 size={18} />
      </IconButton>
      {!isNarrow && <RedoButton />}
    </span>
  );
}

/** @param isNamed whether it is in a menu, where there is room for its name */
function RedoButton({ isNamed = false }: { readonly isNamed?: boolean }) {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { revision } = useDraft();
  const isOff = !canEdit || !revision?.canRedo;
  const redo = () => editor.submit({ kind: 'redo' });
  const icon = <Redo2 size={18} />;
  if (isNamed) {
    return (
      <Button size="dense" variant="ghost" icon={icon} className="justify-start px-1" disabled={isOff} onClick={redo}>
        Redo
      </Button>
    );
  }
  return (
    <IconButton size="dense" label={`Redo (${keyName('⇧⌘Z')})`} disabled={isOff} onClick={redo}>
      {icon}
    </IconButton>
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
  const refused = useEditing((state) => state.refusedDialog);
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
        <Banner
          tone="error"
          actions={
            refused?.given?.problem === problem && (
              <BannerButton onClick={() => editor.open(refused)}>Edit the name</BannerButton>
            )
          }
          onDismiss={() => editor.store.setState({ problem: undefined })}
        >
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

type Named = { readonly name: string; readonly description: string };

/** Publishes the draft as it is on the screen. */
function usePublish() {
  const editor = useDraftEditor();
  const draft = useDraft();
  const canEdit = useCanEdit();
  const isSaved = useEditing(({ edits }) => edits.pending.length === 0);
  const publish = useMutation({
    mutationFn: ({ name, description }: Named) => {
      const { edits } = editor.store.getState();
      const after = lastOperation(edits);
      return client.drafts.publish({ id: draft.id, after, name: name.trim() || draft.name, description });
    },
    onMutate: () => editor.store.setState({ problem: undefined }),
    onSuccess: (published) => editor.receive(published),
    onError: editor.publishFailed,
  });
  return { publish: publish.mutate, isOff: !canEdit || !isSaved || publish.isPending };
}

/** @param isSmall whether name and description are elsewhere; otherwise they are in the menu beside the button */
function PublishButton({ isSmall }: { readonly isSmall: boolean }) {
  const draft = useDraft();
  const canEdit = useCanEdit();
  const { publish, isOff } = usePublish();
  const [typed, setTyped] = useState<Partial<Named>>({});
  const named = { ...draft, ...typed };
  return (
    <span className="flex items-center">
      <span id="publish-text" className="sr-only">
        {becomes(draft.ownerEmail)}
      </span>
      <Button
        variant="primary"
        size="dense"
        disabled={isOff}
        aria-describedby="publish-text"
        className={isSmall ? '' : 'rounded-r-none'}
        onClick={() => publish(named)}
      >
        Publish
      </Button>
      {!isSmall && (
        <Popover
          label="Name and description"
          align="end"
          className="w-80 max-w-[calc(100vw-1rem)]"
          trigger={
            <button
              type="button"
              aria-label="Name and description"
              disabled={!canEdit}
              className={`${buttonClass('primary', 'dense')} rounded-l-none border-on-brand/40 border-l px-1.5`}
            >
              <ChevronDown size={16} />
            </button>
          }
        >
          {(close) => <PublishForm typed={typed} onType={setTyped} onDone={close} />}
        </Popover>
      )}
    </span>
  );
}

type FormProps = {
  readonly typed: Partial<Named>;
  readonly onType: (typed: Partial<Named>) => void;
  readonly onDone: () => void;
};

/** Publishes under another name and description. */
function PublishForm({ typed, onType, onDone }: FormProps) {
  const draft = useDraft();
  const { publish, isOff } = usePublish();
  const { name, description } = { ...draft, ...typed };
  return (
    <Form
      className="flex flex-col gap-3"
      onSubmit={() => {
        onDone();
        if (!isOff) publish({ name, description });
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={limits.maxDraftNameLength}
        error={name.trim() === '' ? say('draft/name-empty') : undefined}
        onChange={(event) => onType({ ...typed, name: event.target.value })}
        autoComplete="off"
      />
      <Field
        label="Description"
        value={description}
        maxLength={limits.maxDescriptionLength}
        onChange={(event) => onType({ ...typed, description: event.target.value })}
        autoComplete="off"
      />
      <p className="m-0 text-small text-muted">{becomes(draft.ownerEmail)}</p>
      <Button type="submit" variant="primary" disabled={isOff || name.trim() === ''}>
        Publish
      </Button>
    </Form>
  );
}

const becomes = (email: string): string => `Becomes the active map of ${email}; the one before stays in the list.`;
