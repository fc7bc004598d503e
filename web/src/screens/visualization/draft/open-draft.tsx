import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toRefusal } from '../../../api/refusal.ts';
import { Explorer } from '../../../explore/explorer.tsx';
import type { Explorer as ExplorerModel } from '../../../explore/model/explorer.ts';
import { ExplorerContext } from '../../../explore/panels/explorer-context.ts';
import { type ExplorerParts, ExplorerPartsContext } from '../../../explore/panels/explorer-parts.ts';
import { LazyBoundary } from '../../../explore/panels/lazy-boundary.tsx';
import { useScreenSettings } from '../../../session/session.ts';
import { Banner } from '../../../ui/banner.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { useToast } from '../../../ui/toast.tsx';
import { DraftBar } from './draft-bar.tsx';
import { tickOf, useCanEdit, useDraft, useDraftEditor, useEditing, useMarks } from './draft-context.ts';
import { ConfidenceLine, DraftAction } from './draft-details.tsx';
import { DraftDialogs } from './draft-dialogs.tsx';
import { draftKeyGroup, listenForDraftKeys } from './draft-keys.ts';
import { DraftMenuItems } from './draft-menu-items.tsx';
import { RowMarks, TickBox, useDraftRow } from './draft-outline.tsx';
import { nameGiven, newNames } from './edits.ts';
import { openRevision } from './open-revision.ts';
import { outlineKeys } from './outline-keys.ts';
import { ReviewDock } from './review-dock.tsx';
import { SelectionBar, TickedActions } from './selection-bar.tsx';

type Props = {
  /** The title of the page. */
  readonly title: React.ReactNode;
};

/** The draft in the explorer, with what edits it. Inside of a `DraftContext`. */
export function OpenDraft({ title }: Props) {
  const editor = useDraftEditor();
  const isSmall = !useMedia(`(min-width: ${limits.mobileBelowPx}px)`);
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
      DetailAction: DraftAction,
      DetailLine: ConfidenceLine,
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
          <Banner tone="error">{sayRefusal(toRefusal(failure))}</Banner>
        </div>
      )}
      {explorer ? (
        <ExplorerPartsContext value={parts}>
          <ExplorerContext value={explorer}>
            <Explorer explorer={explorer} picker={title} pills={null} freshness={null} />
            {isSmall && <TickedActions isSmall />}
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

/** The explorer of the current revision. The one before stays on the screen until the next one has loaded. */
function useRevision() {
  const editor = useDraftEditor();
  const { id, revision } = useDraft();
  const viewId = revision?.viewId;
  const queries = useQueryClient();
  const { history } = useRouter();
  const [explorer, setExplorer] = useState<ExplorerModel>();
  const [failure, setFailure] = useState<unknown>();
  const shown = useRef<ExplorerModel>(undefined);
  useEffect(() => {
    if (viewId === undefined || shown.current?.id === viewId) return;
    let isWanted = true;
    const { effect } = editor.store.getState();
    openRevision({ draftId: id, viewId, queries, history, before: shown.current, effect }).then(
      (next) => {
        if (!isWanted) {
          next.stop();
          return;
        }
        shown.current = next;
        setExplorer(next);
        setFailure(undefined);
        if (effect?.edit.kind === 'operate' && effect.effect.node !== undefined) focusOutline();
      },
      (error: unknown) => {
        if (!isWanted) return;
        setFailure(error);
        // The revision may have been replaced before it was read.
        void editor.reload();
      },
    );
    return () => {
      isWanted = false;
    };
  }, [id, viewId, queries, history, editor]);
  useEffect(
    () => () => {
      shown.current?.stop();
      shown.current = undefined;
    },
    [],
  );
  const { defaultDepth: usualDepth, autoExpand } = useScreenSettings() ?? {};
  useEffect(() => {
    if (usualDepth && autoExpand !== undefined) explorer?.store.setState({ usualDepth, autoExpand });
  }, [explorer, usualDepth, autoExpand]);
  return { explorer, failure, shown };
}

/** Shows what was renamed under its new name at once, until the revision that has it is open, or the edit is refused. */
function useNamesAtOnce(explorer: ExplorerModel | undefined): void {
  const { store } = useDraftEditor();
  useEffect(() => {
    if (!explorer) return;
    const { tree } = explorer;
    const show = () => {
      const { edits, effect } = store.getState();
      const names = newNames(edits);
      const isBehind = edits.draft.revision?.viewId !== explorer.id;
      if (isBehind && effect) {
        for (const [address, name] of nameGiven(effect.edit)) if (!names.has(address)) names.set(address, name);
        // Edits that wait name nodes by their addresses in the next revision.
        for (const [earlier, now] of effect.addresses) if (names.has(now)) names.set(earlier, names.get(now)!);
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

/** The shortcuts of the draft. */
function Keys({ shown }: { readonly shown: React.RefObject<ExplorerModel | undefined> }) {
  const editor = useDraftEditor();
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const latest = useRef({ locked, canEdit });
  latest.current = { locked, canEdit };
  useEffect(
    () =>
      listenForDraftKeys({
        editor,
        shown: () => shown.current,
        locked: () => latest.current.locked,
        canEdit: () => latest.current.canEdit,
      }),
    [editor, shown],
  );
  return null;
}

/** Says what each edit did. */
function useAnnouncements(): void {
  const editor = useDraftEditor();
  const toast = useToast();
  const done = useEditing((state) => state.done);
  useEffect(() => {
    if (!done) return;
    const { effect } = editor.store.getState();
    const canUndo = effect?.edit.kind === 'operate' && effect.edit.operation.kind !== 'granularity';
    toast(done.text, canUndo ? { label: 'Undo', onAction: () => editor.ask({ kind: 'undo' }) } : undefined);
  }, [done, editor, toast]);
}
