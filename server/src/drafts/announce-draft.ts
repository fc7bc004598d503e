import { notify } from '../database/notifications.ts';
import type { Queryable } from '../database/open.ts';
import type { StoredDraftRow } from './draft-queries.ts';

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
