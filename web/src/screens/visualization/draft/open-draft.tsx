import { Menu } from '@base-ui/react/menu';
import { say, sayError } from '@kc/rules/all-messages';
import type { DraftOperation } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { WarningLine } from '@kc/rules/warning-shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { SquareCheck } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ExplorerScreen } from '../../../explore/explorer.tsx';
import { confidenceOf, exact } from '../../../explore/format/figure-text.ts';
import type { Explorer } from '../../../explore/model/explorer.ts';
import {
  ExplorerContext,
  type ExplorerParts,
  ExplorerPartsContext,
  useExplorer,
  useLooks,
} from '../../../explore/panels/explorer-context.ts';
import { singleKeysOn } from '../../../explore/panels/keyboard/single-keys.ts';
import { useWarningSummary } from '../../../explore/panels/warnings/use-warnings.tsx';
import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';
import { useScreenSettings } from '../../../session/session.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useIsSmall } from '../../../ui/environment.ts';
import { OneFieldForm } from '../../../ui/field.tsx';
import type { KeyGroup } from '../../../ui/key-map.tsx';
import { isForOthers } from '../../../ui/keys.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { popupItemClass } from '../../../ui/popup.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useWindowEvent } from '../../../ui/use-window-event.ts';
import { DraftBar } from './draft-bar.tsx';
import { tickOf, useCanEdit, useDraft, useDraftEditor, useEditing, useMarks, useTick } from './draft-context.ts';
import { appliedBetween, type GivenName, isSaving } from './draft-editor.ts';
import { outlineKeys, RowMarks, TickBox, useDraftRow } from './draft-outline.tsx';
import { lastOperation, nameGiven, newNames, stopIn } from './edits.ts';
import { useHitTicks } from './hit-ticks.ts';
import { isActionKey, nodeActions } from './node-actions.ts';
import { openRevision } from './open-revision.ts';
import { ReviewDock } from './review-dock.tsx';
import { SelectionBar, TickedActions } from './selection-bar.tsx';
import { type Tick, toggled } from './ticks.ts';

type Props = {
  /** The title of the page. */
  readonly title: React.ReactNode;
};

/** The draft in the explorer, with what edits it. Inside of a `DraftContext`. */
export function OpenDraft({ title }: Props) {
  const editor = useDraftEditor();
  const { explorer, failure, shown } = useRevision();
  const parts = useMemo<ExplorerParts>(
    () => ({
      Bar: DraftBar,
      Side: ReviewDock,
      outline: {
        caption: 'With confidence',
        Head: TickBox,
        Tail: RowMarks,
        Foot: SelectionBar,
        ...outlineKeys(editor, () => shown.current!),
      },
      useOutlineRow: useDraftRow,
      useHitTicks,
      DetailAction: DraftAction,
      DetailLine: ConfidenceLine,
      WarningActions: SettleResults,
      MenuItems: DraftMenuItems,
      keys: draftKeyGroup,
      onRename: (row) => editor.open({ kind: 'rename', node: tickOf(shown.current!.tree, row) }),
    }),
    [editor, shown],
  );
  useAnnouncements();
  useNamesAtOnce(explorer);
  return (
    <div className="flex h-[calc(100dvh-var(--header))] min-h-80 flex-col">
      {failure !== undefined && (
        <div className="p-3">
          <Banner tone="error">{sayError(failure)}</Banner>
        </div>
      )}
      {explorer ? (
        <ExplorerPartsContext value={parts}>
          <ExplorerContext value={explorer}>
            <ExplorerScreen explorer={explorer} picker={title} pills={null} freshness={null} />
            <TickedActionsBelow />
            <Keys shown={shown} />
            <LazyBoundary>
              <DraftDialogs />
            </LazyBoundary>
          </ExplorerContext>
        </ExplorerPartsContext>
      ) : (
        <>
          {title}
          <DraftBar controls={undefined} />
          <div className="flex-1 bg-canvas" />
        </>
      )}
    </div>
  );
}

/** What can be done with the ticked nodes, unless the outline or the review beside the chart has it. */
function TickedActionsBelow() {
  const isSmall = useIsSmall();
  const { outlineOpen, outlineOnly } = useLooks('outlineOpen', 'outlineOnly');
  const isReviewing = useEditing((state) => state.isReviewing === true);
  return isSmall || !(outlineOpen || outlineOnly || isReviewing) ? <TickedActions /> : null;
}

