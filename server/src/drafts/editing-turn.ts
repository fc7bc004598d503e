import { setTimeout as pause } from 'node:timers/promises';
import type { DraftOperation as MadeOperation } from '@kc/cluster/draft/operations';
import type { ReviewPage, ReviewRange } from '@kc/cluster/draft/review';
import type { DraftOperation } from '@kc/rules/draft-shapes';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { StorageFull, StorageUnreadable } from '../storage/storage.ts';
import type { Unlock, UploadSession } from '../visualizations/upload/upload-session.ts';
import { listOperations, type StoredDraftRow } from './draft-queries.ts';
import type { DraftChange } from './edit-history.ts';
import type { ChangedDraft, EditingAnswer, EditingOrder } from './editing-messages.ts';
import { type EditingProcess, type Editors, EndedEarly } from './editing-process.ts';
import { isRefusal } from './revision.ts';

/**
 * Does something with the editing process of a draft that nobody else may use meanwhile.
 *
 * @throws refusals as the contract's errors; other faults of the machine
 */
export async function editingTurn<T>(deps: ChangeDeps, id: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockOfDraft(deps.session, id);
  try {
    return await work();
  } catch (error) {
    // The state of the process is unknown after a fault.
    if (!isRefusal(error)) deps.editors.forget(id);
    throw refusalOf(deps, error, id);
  } finally {
    await unlock();
  }
}

/** The refusal for a fault of the storage. What is stored is read again at the next change. */
function refusalOf({ log }: ChangeDeps, error: unknown, id: string): unknown {
  if (error instanceof StorageFull) {
    log.warn({ event: 'storage-full', err: error, draft: id }, 'The storage is full: a change of a draft was refused');
    return asError({ code: 'upload/storage-refused' });
  }
  if (!(error instanceof StorageUnreadable)) return error;
  log.error({ err: error, draft: id }, 'A draft cannot be changed, because its stored form cannot be read');
  return asError({ code: 'draft/unreadable' });
}

export type ChangeDeps = Pick<
  ServerParts,
  'db' | 'storage' | 'log' | 'session' | 'memoryBytes' | 'queueFileDeletion' | 'queueIngest' | 'now'
> & {
  readonly editors: Editors;
};

/** What the asker wants, and the number of the last operation that they know. */
export type WantedChange =
  | { readonly kind: 'operate'; readonly after: number; readonly operation: DraftOperation }
  | { readonly kind: 'undo' | 'redo'; readonly after: number };

/** How long a change waits for the one before it. */
const longestWaitMs = 10_000;
const retryMs = 25;

/** Whoever changes or publishes a draft holds this lock, whichever server does so. */
const draftLock = (id: string): string => `draft:${id}`;

/**
 * Waits for the lock of a draft.
 *
 * @throws `draft/busy` if it is not free for too long
 */
export async function lockOfDraft(session: UploadSession, id: string): Promise<Unlock> {
  for (let waited = 0; ; waited += retryMs) {
    const unlock = await session.tryLock(draftLock(id));
    if (unlock) return unlock;
    if (waited >= longestWaitMs) throw asError({ code: 'draft/busy' });
    await pause(retryMs);
  }
}

type EditorDeps = Pick<ChangeDeps, 'db' | 'storage' | 'editors' | 'memoryBytes'>;

/**
 * Writes the revision that a change of a draft leads to. Only for the holder of the draft's lock.
 *
 * @param viewId of the new revision
 * @throws the refusal as the contract's error; faults of the machine
 */
export function changeInProcess(
  deps: EditorDeps,
  draft: StoredDraftRow,
  viewId: string,
  change: DraftChange,
): Promise<ChangedDraft> {
  return answerFor(deps, draft, { kind: 'change', base: viewIdOf(draft), next: viewId, change }, 'changed');
}

/**
 * Starts the process of a draft that somebody is about to change, so that the first change needs not wait for it. Does
 * nothing while somebody else changes the draft.
 */
export async function warmProcess(deps: ChangeDeps, draft: StoredDraftRow): Promise<void> {
  if (draft.state !== 'ready' || draft.graph_key === null) return;
  const unlock = await deps.session.tryLock(draftLock(draft.id));
  if (!unlock) return;
  try {
    await deps.editors.with(draft.id, async (process, isNew) => {
      if (isNew) await begin(deps, draft, process);
    });
  } catch (error) {
    deps.editors.forget(draft.id);
    throw error;
  } finally {
    await unlock();
  }
}

/** Writes the upload of a draft with another root name. @returns its temporary key and its size in bytes */
export function renameRootInProcess(
  deps: EditorDeps,
  draft: StoredDraftRow,
  name: string,
): Promise<{ readonly file: string; readonly fileBytes: number }> {
  return answerFor(deps, draft, { kind: 'rename-root', base: viewIdOf(draft), name }, 'renamed');
}

/** Lists a part of what an update did. Only for the holder of the draft's lock. */
export async function reviewInProcess(
  deps: EditorDeps,
  draft: StoredDraftRow,
  range: ReviewRange,
): Promise<ReviewPage> {
  const { page } = await answerFor(deps, draft, { kind: 'review', base: viewIdOf(draft), range }, 'listed');
  return page;
}

type Answer = Exclude<EditingAnswer, { kind: 'fault' | 'refused' }>;

/**
 * An order changes nothing that is stored, so it can be sent again to a new process.
 *
 * @param expected the kind of its response
 */
async function answerFor<Kind extends Answer['kind']>(
  deps: EditorDeps,
  draft: StoredDraftRow,
  order: EditingOrder,
  expected: Kind,
): Promise<Extract<Answer, { kind: Kind }>> {
  const answer = await sendToEditor(deps, draft, order).catch((error: unknown) => {
    if (!(error instanceof EndedEarly)) throw error;
    return sendToEditor(deps, draft, order);
  });
  const isExpected = (one: Answer): one is Extract<Answer, { kind: Kind }> => one.kind === expected;
  if (!isExpected(answer)) throw new Error(`The process that edits a draft answered ${answer.kind}`);
  return answer;
}

function sendToEditor(deps: EditorDeps, draft: StoredDraftRow, order: EditingOrder): Promise<Answer> {
  return deps.editors.with(draft.id, async (process, isNew) => {
    if (isNew) await begin(deps, draft, process);
    let answer = await process.send(order);
    if (answer.kind === 'unknown') {
      // Another server has changed the draft meanwhile.
      await begin(deps, draft, process);
      answer = await process.send(order);
    }
    if (answer.kind === 'refused') throw asError(answer.refusal);
    return answer;
  });
}

async function begin(
  { db, storage, memoryBytes }: EditorDeps,
  draft: StoredDraftRow,
  process: EditingProcess,
): Promise<void> {
  if (draft.graph_key === null) throw new StorageUnreadable(new Error('A draft has a revision but no stored draft'));
  const operations = await listOperations(db, draft.id, draft.operation);
  await process.send({
    kind: 'begin',
    place: storage.place,
    graphKey: draft.graph_key,
    // Others were refused before they were stored.
    operations: operations as readonly MadeOperation[],
    viewId: viewIdOf(draft),
    memoryBytes,
  });
}

function viewIdOf({ view_id }: StoredDraftRow): string {
  if (view_id === null) throw asError({ code: 'draft/not-ready' });
  return view_id;
}
