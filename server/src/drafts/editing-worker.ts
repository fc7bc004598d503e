import { reviewPage } from '@kc/cluster/draft/review';
import type { Refusal } from '@kc/rules/result';
import { openStorage } from '../storage/open.ts';
import { faultKindOf, newKey, type Storage, StorageUnreadable } from '../storage/storage.ts';
import { writeBlocks } from '../storage/whole-objects.ts';
import { withinLimits } from '../storage/writing-limits.ts';
import { faultIn, say, workForServer } from '../worker-process.ts';
import { countsOf, marksOf } from './draft-figures.ts';
import { EditHistory } from './edit-history.ts';
import type { EditedDraftSource, EditingAnswer, EditingOrder } from './editing-messages.ts';
import { writeRevision } from './revision.ts';
import { jsonOf, readStoredDraft, type StoredDraft } from './stored-draft.ts';

// The process that edits one draft: it holds the draft in memory and writes a revision for every change. See
// editing-process.ts.

type Edited = {
  readonly storage: Storage;
  readonly stored: StoredDraft;
  readonly history: EditHistory;
  readonly memoryBytes: number;
};

let edited: Edited | undefined;
let last: Promise<void> = Promise.resolve();
await workForServer((order: EditingOrder) => {
  last = last.then(() => answerTo(order)).then(say);
});

async function answerTo(order: EditingOrder): Promise<EditingAnswer> {
  try {
    if (order.kind === 'begin') {
      edited = await begin(order);
      return { kind: 'started' };
    }
    if (!edited) return { kind: 'unknown' };
    switch (order.kind) {
      case 'change':
        return await change(edited, order);
      case 'rename-root':
        return await renameRoot(edited, order);
      case 'review':
        return review(edited, order);
    }
  } catch (error) {
    const cause = error instanceof StorageUnreadable && error.cause !== undefined ? error.cause : error;
    return { ...faultIn(cause), of: faultKindOf(error) };
  }
}

async function begin({ place, graphKey, operations, viewId, memoryBytes }: EditedDraftSource): Promise<Edited> {
  const storage = withinLimits(await openStorage(place));
  try {
    const stored = await readStoredDraft(storage, graphKey);
    return { storage, stored, history: new EditHistory(stored, operations, viewId), memoryBytes };
  } catch (error) {
    // Missing, broken, of another format, or not what the operations were made on: it cannot be changed.
    throw new StorageUnreadable(error);
  }
}

async function change(
  { storage, stored, history, memoryBytes }: Edited,
  { base, next, change }: Extract<EditingOrder, { kind: 'change' }>,
): Promise<EditingAnswer> {
  const proposed = history.propose(base, next, change);
  if ('unknown' in proposed) return { kind: 'unknown' };
  if ('refusal' in proposed) return { kind: 'refused', refusal: { code: proposed.refusal } as Refusal };
  const { state, effect } = proposed;
  const revision = await writeRevision(storage, jsonOf(stored, state), memoryBytes, stored.fieldMap);
  if ('refusal' in revision) return { kind: 'refused', refusal: revision.refusal };
  const figures = { counts: countsOf(state), marks: marksOf(stored, state), stop: state.stop };
  return { kind: 'changed', revision, effect, ...figures };
}

async function renameRoot(
  { storage, stored, history }: Edited,
  { base, name }: Extract<EditingOrder, { kind: 'rename-root' }>,
): Promise<EditingAnswer> {
  const state = history.state(base);
  if (!state) return { kind: 'unknown' };
  const file = newKey('temp');
  return { kind: 'renamed', file, fileBytes: await writeBlocks(storage, file, jsonOf(stored, state, name)) };
}

function review(
  { stored, history }: Edited,
  { base, range }: Extract<EditingOrder, { kind: 'review' }>,
): EditingAnswer {
  const state = history.state(base);
  return state ? { kind: 'listed', page: reviewPage(stored.context, state, stored.name, range) } : { kind: 'unknown' };
}
