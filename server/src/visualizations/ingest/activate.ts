import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '@kc/rules/result';
import { audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import { codeOf, type Db, inTransaction, isUnavailable } from '../../database/open.ts';
import type { Log } from '../../log.ts';
import { type flipActive, insertVisualization, lockOwner, type VisualizationRecord } from '../queries.ts';

export type Activation = {
  readonly db: Db;
  /** The step that makes one visualization of a person the active one, within a transaction. */
  readonly flip: typeof flipActive;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Saves the record of a finished upload and makes it its owner's active one, together or not at all. When the flip
 * cannot be done the record stays, inactive, and the warning to show is returned.
 *
 * Saving a record that is there already changes nothing: finishing an upload twice makes one visualization.
 *
 * Source: spec §4 "Visualization activity", §8; decisions §4.7; security REL-03, REL-04, REL-06.
 *
 * @throws whatever the database throws when not even the record can be saved
 */
export async function saveAndActivate(
  { db, flip, log }: Activation,
  record: Omit<VisualizationRecord, 'is_active'>,
): Promise<Refusal | undefined> {
  const inactive = { ...record, is_active: false };
  try {
    await patiently(() =>
      inTransaction(db, async (transaction) => {
        const owner = await lockOwner(transaction, record.user_id);
        if (!owner) throw new OwnerGone();
        if (await insertVisualization(transaction, { ...inactive, user_id: owner })) {
          await flip(transaction, owner, record.id);
        }
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof OwnerGone || isBusy(error)) throw error;
    log.error({ err: error, visualization: record.id }, 'A visualization could not be made the active one');
    await insertVisualization(db, inactive);
    return { code: 'upload/not-activated' };
  }
}

const attempts = 5;

/** Again, when the database was only too busy: many finishes at once wait for each other. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isBusy(error)) throw error;
      await pause(attempt * 50 + Math.random() * 200);
    }
  }
}

/** No connection was free, or a lock was not given in time. */
function isBusy(error: unknown): boolean {
  const lockNotAvailable = '55P03';
  return isUnavailable(error) || codeOf(error) === lockNotAvailable;
}

/** Makes an existing visualization its owner's active one. @param actorId who asks, for the audit log */
export async function activate(
  { db, flip, now }: Activation,
  actorId: string,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const owner = await lockOwner(transaction, record.user_id);
    if (!owner) return;
    await flip(transaction, owner, record.id);
    const details = { file: record.file_name, visualization: record.id };
    await audit(transaction, { actor: actorId, action: 'activate', target: record.user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: record.user_id });
  });
}

/** The person the file was for, or who sent it, was deleted while it was read. */
export class OwnerGone extends Error {
  constructor() {
    super('The account that this visualization was for is gone');
    this.name = 'OwnerGone';
  }
}
