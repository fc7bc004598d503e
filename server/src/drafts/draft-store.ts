import { type Selectable, sql, type Updateable } from 'kysely';
import { changesRow, type Queryable } from '../database/open.ts';
import type { Database, UploadRow } from '../database/schema.ts';
import type { StoredDraftRow } from './draft-queries.ts';

type ListUpload = Selectable<UploadRow>;

/** An owner's drafts that are not published, newest first. @param begunBy only those that this account began */
export function listDrafts(db: Queryable, ownerId: string, begunBy: string | undefined): Promise<StoredDraftRow[]> {
  const drafts = db
    .selectFrom('drafts')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('state', '!=', 'published')
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return (begunBy === undefined ? drafts : drafts.where('begun_by', '=', begunBy)).execute();
}

/** The lists of a draft, in their order. */
export function listsOfDraft(db: Queryable, id: string): Promise<ListUpload[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('draft_id', '=', id)
    .where('kind', '=', 'list')
    .orderBy('place')
    .execute();
}

/** Drafts of an owner that are not published: in all, and those that this account began. */
export async function countDrafts(
  db: Queryable,
  ownerId: string,
  begunBy: string,
): Promise<{ readonly all: number; readonly own: number }> {
  return (
    db
      .selectFrom('drafts')
      .select([
        sql<number>`count(*)::integer`.as('all'),
        sql<number>`count(*) filter (where begun_by = ${begunBy})::integer`.as('own'),
      ])
      .where('owner_id', '=', ownerId)
      .where('state', '!=', 'published')
      // Nobody looks at what a program could not import: it must not be in the way of next month's list.
      .where((e) => e.or([e('state', '!=', 'failed'), e('hands_off', 'is', null)]))
      .executeTakeFirstOrThrow()
  );
}

/** One attempt to cluster the lists of a draft. It decides nothing any more once another one has begun. */
export type ClusteringRun = { readonly draftId: string; readonly runId: string };

/** Counts one more attempt to cluster the lists; `undefined` if there is nothing left to do. */
export async function beginClustering(
  db: Queryable,
  { draftId, runId }: ClusteringRun,
  now: Date,
): Promise<StoredDraftRow | undefined> {
  return db
    .updateTable('drafts')
    .set((e) => ({
      state: 'working',
      run_id: runId,
      stage: null,
      stage_at: null,
      counted: null,
      done: null,
      total: null,
      share: 0,
      attempts: e('attempts', '+', 1),
      refusal: null,
      touched_at: now,
    }))
    .where('id', '=', draftId)
    .where('state', 'in', ['queued', 'working'])
    .returningAll()
    .executeTakeFirst();
}

/** Takes back an attempt that the server itself interrupted by stopping. */
export async function forgetClustering(db: Queryable, run: ClusteringRun): Promise<void> {
  await workingOn(db, run)
    .set((e) => ({ state: 'queued', stage: null, share: 0, attempts: e('attempts', '-', 1) }))
    .execute();
}

/**
 * Changes a draft that this attempt is clustering.
 *
 * @returns whether it is: the draft can be stopped, started again or discarded meanwhile
 */
export async function changeWorking(
  db: Queryable,
  run: ClusteringRun,
  changes: Updateable<Database['drafts']>,
): Promise<boolean> {
  return changesRow(workingOn(db, run).set(changes));
}

const workingOn = (db: Queryable, { draftId, runId }: ClusteringRun) =>
  db.updateTable('drafts').where('id', '=', draftId).where('run_id', '=', runId).where('state', '=', 'working');

/** The storage keys that the lists and the revision of drafts have. */
export const keysOf = (draft: StoredDraftRow, lists: readonly ListUpload[]): string[] =>
  [draft.graph_key, draft.file_key, draft.pack_key, ...lists.map((list) => list.file_key)].filter(
    (key) => key !== null,
  );

/** Removes a draft that is still in one of these states, and with it its lists and operations. */
export async function deleteDraft(
  db: Queryable,
  id: string,
  states: readonly StoredDraftRow['state'][],
): Promise<StoredDraftRow | undefined> {
  return db
    .deleteFrom('drafts')
    .where('id', '=', id)
    .where('state', 'in', [...states])
    .returningAll()
    .executeTakeFirst();
}
