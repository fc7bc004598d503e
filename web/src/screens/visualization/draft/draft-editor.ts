import { say, sayError, sayRefusal } from '@kc/rules/all-messages';
import type { Draft, DraftEffect, DraftOperation, EditedDraft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { type Refusal, toRefusal } from '@kc/rules/result';
import { createStore } from 'zustand/vanilla';
import type { CallsAbout, Client } from '../../../api/calls-about.ts';
import { isGivenUp } from '../../../api/in-time.ts';
import { createWriteQueue, type SendResult } from '../../../explore/model/write-queue.ts';
import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';
import {
  addressesAfter,
  addressesIn,
  afterEvent,
  type Edit,
  type EditEvent,
  type Edits,
  editsOf,
  endsAll,
  isSameRevision,
  lastOperation,
  type PendingEdit,
  stopIn,
  withAddresses,
} from './edits.ts';
import { movedByRename } from './renamed-branch.ts';
import { noTicks, type Tick, type Ticks, tickAt, tickedSince, ticksAt } from './ticks.ts';

/** The calls about one draft. Each rejects as `toRefusal` understands. */
export type DraftCalls = Pick<CallsAbout<Client['drafts']>, 'get' | 'lease' | 'operate' | 'undo' | 'redo'>;

/** The dialog that is open. */
type DraftDialog = (
  | { readonly kind: 'rename'; readonly node: Tick }
  | { readonly kind: 'name' | 'move' | 'merge'; readonly nodes: readonly Tick[] }
  | { readonly kind: 'excluded' }
) & { readonly given?: GivenName | undefined };

/** A name that was typed in a dialog and sent. `problem`: why it was refused; undefined while it is being saved. */
export type GivenName = { readonly edit: number; readonly name: string; readonly problem?: string };

export const isSaving = (given: GivenName | undefined): boolean => given !== undefined && given.problem === undefined;

export type EditorState = {
  readonly edits: Edits;
  readonly ticks: Ticks;
  /** Whether this person edits it; undefined until that is known. */
  readonly isEditor: boolean | undefined;
  /** Who edits it instead. */
  readonly editorName: string | undefined;
  /** What went wrong, until it is dismissed or the next edit succeeds. */
  readonly problem: string | undefined;
  /** What the last edit did, for screen readers and the toast. */
  readonly done: { readonly text: string; readonly number: number } | undefined;
  /** The last {@link maxApplied} edits that the server applied, the newest at the end. */
  readonly applied: readonly AppliedEdit[];
  readonly dialog: DraftDialog | undefined;
  /** A dialog that had closed before its name was refused. It belongs to the problem with the same text. */
  readonly refusedDialog: DraftDialog | undefined;
  /** Whether the lists of the review are open; undefined until it is known whether there are any. */
  readonly isReviewing: boolean | undefined;
};

/** What an edit did, and the new addresses of nodes by their earlier ones. */
export type AppliedEdit = {
  readonly edit: Edit;
  readonly effect: DraftEffect;
  readonly addresses: ReadonlyMap<string, string>;
  /** If it undid an operation: the node that this was about, by the one that it led to. */
  readonly origins: ReadonlyMap<string, string>;
  /** The views of the revisions before and after it. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What was selected when the person requested it; undefined if no revision was on the screen. */
  readonly requestedAt: SelectedRow | undefined;
};

/** The row that is selected in the revision with this view, if any. */
export type SelectedRow = { readonly viewId: string; readonly row: number | undefined };

/** What the screen was like when an edit was requested. */
type RequestContext = {
  readonly ticks: Ticks;
  readonly selected: SelectedRow | undefined;
  /** The dialog that its name was typed in. */
  readonly dialog: DraftDialog | undefined;
};

/**
 * The edits that led from one revision to another, the first one first. None if anything else led there, such as the
 * edit of somebody else.
 *
 * @param from the view of the revision, and so is `to`
 */
export function appliedBetween(applied: readonly AppliedEdit[], from: string, to: string): readonly AppliedEdit[] {
  if (from === to) return [];
  let at: string | undefined = to;
  for (let first = applied.length - 1; first >= 0; first--) {
    const edit = applied[first]!;
    if (edit.to !== at) break;
    at = edit.from;
    if (at === from) return applied.slice(first);
  }
  return [];
}

/** A revision on the screen, by its view, as far as it is loaded. */
type ShownRevision = {
  readonly id: string;
  readonly tree: LoadedTree;
  readonly store: { readonly getState: () => { readonly selected: number | undefined } };
};

export type DraftEditor = ReturnType<typeof createDraftEditor>;

/** How long an edit that got no response waits before it is sent again. */
const retryMs = 3_000;
/** How long a dialog stays open to show that the server refuses its name. Saving can take seconds. */
const answerMs = 1_000;
/** More edits than are applied before the revision of the first one has opened. */
const maxApplied = 100;
/** An edit that failed so often at the server, or got no turn there, will not succeed by itself. */
const maxFaults: Readonly<Record<string, number>> = { 'fault/internal': 5, 'draft/busy': 20 };

/**
 * Edits a draft: sends edits one at a time, keeps the right to edit, and follows what others do.
 *
 * @param now the draft when the page was opened
 * @param keep called with the draft after each edit
 */
export function createDraftEditor(calls: DraftCalls, now: Draft, keep: (draft: Draft) => void = () => undefined) {
  const store = createStore<EditorState>(() => ({
    edits: editsOf(now),
    ticks: noTicks,
    isEditor: now.editor?.isYou,
    editorName: now.editor?.isYou === false ? now.editor.name : undefined,
    problem: undefined,
    done: undefined,
    applied: [],
    dialog: undefined,
    refusedDialog: undefined,
    isReviewing: undefined,
  }));
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** How often the server has failed at the first edit. */
  let faults = 0;
  const trail = createTrail();
  /** By the ID of the waiting edit. */
  const contexts = new Map<number, RequestContext>();
  /**
   * The addresses that the last edits gave to nodes, by their earlier ones. The screen has the earlier ones until the
   * next revision is open, and so does a dialog that was opened before: see `opened`. Any other change ends this,
   * because another node may then have an earlier address.
   */
  let moved: ReadonlyMap<string, string> = noMoves;
  /** The revision on the screen. */
  let shown: () => ShownRevision | undefined = () => undefined;
  const edits = () => store.getState().edits;
  const dispatch = (event: EditEvent) => store.setState((state) => ({ edits: afterEvent(state.edits, event) }));

  const send = createWriteQueue(() => (isClosed ? undefined : edits().pending[0]), sendOne);

  async function sendOne({ id, edit }: PendingEdit): Promise<SendResult> {
    clearTimeout(retryTimer);
    dispatch({ is: 'sent' });
    try {
      const { draft, effect } = await request(calls, edit, lastOperation(edits()));
      faults = 0;
      keep(draft);
      if (!isClosed) applyResponse(draft, effect, edit, contexts.get(id));
      leaveDialog(id);
    } catch (error) {
      if (isClosed) return 'lost';
      const refusal = toRefusal(error);
      const max = maxFaults[refusal.code] ?? Number.POSITIVE_INFINITY;
      faults = max === Number.POSITIVE_INFINITY ? 0 : faults + 1;
      if (isLoss(refusal) && faults < max) {
        dispatch({ is: 'lost' });
        leaveDialog(id);
        retryTimer = setTimeout(() => void retry(), retryMs);
        return 'lost';
      }
      faults = 0;
      await handleRefusal(refusal, contexts.get(id)?.dialog);
    }
    return 'answered';
  }

  function applyResponse(draft: Draft, effect: DraftEffect, edit: Edit, context: RequestContext | undefined): void {
    const from = edits().draft.revision?.viewId;
    const own = trail.after(edit, effect, draft.revision?.operation ?? 0);
    const { origins } = own;
    const addresses = new Map([...inBranch(edit, effect, from), ...own.addresses]);
    dispatch({ is: 'applied', draft, effect, moved: addresses });
    if (!keepsAddresses(edit)) moved = freesAddresses(edit) ? movedOn(moved, addresses) : noMoves;
    store.setState(({ done, ticks, applied }) => ({
      ...editing(draft),
      problem: undefined,
      applied: [
        ...applied.slice(1 - maxApplied),
        { edit, effect, addresses, origins, from, to: draft.revision?.viewId, requestedAt: context?.selected },
      ],
      ticks: ticksAfter(edit, ticks, context?.ticks),
      done: { text: sayRefusal(effect), number: (done?.number ?? 0) + 1 },
    }));
  }

  /** Remembers what the screen is like now for the edit that was requested last, and forgets it for those that are over. */
  function rememberContext(): void {
    const waiting = edits().pending.map(({ id }) => id);
    for (const id of contexts.keys()) if (!waiting.includes(id)) contexts.delete(id);
    const screen = shown();
    const newest = waiting.at(-1)!;
    contexts.set(newest, {
      ticks: store.getState().ticks,
      selected: screen && { viewId: screen.id, row: screen.store.getState().selected },
      dialog: dialogOf(newest),
    });
  }

  /** The new addresses of the nodes in and beside a renamed topic, as far as the screen has loaded them. */
  function inBranch(edit: Edit, { node }: DraftEffect, from: string | undefined): ReadonlyMap<string, string> {
    const screen = shown();
    if (!screen || screen.id !== from || node === undefined) return noMoves;
    if (edit.kind !== 'operate' || edit.operation.kind !== 'rename') return noMoves;
    return movedByRename(screen.tree, edit.operation.node, node);
  }

  async function handleRefusal(refusal: Refusal, dialog: DraftDialog | undefined): Promise<void> {
    dispatch({ is: 'refused', refusal });
    const reason = sayRefusal(refusal);
    if (isLoss(refusal)) store.setState({ problem: say('draft/not-saved', { reason }) });
    else report(reason, dialog);
    if (endsAll(refusal)) await reload();
  }

  /** Says why an edit was refused: in the dialog that its name was typed in if that is still open. */
  function report(problem: string, from: DraftDialog | undefined): void {
    const given = from?.given && { ...from.given, problem };
    const refused = given && { ...from, given };
    if (given && dialogOf(given.edit)) store.setState({ dialog: refused });
    else store.setState({ problem, refusedDialog: refused });
  }

  /** The dialog that the name of an edit was typed in, if it is open. */
  function dialogOf(edit: number): DraftDialog | undefined {
    const { dialog } = store.getState();
    return dialog?.given?.edit === edit ? dialog : undefined;
  }

  /** Closes it, unless the name was refused. */
  function leaveDialog(edit: number): void {
    if (isSaving(dialogOf(edit)?.given)) store.setState({ dialog: undefined });
  }

  /** The edit may have been applied although its response was lost, so this checks first. */
  async function retry(): Promise<void> {
    clearTimeout(retryTimer);
    if (isClosed || !edits().isLost) return;
    if (await reload()) void send();
    else retryTimer = setTimeout(() => void retry(), retryMs);
  }

  /** @returns whether the server responded */
  async function reload(): Promise<boolean> {
    const { responses } = edits();
    try {
      receive(await calls.get({}), responses);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Takes a draft that was requested when there were `responses` responses. If it has changed under waiting edits, they
   * are dropped, and a message says so.
   */
  function receive(draft: Draft, responses = edits().responses): void {
    if (isClosed) return;
    const before = edits();
    dispatch({ is: 'reloaded', draft, responses });
    const after = edits();
    if (after === before) return;
    if (!isSameRevision(before.draft, draft)) moved = noMoves;
    const isDropped = after.pending.length < before.pending.length;
    store.setState({ ...editing(draft), ...(isDropped && { problem: say('draft/behind') }) });
  }

  /** Who edits it, by a response of the server. */
  function editing({ editor }: Draft): Partial<EditorState> {
    const { isEditor } = store.getState();
    if (!editor) return { editorName: undefined };
    if (editor.isYou) return { isEditor: true, editorName: undefined };
    return {
      isEditor: false,
      editorName: editor.name,
      ...(isEditor && { problem: say('draft/taken-over', { name: editor.name }) }),
    };
  }

  /** Requests the right to edit, or renews it. */
  async function lease(takeOver: boolean): Promise<void> {
    const { responses } = edits();
    try {
      const draft = await calls.lease({ takeOver });
      if (isClosed) return;
      store.setState({ isEditor: true, editorName: undefined, ...(takeOver && { problem: undefined }) });
      receive(draft, responses);
    } catch (error) {
      const { code, params } = toRefusal(error);
      if (isClosed || code !== 'draft/editing') return;
      const name = `${params?.name ?? ''}`;
      store.setState(({ isEditor, problem }) => ({
        isEditor: false,
        editorName: name,
        problem: isEditor ? say('draft/taken-over', { name }) : problem,
      }));
    }
  }

  void lease(false);
  // Renewed while this person has it; requested again once nobody has it.
  const renewing = setInterval(() => {
    const { isEditor, editorName } = store.getState();
    if (isEditor || editorName === undefined) void lease(false);
  }, limits.draftLeaseRenewMs);

  return {
    store,
    receive,
    reload,
    /** Sets which revision is on the screen. */
    shows(revision: () => ShownRevision | undefined): void {
      shown = revision;
    },
    /**
     * The screen shows the revision with this view. If it is the newest one, nodes have their new addresses from now on, and another
     * node may have an earlier one. A dialog or a selection from before keeps its nodes.
     */
    opened(viewId: string): void {
      if (viewId !== edits().draft.revision?.viewId || moved === noMoves) return;
      const now = moved;
      moved = noMoves;
      const at = <Some extends { ticks: Ticks; dialog: DraftDialog | undefined }>(some: Some): Some => ({
        ...some,
        ticks: ticksAt(some.ticks, now),
        dialog: some.dialog && dialogAt(some.dialog, now),
      });
      store.setState(at);
      for (const [id, context] of contexts) contexts.set(id, at(context));
    },
    takeOver: () => lease(true),
    submit(edit: Edit): void {
      const { isEditor, editorName } = store.getState();
      if (isEditor === false) {
        report(say('draft/editing', { name: editorName ?? '' }), dialogOf(edits().nextId));
        return;
      }
      dispatch({ is: 'requested', edit: withAddresses(edit, moved) });
      rememberContext();
      if (!edits().isLost) void send();
    },
    operate(operation: DraftOperation): void {
      this.submit({ kind: 'operate', operation });
    },
    /** Like `operate`, for a name that was typed in the open dialog, which closes unless the name is soon refused. */
    operateNamed(name: string, operation: DraftOperation): void {
      const edit = edits().nextId;
      store.setState(({ dialog }) => ({ dialog: dialog && { ...dialog, given: { edit, name } } }));
      this.operate(operation);
      setTimeout(leaveDialog, answerMs, edit);
    },
    /** The draft could not be published, or the page has stopped waiting: the server may still publish it. */
    publishFailed(error: unknown): void {
      store.setState({
        problem: isGivenUp(error) ? say('draft/publishing-slowly') : sayError(error),
      });
      void reload();
    },
    /** Sends again at once, because the connection is back. */
    retryNow: () => void retry(),
    setTicks: (change: (ticks: Ticks) => Ticks) => store.setState(({ ticks }) => ({ ticks: change(ticks) })),
    review: (isReviewing: boolean) => store.setState({ isReviewing }),
    open: (dialog: DraftDialog | undefined) => store.setState({ dialog }),
    close(): void {
      isClosed = true;
      clearTimeout(retryTimer);
      clearInterval(renewing);
    },
  };
}

function request(calls: DraftCalls, edit: Edit, after: number): Promise<EditedDraft> {
  switch (edit.kind) {
    case 'operate':
      return calls.operate({ after, operation: edit.operation });
    case 'undo':
      return calls.undo({ after });
    case 'redo':
      return calls.redo({ after });
  }
}

/** Whether the server may not have responded at all, so that the edit is sent again. */
const isLoss = ({ code }: Refusal): boolean => code.startsWith('fault/') || code === 'draft/busy';

/**
 * Whether an edit leaves the earlier addresses of its nodes unused. Several topics that are renamed together may
 * exchange theirs.
 */
const freesAddresses = (edit: Edit): boolean =>
  edit.kind === 'operate' && (edit.operation.kind === 'rename' || edit.operation.kind === 'merge');

/** Whether every node has the same address after an edit. */
const keepsAddresses = (edit: Edit): boolean =>
  edit.kind === 'operate' && ['lock', 'unlock', 'accept'].includes(edit.operation.kind);

/** The new addresses after two changes, one after the other. */
function movedOn(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const between = new Set(first.values());
  const both = Array.from(first, ([from, to]) => [from, second.get(to) ?? to] as const);
  return new Map([...both, ...[...second].filter(([from]) => !first.has(from) && !between.has(from))]);
}

/**
 * The ticks after an edit. It ends the selection that it was requested with, but not what was ticked while it was being
 * saved, as long as those nodes can be found by their addresses.
 *
 * @param requestedWith the ticks when it was requested
 */
function ticksAfter(edit: Edit, ticks: Ticks, requestedWith: Ticks = ticks): Ticks {
  if (stopIn(edit) !== undefined) return ticks;
  return keepsAddresses(edit) || freesAddresses(edit) ? tickedSince(ticks, requestedWith) : noTicks;
}

/** A dialog about the same nodes by their new addresses. */
function dialogAt(dialog: DraftDialog, now: ReadonlyMap<string, string>): DraftDialog {
  if (dialog.kind === 'excluded') return dialog;
  if (dialog.kind === 'rename') return { ...dialog, node: tickAt(dialog.node, now) };
  return { ...dialog, nodes: dialog.nodes.map((node) => tickAt(node, now)) };
}

type Step = Readonly<Record<'forth' | 'back' | 'origins', ReadonlyMap<string, string>>>;

const noMoves: ReadonlyMap<string, string> = new Map();

const isNaming = (edit: Edit): boolean =>
  edit.kind === 'operate' && (edit.operation.kind === 'rename' || edit.operation.kind === 'name');

/**
 * Remembers the new addresses of nodes, so that undoing and redoing keep the place: a renamed node has its earlier
 * address again, and what an operation led to leads back to what it was about. Only knows the operations of this page.
 */
export function createTrail() {
  /** By the number of the operation. */
  const steps = new Map<number, Step>();
  return {
    /**
     * The new addresses of nodes by their earlier ones, and what an undone operation was about.
     *
     * @param operation the number of the last operation after the edit
     */
    after(edit: Edit, effect: DraftEffect, operation: number): Pick<AppliedEdit, 'addresses' | 'origins'> {
      if (edit.kind === 'undo') {
        const undone = steps.get(operation + 1);
        return { addresses: undone?.back ?? noMoves, origins: undone?.origins ?? noMoves };
      }
      if (edit.kind === 'redo') return { addresses: steps.get(operation)?.forth ?? noMoves, origins: noMoves };
      const forth = addressesAfter(edit, effect);
      const [first] = addressesIn(edit);
      const origins = effect.node === undefined || first === undefined ? noMoves : new Map([[effect.node, first]]);
      // The place that something was moved to is another node.
      steps.set(operation, { forth, back: isNaming(edit) ? origins : noMoves, origins });
      return { addresses: forth, origins: noMoves };
    },
  };
}
