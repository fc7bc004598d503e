import { firstRates, type StageRates } from '@kc/rules/clustering-time';
import type { DraftOperation } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { News } from '@kc/rules/webhook';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { DraftRow } from '../database/draft-tables.ts';
import { notify } from '../database/notifications.ts';
import { changesRow, countOf, type Queryable } from '../database/open.ts';
import type { Database, UploadRow } from '../database/schema.ts';
import { readRates } from './clustering-times.ts';

export type StoredDraftRow = Selectable<DraftRow>;

/** That a draft waits for somebody to publish it. */
export const waitingNews = (
  { id: draft, name, owner_id: ownerId, begun_by: byId }: StoredDraftRow,
  reasons: readonly Refusal[],
): News => ({ event: 'import.waiting', draft, name, ownerId, byId, reasons });

/**
 * Whether a draft that is ready is going to be published without anybody: it was not refused, nothing in it is a guess, and
 * nobody has begun to edit it.
 */
export const publishesItself = ({
  state,
  hands_off,
  open_questions,
  refusal,
  operation,
  lease_by,
}: StoredDraftRow): boolean =>
  state === 'ready' &&
  hands_off?.publishes === true &&
  (open_questions ?? []).length === 0 &&
  refusal === null &&
  operation === 0 &&
  lease_by === null;

/** A draft with what is known about it from other tables. */
export type DraftRecord = StoredDraftRow & {
  readonly ownerEmail: string;
  readonly baseName: string | null;
  readonly editor: { readonly email: string; readonly displayName: string } | undefined;
  /** The lists in their order. */
  readonly lists: readonly Pick<Selectable<UploadRow>, 'id' | 'file_name' | 'size' | 'received'>[];
  /** The number of its last operation, whether or not that was undone; 0 without one. */
  readonly lastOperation: number;
  /** Drafts that are clustered before this one, if it is queued. */
  readonly waiting: number;
  readonly visualizationId: string | undefined;
  /** The share of its upload that ingest has read; 0 without an upload. */
  readonly published: number;
  /** What the stages of clustering take here. */
  readonly rates: StageRates;
};

/** Adds what other tables know about a draft. */
export async function withDetails(db: Queryable, draft: StoredDraftRow): Promise<DraftRecord> {
  const ids = [draft.owner_id, ...(draft.lease_by === null ? [] : [draft.lease_by])];
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'display_name'])
    .where('id', 'in', ids)
    .execute();
  const owner = accounts.find(({ id }) => id === draft.owner_id);
  const editor = accounts.find(({ id }) => id === draft.lease_by);
  return {
    ...draft,
    ownerEmail: owner?.email ?? '',
    baseName: await baseNameOf(db, draft),
    editor: editor && { email: editor.email, displayName: editor.display_name },
    lists: await listsOf(db, draft.id),
    lastOperation: await lastOperationOf(db, draft.id),
    waiting: await waitingBefore(db, draft),
    visualizationId: await madeOf(db, draft),
    published: await shareOf(db, draft),
    rates: draft.state === 'working' ? await readRates(db) : firstRates,
  };
}

async function baseNameOf(db: Queryable, { base_id }: StoredDraftRow): Promise<string | null> {
  if (base_id === null) return null;
  const base = await db.selectFrom('visualizations').select('file_name').where('id', '=', base_id).executeTakeFirst();
  return base?.file_name ?? null;
}

const listsOf = (db: Queryable, draftId: string) =>
  db
    .selectFrom('uploads')
    .select(['id', 'file_name', 'size', 'received'])
    .where('draft_id', '=', draftId)
    .where('kind', '=', 'list')
    .orderBy('place')
    .execute();

async function lastOperationOf(db: Queryable, draftId: string): Promise<number> {
  const found = await db
    .selectFrom('draft_operations')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('draft_id', '=', draftId)
    .executeTakeFirst();
  return found?.last ?? 0;
}

async function waitingBefore(db: Queryable, { state, touched_at }: StoredDraftRow): Promise<number> {
  if (state !== 'queued') return 0;
  const before = db
    .selectFrom('drafts')
    .where((e) =>
      e.or([e('state', '=', 'working'), e.and([e('state', '=', 'queued'), e('touched_at', '<', touched_at)])]),
    );
  return countOf(before);
}

async function madeOf(db: Queryable, { upload_id }: StoredDraftRow): Promise<string | undefined> {
  if (upload_id === null) return undefined;
  const made = await db.selectFrom('visualizations').select('id').where('upload_id', '=', upload_id).executeTakeFirst();
  return made?.id;
}

async function shareOf(db: Queryable, { upload_id, state }: StoredDraftRow): Promise<number> {
  if (upload_id === null || state !== 'publishing') return 0;
  const upload = await db.selectFrom('uploads').select('share').where('id', '=', upload_id).executeTakeFirst();
  return upload?.share ?? 0;
}

/** One operation of a draft, undone or not. */
export async function findOperation(
  db: Queryable,
  draftId: string,
  number: number,
): Promise<DraftOperation | undefined> {
  const found = await db
    .selectFrom('draft_operations')
    .select('operation')
    .where('draft_id', '=', draftId)
    .where('number', '=', number)
    .executeTakeFirst();
  return found?.operation;
}

/** The first operations of a draft, in order. */
export async function listOperations(db: Queryable, draftId: string, count: number): Promise<DraftOperation[]> {
  const rows = await db
    .selectFrom('draft_operations')
    .select('operation')
    .where('draft_id', '=', draftId)
    .where('number', '<=', count)
    .orderBy('number')
    .execute();
  return rows.map(({ operation }) => operation);
}

/**
 * Announces a change of a draft to everybody whose page may show it: its owner, who began it, and who edits it.
 *
 * @param before who edited it until now, if that was somebody else
 */
export async function announceDraft(
  db: Queryable,
  { owner_id, begun_by, lease_by }: Pick<StoredDraftRow, 'owner_id' | 'begun_by' | 'lease_by'>,
  before: string | null = null,
): Promise<void> {
  const concerned = new Set([owner_id, begun_by, lease_by, before]);
  for (const accountId of concerned) if (accountId !== null) await notify(db, { about: 'drafts', accountId });
}

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