/** The explorer of the current revision. The one before stays on the screen until the next one has loaded. */
function useRevision() {
  const editor = useDraftEditor();
  const { id, revision } = useDraft();
  const viewId = revision?.viewId;
  const queries = useQueryClient();
  const { history } = useRouter();
  const [explorer, setExplorer] = useState<Explorer>();
  const [failure, setFailure] = useState<unknown>();
  const shown = useRef<Explorer>(undefined);
  useEffect(() => {
    if (viewId === undefined || shown.current?.id === viewId) return;
    let isCurrent = true;
    const before = shown.current;
    const applied = before ? appliedBetween(editor.store.getState().applied, before.id, viewId) : [];
    const last = applied.at(-1);
    openRevision({ draftId: id, viewId, queries, history, before, applied, isCurrent: () => isCurrent }).then(
      (next) => {
        if (!next) return;
        shown.current = next;
        editor.opened(viewId);
        setExplorer(next);
        setFailure(undefined);
        if (last?.edit.kind === 'operate' && last.effect.node !== undefined) focusOutline();
      },
      (error: unknown) => {
        if (!isCurrent) return;
        setFailure(error);
        // The revision may have been replaced before it was read.
        void editor.reload();
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, viewId, queries, history, editor]);
  useEffect(() => {
    editor.shows(() => shown.current);
    return () => {
      shown.current?.stop();
      shown.current = undefined;
    };
  }, [editor]);
  const { defaultDepth, autoExpand } = useScreenSettings() ?? {};
  useEffect(() => {
    if (defaultDepth && autoExpand !== undefined) explorer?.store.setState({ defaultDepth, autoExpand });
  }, [explorer, defaultDepth, autoExpand]);
  return { explorer, failure, shown };
}

/** Shows what was renamed under its new name at once, until the revision that has it is open, or the edit is refused. */
function useNamesAtOnce(explorer: Explorer | undefined): void {
  const { store } = useDraftEditor();
  useEffect(() => {
    if (!explorer) return;
    const { tree } = explorer;
    const show = () => {
      const { edits, applied } = store.getState();
      const names = newNames(edits);
      const newest = edits.draft.revision?.viewId ?? explorer.id;
      for (const { edit, addresses } of appliedBetween(applied, explorer.id, newest).toReversed()) {
        for (const [address, name] of nameGiven(edit)) if (!names.has(address)) names.set(address, name);
        // Later edits name nodes by their addresses after this one.
        for (const [earlier, now] of addresses) if (names.has(now)) names.set(earlier, names.get(now)!);
      }
      if (tree.showNames(tree.rowsAt(names))) explorer.store.setState({ treeVersion: tree.version });
    };
    show();
    const stop = [
      store.subscribe(show),
      explorer.store.subscribe((now, before) => now.treeVersion !== before.treeVersion && show()),
    ];
    return () => {
      for (const end of stop) end();
    };
  }, [explorer, store]);
}

/** The result of an operation is selected; the outline or the chart shows it. */
function focusOutline(): void {
  // Whoever types somewhere else by now stays there.
  if (document.activeElement?.matches('input:not([type=range]), textarea, [data-keeps-focus] *')) return;
  const find = (role: string) => document.querySelector<HTMLElement>(`[role=${role}]`);
  (find('tree') ?? find('application') ?? find('treegrid'))?.focus({ preventScroll: true });
}

/** How long a sequence of keys waits for its second one. */
const sequenceMs = 1_500;

/**
 * The shortcuts of a draft: F2, sequences that begin with E, ⌘Z and ⇧⌘Z.
 *
 * It listens in the capture phase, before the focused widget, which ignores prevented events: the letter after E does
 * not jump to a name.
 */
function Keys({ shown }: { readonly shown: React.RefObject<Explorer | undefined> }) {
  const editor = useDraftEditor();
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.defaultPrevented || !canEdit || isForOthers(event)) return;
      const key = event.key.toLowerCase();
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (key === 'z' && (event.metaKey || event.ctrlKey) && !event.altKey) {
        event.preventDefault();
        editor.submit({ kind: event.shiftKey ? 'redo' : 'undo' });
      } else if (event.key === 'F2') run(event, 'r');
      else if (isPlain && singleKeysOn()) sequence(event, key);
    },
    { capture: true },
  );

  function sequence(event: KeyboardEvent, key: string): void {
    const isSequence = event.timeStamp - startedAt.current < sequenceMs;
    startedAt.current = Number.NEGATIVE_INFINITY;
    if (isSequence) run(event, key);
    else if (key === 'e' && !event.shiftKey) {
      startedAt.current = event.timeStamp;
      event.preventDefault();
    }
  }

  function run(event: KeyboardEvent, letter: string): void {
    const action = nodeActions(editor, nodesFor(), locked).find(({ key }) => key === letter);
    if (!isActionKey(letter)) return;
    event.preventDefault();
    if (action) action.run();
    else editor.store.setState({ problem: say('draft/not-here') });
  }

  /** What is ticked, otherwise the selected node. */
  function nodesFor(): readonly Tick[] {
    const { rows: nodes } = editor.store.getState().ticks.picks;
    if (nodes.size > 0) return [...nodes.values()];
    const explorer = shown.current;
    const selected = explorer?.store.getState().selected ?? 0;
    return explorer && selected > 0 ? [tickOf(explorer.tree, selected)] : [];
  }
  return null;
}

