import { type Selectable, sql } from 'kysely';
import type { Queryable } from '../database/open.ts';
import type { SavedViewRow } from '../database/visualization-tables.ts';
import { isId, type VisualizationRecord } from './queries.ts';

export type SavedViewRecord = Selectable<SavedViewRow>;
/** The data that views belong to: all data of a user under one root, whichever upload it came from. */
export type ViewedData = Pick<VisualizationRecord, 'user_id' | 'root_name'>;

/** A user's saved views of some data, in their order. */
export function listViews(db: Queryable, accountId: string, data: ViewedData): Promise<SavedViewRecord[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('owner_id', '=', data.user_id)
    .where('root_name', '=', data.root_name)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function findView(db: Queryable, id: string): Promise<SavedViewRecord | undefined> {
  if (!isId(id)) return undefined;
  return db.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertView(db: Queryable, view: SavedViewRecord): Promise<void> {
  await db.insertInto('saved_views').values(view).execute();
}

/** Orders views as their IDs are ordered in the list. */
export async function placeViews(db: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    update saved_views v set position = placed.position
    from unnest(${sql.val([...ids])}::text[]) with ordinality as placed (id, position)
    where v.id = placed.id`.execute(db);
}

/** @returns whether the view exists */
export async function setViewName(db: Queryable, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('saved_views').set({ name }).where('id', '=', id).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteView(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('saved_views').where('id', '=', id).execute();
}

/** All views of data, whoever saved them. */
export function viewsOf(db: Queryable, { user_id, root_name }: ViewedData): Promise<SavedViewRecord[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('owner_id', '=', user_id)
    .where('root_name', '=', root_name)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function setViewState(db: Queryable, id: string, state: string): Promise<void> {
  await db.updateTable('saved_views').set({ state }).where('id', '=', id).execute();
}

/** Deletes all views of data that no visualization shows any more. */
export async function dropViewsOf(db: Queryable, { user_id, root_name }: ViewedData): Promise<void> {
  await db
    .deleteFrom('saved_views')
    .where('owner_id', '=', user_id)
    .where('root_name', '=', root_name)
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom('visualizations').select('id').where('user_id', '=', user_id).where('root_name', '=', root_name),
        ),
      ),
    )
    .execute();
}
