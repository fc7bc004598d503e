import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal, Result } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import { audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import { codeOf, type Db, inTransaction, isUnavailable } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Log } from '../../log.ts';
import { type flipActive, insertVisualization, lockOwner, type VisualizationRecord } from '../queries.ts';

export type Activation = {
  readonly db: Db;
  /** The step that makes one visualization of a person the active one, within a transaction. */
  readonly flip: typeof flipActive;
  /** Whether this account may upload at this moment; it keeps the right until the transaction ends. */
  readonly mayUpload: (transaction: Transaction<Database>, accountId: string) => Promise<Result<unknown>>;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Saves the record of a finished upload and makes it its owner's active one, together or not at all. When the flip
 * cannot be done the record stays, inactive, and the warning to show is returned.
 *
 * Saving a record that is there already changes nothing: finishing an upload twice makes one visualization.
 *
 * The uploader's rights are read again in each of these transactions: an upload takes minutes, and its sender may have
 * been demoted, denied or deleted since the last byte arrived.
 *
 * Source: spec §4 "Visualization activity", §8; decisions §4.7; security REL-03, REL-04, REL-06.
 *
 * @throws Withdrawn when the upload may not be finished any more
 * @throws whatever the database throws when not even the record can be saved
 */
export async function saveAndActivate(
  activation: Activation,
  record: Omit<VisualizationRecord, 'is_active'>,
): Promise<Refusal | undefined> {
  const { db, flip, log } = activation;
  const inactive = { ...record, is_active: false };
  try {
    await patiently(() =>
      inTransaction(db, async (transaction) => {
        const owner = await permittedOwner(activation, transaction, record);
        if (await insertVisualization(transaction, { ...inactive, user_id: owner })) {
          await flip(transaction, owner, record.id);
        }
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof Withdrawn || isBusy(error)) throw error;
    log.error({ err: error, visualization: record.id }, 'A visualization could not be made the active one');
    await inTransaction(db, async (transaction) => {
      const owner = await permittedOwner(activation, transaction, record);
      await insertVisualization(transaction, { ...inactive, user_id: owner });
    });
    return { code: 'upload/not-activated' };
  }
}

/**
 * Locks the owner and the uploader. Both are locked in the order of their ids, so that two admins who upload for each
 * other cannot deadlock.
 *
 * @returns the owner's id, see {@link lockOwner}
 * @throws Withdrawn when either is gone, or the uploader may not upload any more
 */
async function permittedOwner(
  { mayUpload }: Activation,
  transaction: Transaction<Database>,
  { user_id, uploaded_by }: Pick<VisualizationRecord, 'user_id' | 'uploaded_by'>,
): Promise<string> {
  const current = new Map<string, string | undefined>();
  for (const id of [...new Set([user_id, uploaded_by])].sort()) current.set(id, await lockOwner(transaction, id));
  const owner = current.get(user_id);
  const uploader = current.get(uploaded_by);
  if (owner === undefined || uploader === undefined) throw new OwnerGone();
  const permitted = await mayUpload(transaction, uploader);
  if (!permitted.ok) throw new Withdrawn(permitted.refusal);
  return owner;
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

/** What an upload was begun with does not hold any more. Reading the file again would change nothing. */
export class Withdrawn extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The upload may not be finished: ${refusal.code}`);
    this.name = 'Withdrawn';
    this.refusal = refusal;
  }
}

/** The person the file was for, or who sent it, was deleted while it was read. */
export class OwnerGone extends Withdrawn {
  constructor() {
    super({ code: 'account/not-found' });
    this.name = 'OwnerGone';
  }
}
