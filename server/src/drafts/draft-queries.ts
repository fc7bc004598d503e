import { firstRates, type StageRates } from '@kc/rules/clustering-time';
import type { DraftOperation } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { News } from '@kc/rules/webhook';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { DraftRow } from '../database/draft-tables.ts';
import { notify } from '../database/notifications.ts';
import { changesRow, type Queryable } from '../database/open.ts';
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
 * nobody has started to edit it.
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
  const { id, state, touched_at } = draft;
  const [editorId, uploadId] = [draft.lease_by ?? '', draft.upload_id ?? ''];
  const { editorEmail, editorName, ...known } = await db
    .selectNoFrom((e) => [
      e.selectFrom('accounts').select('email').where('id', '=', draft.owner_id).as('ownerEmail'),
      e.selectFrom('accounts').select('email').where('id', '=', editorId).as('editorEmail'),
      e.selectFrom('accounts').select('display_name').where('id', '=', editorId).as('editorName'),
      e
        .selectFrom('visualizations')
        .select('file_name')
        .where('id', '=', draft.base_id ?? '')
        .as('baseName'),
      e.selectFrom('visualizations').select('id').where('upload_id', '=', uploadId).as('visualizationId'),
      e.selectFrom('uploads').select('share').where('id', '=', uploadId).as('share'),
      e
        .selectFrom('draft_operations')
        .select(({ fn }) => fn.max('number').as('last'))
        .where('draft_id', '=', id)
        .as('lastOperation'),
      e
        .selectFrom('drafts')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where((o) =>
          o.or([o('state', '=', 'working'), o.and([o('state', '=', 'queued'), o('touched_at', '<', touched_at)])]),
        )
        .as('before'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...draft,
    ownerEmail: known.ownerEmail ?? '',
    baseName: known.baseName,
    editor: editorEmail === null ? undefined : { email: editorEmail, displayName: editorName ?? '' },
    lists: await listsOfDraft(db, id),
    lastOperation: known.lastOperation ?? 0,
    waiting: state === 'queued' ? (known.before ?? 0) : 0,
    visualizationId: known.visualizationId ?? undefined,
    published: state === 'publishing' ? (known.share ?? 0) : 0,
    rates: state === 'working' ? await readRates(db) : firstRates,
  };
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

/** One attempt to cluster the lists of a draft. Its results are ignored once another one has begun. */
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
