import { cleanDescription } from '@kc/rules/visualization';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { lockActing } from './acting.ts';
import type { Activation } from './ingest/activate.ts';
import { setDescription, type VisualizationRecord } from './queries.ts';

/** Changes the description beside a visualization's name. @param actorId who asks */
export async function describe(
  { db, mayDo, now }: Pick<Activation, 'db' | 'mayDo' | 'now'>,
  actorId: string,
  { id, user_id, file_name }: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
  description: string,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockActing(transaction, mayDo, actorId, { do: 'visualizations/change', ownerId: user_id });
    if (!(await setDescription(transaction, id, cleanDescription(description)))) return;
    const details = { file: file_name, visualization: id };
    await audit(transaction, { actor: actorId, action: 'describe', target: user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: user_id });
  });
}