/** Announces what each edit did, and offers to undo it as long as it is the last one. */
function useAnnouncements(): void {
  const editor = useDraftEditor();
  const toast = useToast();
  const done = useEditing((state) => state.done);
  useEffect(() => {
    if (!done) return;
    const { applied, edits } = editor.store.getState();
    const last = applied.at(-1);
    const canUndo = last?.edit.kind === 'operate' && stopIn(last.edit) === undefined && edits.pending.length === 0;
    if (!canUndo) return toast(done.text);
    const over = new AbortController();
    toast(done.text, { label: 'Undo', onAction: () => editor.submit({ kind: 'undo' }) }, over.signal);
    // It would take back whatever is the last by then, also what another tab has done.
    const stop = editor.store.subscribe(({ edits: now }) => {
      if (now.pending.length > 0 || lastOperation(now) !== lastOperation(edits)) over.abort();
    });
    return () => {
      stop();
      over.abort();
    };
  }, [done, editor, toast]);
}

/** "Confidence 91 %, strong" for clusters, the similarity for keywords. */
function ConfidenceLine({ row }: { row: number }) {
  const { tree } = useExplorer();
  const { address } = useTick(row);
  const marks = useMarks();
  const percent = marks.confidence[address];
  const confidence = percent === undefined ? undefined : confidenceOf(percent);
  const similarity = similarityAt(tree, row);
  const parts = [
    confidence && `Confidence ${confidence.percent} %, ${confidence.word}`,
    similarity !== undefined && `Similarity ${similarity.toFixed(2)}`,
    marks.rest?.includes(address) && 'Mixed: its keywords have little in common but what most of the list has',
    marks.locked.includes(address) && 'Locked',
  ].filter((text) => typeof text === 'string');
  if (parts.length === 0) return null;
  return <p className="m-0 text-small">{parts.join(' · ')}</p>;
}

