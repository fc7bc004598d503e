import { limits } from '@kc/rules/limits';
import { sql } from 'kysely';
import type { Queryable } from '../../database/open.ts';

const unfinishedKeptMs = 24 * 3_600_000;

/**
 * Deletes drafts that nobody has touched: those of whose lists nothing has arrived for a day, the others after
 * `limits.draftKeptMs`. Their objects are then swept, because no row refers to them. Room that their lists asked for and did
 * not use no longer counts.
 */
export async function deleteForgottenDrafts(db: Queryable, now: number): Promise<void> {
  const isOld = (age: number) => new Date(now - age);
  await db
    .with('gone', (cte) =>
      cte
        .deleteFrom('drafts')
        .where((e) =>
          e.or([
            e.and([
              e('state', '=', 'receiving'),
              e('touched_at', '<', isOld(unfinishedKeptMs)),
              sql<boolean>`not exists (
                select from uploads u where u.draft_id = drafts.id and u.touched_at >= ${isOld(unfinishedKeptMs)})`,
            ]),
            e.and([
              e('state', 'in', ['ready', 'stopped', 'failed', 'published']),
              e('touched_at', '<', isOld(limits.draftKeptMs)),
            ]),
          ]),
        )
        .returning('id'),
    )
    .updateTable('stored_files')
    .from(['uploads', 'gone'])
    .whereRef('gone.id', '=', 'uploads.draft_id')
    .whereRef('stored_files.key', '=', 'uploads.file_key')
    .set(({ ref }) => ({ bytes: ref('uploads.received') }))
    .execute();
}
