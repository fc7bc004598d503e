import type { Selectable } from 'kysely';
import type { Queryable } from '../database/open.ts';
import type { FilterPresetRow } from '../database/visualization-tables.ts';
import { isId } from './queries.ts';

export type FilterPresetRecord = Selectable<FilterPresetRow>;

/** An account's presets in the order of their names. */
export function listPresets(db: Queryable, accountId: string): Promise<FilterPresetRecord[]> {
  return db
    .selectFrom('filter_presets')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export async function findPreset(db: Queryable, id: string): Promise<FilterPresetRecord | undefined> {
  if (!isId(id)) return undefined;
  return db.selectFrom('filter_presets').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertPreset(db: Queryable, preset: FilterPresetRecord): Promise<void> {
  await db.insertInto('filter_presets').values(preset).execute();
}

/** @returns the preset with its new values; undefined if it is gone */
export async function setPreset(
  db: Queryable,
  id: string,
  values: Partial<Pick<FilterPresetRecord, 'name' | 'filter'>>,
): Promise<FilterPresetRecord | undefined> {
  return db.updateTable('filter_presets').set(values).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deletePreset(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('filter_presets').where('id', '=', id).execute();
}
