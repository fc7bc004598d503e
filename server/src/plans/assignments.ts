import { ownerAccount } from '@kc/rules/plan';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';

/** Queues telling an account within the transaction what it was made the owner of. @param at ms since 1970 */
export type TellOwners = (tx: Transaction<Database>, accountId: string, at: number) => Promise<void>;

/** What a write changes of an entry. */
type Change = { readonly entryId: string; readonly field: string; readonly after: unknown };
/** Who assigned something, where and when. */
type Done = { readonly by: string; readonly visualizationId: string; readonly at: Date };

/**
 * Records what a write assigns to people with an account here, other than the writer.
 *
 * @returns whom to tell
 */
export async function recordAssignments(
  tx: Transaction<Database>,
  changes: readonly Change[],
  { by, visualizationId, at }: Done,
): Promise<string[]> {
  const assigned = changes.flatMap(({ field, after, entryId }) => {
    const account = field === 'assignee' ? ownerAccount(String(after)) : undefined;
    return account === undefined || account === by ? [] : [{ account, entryId }];
  });
  if (assigned.length === 0) return [];
  const accounts = assigned.map(({ account }) => account);
  const entries = assigned.map(({ entryId }) => entryId);
  await sql`
    insert into plan_assignments (account_id, entry_id, visualization_id, by_account, at)
    select a.account, a.entry, ${visualizationId}, ${by}, ${at}
    from unnest(${sql.val(accounts)}::text[], ${sql.val(entries)}::text[]) as a (account, entry)
    join accounts on accounts.id = a.account
    on conflict (account_id, entry_id) do update set
      visualization_id = excluded.visualization_id, by_account = excluded.by_account, at = excluded.at`.execute(tx);
  return [...new Set(accounts)];
}
