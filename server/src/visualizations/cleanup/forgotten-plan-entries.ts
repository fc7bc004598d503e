import { limits } from '@kc/rules/limits';
import type { Queryable } from '../../database/open.ts';

/**
 * Deletes the entries that were removed from plans more than `limits.planRemovedKeptMs` ago. The database deletes their
 * history with them.
 */
export async function deleteForgottenPlanEntries(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom('plan_entries')
    .where('is_planned', '=', false)
    .where('removed_at', '<', new Date(now - limits.planRemovedKeptMs))
    .execute();
}
