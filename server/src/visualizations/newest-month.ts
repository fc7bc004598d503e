import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { lockActing } from './acting.ts';
import type { Activation } from './ingest/activate.ts';
import { setNewestMonth, type VisualizationRecord } from './queries.ts';

/**
 * Records which month the newest of a file's twelve is, for files that only number them. Months that the file names take
 * precedence.
 *
 * @param actorId who asks
 * @param month as in `2026-04`; null if nobody knows any more
 */
export async function nameNewestMonth(
  { db, mayDo, now }: Pick<Activation, 'db' | 'mayDo' | 'now'>,
  actorId: string,
  { id, user_id, file_name }: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
  month: string | null,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockActing(transaction, mayDo, actorId, { do: 'visualizations/change', ownerId: user_id });
    if (!(await setNewestMonth(transaction, id, month))) return;
    const details = { file: file_name, visualization: id, ...(month !== null && { month }) };
    await audit(transaction, { actor: actorId, action: 'newest-month', target: user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: user_id });
  });
}
