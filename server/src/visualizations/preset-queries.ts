import type { Selectable } from 'kysely';
import type { Queryable } from '../database/open.ts';
import type { PresetRow } from '../database/visualization-tables.ts';
import { isId } from './queries.ts';

export type PresetRecord = Selectable<PresetRow>;
export type PresetKind = PresetRecord['kind'];

/** An account's presets of a kind in the order of their names. */
export function listPresets(db: Queryable, accountId: string, kind: PresetKind): Promise<PresetRecord[]> {
  return db
    .selectFrom('presets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export async function findPreset(db: Queryable, id: string, kind: PresetKind): Promise<PresetRecord | undefined> {
  if (!isId(id)) return undefined;
  return db.selectFrom('presets').selectAll().where('id', '=', id).where('kind', '=', kind).executeTakeFirst();
}

export async function insertPreset(db: Queryable, preset: PresetRecord): Promise<void> {
  await db.insertInto('presets').values(preset).execute();
}

/** @returns the preset with its new values; undefined if it is gone */
export async function setPreset(
  db: Queryable,
  id: string,
  values: Pick<PresetRecord, 'name' | 'text'>,
): Promise<PresetRecord | undefined> {
  return db.updateTable('presets').set(values).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Changes the text of a preset that still has the one before. Its name may have changed meanwhile, and stays. */
export async function replacePresetText(db: Queryable, id: string, before: string, text: string): Promise<void> {
  await db.updateTable('presets').set({ text }).where('id', '=', id).where('text', '=', before).execute();
}

export async function deletePreset(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('presets').where('id', '=', id).execute();
}