/** The most frequent actions on a node of the draft; its menu has the rest. */
function DraftAction({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const [action] = nodeActions(editor, [tick], locked);
  if (!action) return null;
  const { name, Icon, run } = action;
  return (
    <Button size="dense" variant="primary" disabled={!canEdit} icon={<Icon size={16} />} onClick={run}>
      {name}
    </Button>
  );
}

/** Makes clusters as search results have them, where both disagree. */
function SettleResults({ line }: { line: WarningLine }) {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { data } = useWarningSummary();
  const { kind, address, places = [] } = line;
  if (!data || (kind !== 'results-apart' && kind !== 'results-alike')) return null;
  const { sharedUrls } = data.thresholds;
  const [name, operation]: [string, DraftOperation] =
    kind === 'results-apart'
      ? ['Split by search results', { kind: 'split', node: address, sharedUrls }]
      : ['Merge', { kind: 'merge', nodes: places.map((place) => place.address) }];
  return (
    <Button size="dense" variant="primary" disabled={!canEdit} onClick={() => editor.operate(operation)}>
      {name}
    </Button>
  );
}

/** What can be done with a node of the draft, in its context menu. */
function DraftMenuItems({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const isTicked = useEditing(({ ticks }) => ticks.picks.rows.has(tick.address));
  if (row === 0) return null;
  return (
    <>
      <Menu.Separator className="mx-1 my-1.5 h-px bg-line" />
      <Menu.Item className={popupItemClass} onClick={() => editor.setTicks((ticks) => toggled(ticks, tick))}>
        <SquareCheck size={18} />
        {isTicked ? 'Select no longer' : 'Select'}
      </Menu.Item>
      {nodeActions(editor, [tick], locked).map(({ name, Icon, run }) => (
        <Menu.Item key={name} className={popupItemClass} disabled={!canEdit} onClick={run}>
          <Icon size={18} />
          {name}
        </Menu.Item>
      ))}
    </>
  );
}

const PlaceDialog = lazyPart(async () => (await import('./place-dialog.tsx')).PlaceDialog);

/** The dialog of the draft that is open, if any. */
function DraftDialogs() {
  const editor = useDraftEditor();
  const dialog = useEditing((state) => state.dialog);
  if (!dialog) return null;
  if (dialog.kind === 'rename') return <RenameDialog node={dialog.node} given={dialog.given} />;
  if (dialog.kind === 'name') return <NameDialog nodes={dialog.nodes} />;
  if (dialog.kind === 'excluded') return <ExcludedDialog />;
  return (
    <LazyBoundary onFailed={() => editor.open(undefined)}>
      <PlaceDialog kind={dialog.kind} nodes={dialog.nodes} given={dialog.given} />
    </LazyBoundary>
  );
}

const namingMethods = [
  { by: 'phrase', name: 'Phrase', does: 'What its keywords have in common, and others do not' },
  {
    by: 'seed-phrase',
    name: 'Phrase with the common words',
    does: 'The same phrase with the words that most keywords of the list have',
  },
  { by: 'keyword', name: 'Keyword', does: 'The keyword in the middle that is searched for most' },
] as const;

/** Asks how topics are to be renamed. */
function NameDialog({ nodes }: { nodes: readonly Tick[] }) {
  const editor = useDraftEditor();
  const close = () => editor.open(undefined);
  const what = nodes.length === 1 ? nodes[0]!.name : `${exact(nodes.length)} selected`;
  return (
    <Dialog open onOpenChange={close} title={`Name ${what} by`}>
      <ul aria-label="Ways" className="m-0 flex list-none flex-col p-0">
        {namingMethods.map(({ by, name, does }) => (
          <li key={by}>
            <button
              type="button"
              onClick={() => {
                editor.operate({ kind: 'name', nodes: nodes.map(({ address }) => address), by });
                close();
              }}
              className="flex min-h-11 w-full flex-col justify-center rounded-control px-2 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
            >
              {name}
              <span className="text-micro text-muted">{does}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function RenameDialog({ node, given }: { readonly node: Tick; readonly given: GivenName | undefined }) {
  const editor = useDraftEditor();
  const [isEmpty, setEmpty] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const close = () => editor.open(undefined);
  const save = (typed: string) => {
    const name = typed.trim();
    setEmpty(name === '');
    if (name === '') return;
    if (name === node.name) close();
    else editor.operateNamed(name, { kind: 'rename', node: node.address, name });
  };
  return (
    <Dialog open onOpenChange={close} title="Rename" initialFocus={field}>
      <OneFieldForm
        ref={field}
        label="Name"
        onFocus={(event) => event.target.select()}
        autoComplete="off"
        initial={given?.name ?? node.name}
        maxLength={limits.maxDraftNameLength}
        isSaving={isSaving(given)}
        readOnly={isSaving(given)}
        error={isEmpty ? say('draft/name-empty') : given?.problem}
        live
        onSave={save}
        onCancel={close}
      />
    </Dialog>
  );
}

/** The excluded keywords, which can be brought back. */
function ExcludedDialog() {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { excluded } = useMarks();
  const close = () => editor.open(undefined);
  const restore = (keywords: 'all' | string[]) => editor.operate({ kind: 'restore', keywords });
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Excluded (${exact(excluded.total)})`}
      description="These keywords are not in the map. Restored ones come back to where they were."
      actions={
        <Button disabled={!canEdit || excluded.total === 0} onClick={() => restore('all')}>
          Restore all
        </Button>
      }
    >
      <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {excluded.keywords.map((keyword) => (
          <li key={keyword} className="flex items-center gap-3 py-1">
            <span dir="auto" className="min-w-0 flex-1 text-left wrap-anywhere">
              {keyword}
            </span>
            <Button size="dense" disabled={!canEdit} onClick={() => restore([keyword])}>
              Restore
              <span className="sr-only">: {keyword}</span>
            </Button>
          </li>
        ))}
      </ul>
      {excluded.total > excluded.keywords.length && (
        <p className="mt-2 text-small text-muted">{`and ${exact(excluded.total - excluded.keywords.length)} more`}</p>
      )}
    </Dialog>
  );
}

/** The similarity of a keyword to the centre of its cluster, −1 to 1, if it is known. */
function similarityAt(tree: LoadedTree, row: number): number | undefined {
  if (tree.types[tree.type[row]!] !== 'keyword') return undefined;
  const field = tree.field('similarity');
  const value = field?.kind === 'number' ? field.value[row] : undefined;
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** The shortcuts as the list of keys shows them. */
const draftKeyGroup: KeyGroup = {
  title: 'Draft',
  keys: [
    { keys: ['Space'], does: 'Select or deselect in the outline' },
    { keys: ['⇧ ↑', '⇧ ↓', '⇧ Space'], does: 'Select a range in the outline' },
    { keys: ['⌘ Enter'], does: 'Select or deselect a match of the search' },
    { keys: ['F2', 'E R'], does: 'Rename' },
    { keys: ['E N'], does: 'New name' },
    { keys: ['E M'], does: 'Merge' },
    { keys: ['E S'], does: 'Split' },
    { keys: ['E V'], does: 'Move' },
    { keys: ['E L'], does: 'Lock or unlock' },
    { keys: ['E X'], does: 'To strays' },
    { keys: ['E D'], does: 'Exclude' },
    { keys: ['⌘Z'], does: 'Undo' },
    { keys: ['⇧⌘Z'], does: 'Redo' },
  ],
};
