import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '@kc/rules/result';
import { audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import { codeOf, inTransaction, isConflict, isUnavailable, type Tx } from '../../database/open.ts';
import { asError } from '../../http/refusals.ts';
import type { ServerParts } from '../../server-parts.ts';
import { lockActing } from '../acting.ts';
import {
  findVisualization,
  type flipActive,
  insertVisualization,
  isSameMap,
  lockOwners,
  type VisualizationRecord,
} from '../queries.ts';
import { countVisualizations, maxVisualizations } from '../quota.ts';
import { findUpload, lockUpload } from '../upload/upload-queries.ts';
import { type AddressMove, keepMoves, takeMoves } from './moves-at-end.ts';

export type Activation = Pick<ServerParts, 'db' | 'log' | 'mayDo' | 'mayImport' | 'now'> & {
  /** The step that makes one visualization of a user the active one, within a transaction. */
  readonly flip: typeof flipActive;
  /** Whether this account may upload right now. It keeps the right until the transaction ends. */
  readonly mayUpload: ServerParts['isAdmin'];
  /** Lets what refers to branches of earlier maps by their addresses follow them into the record's map. */
  readonly followMoves?: (
    transaction: Tx,
    record: Omit<VisualizationRecord, 'is_active'>,
    moves: readonly AddressMove[],
  ) => Promise<void>;
};

/**
 * Saves the record of a finished upload and makes it its owner's active visualization, both or neither. If it cannot be
 * made active, the record is saved inactive, and the warning to show is returned.
 *
 * What refers to branches that have moved follows them in the same transaction. If the record is saved inactive, the moves
 * are kept until it is activated.
 *
 * Saving an existing record changes nothing: finishing an upload twice creates one visualization.
 *
 * Each of these transactions reads the uploader's rights again: an upload takes minutes, and the uploader may have been
 * demoted, denied or deleted since the last byte arrived.
 *
 * Source: SECURITY.md, REL-03, REL-04, REL-06.
 *
 * @throws Withdrawn if the upload may no longer be finished
 * @throws FieldsCorrected if it has to be read again
 * @throws any database error that prevents even saving the record
 */
export async function saveAndActivate(
  activation: Activation,
  record: Omit<VisualizationRecord, 'is_active'>,
  moves: readonly AddressMove[] = [],
): Promise<Refusal | undefined> {
  const { db, flip, followMoves, log } = activation;
  const inactive = { ...record, is_active: false };
  try {
    await patiently(() =>
      inTransaction(db, async (transaction) => {
        const owner = await permittedOwner(activation, transaction, record);
        await ensureFieldMap(transaction, record);
        if (await insertVisualization(transaction, { ...inactive, user_id: owner })) {
          if (moves.length > 0) await followMoves?.(transaction, { ...record, user_id: owner }, moves);
          await flip(transaction, owner, record.id);
        }
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof Withdrawn || error instanceof FieldsCorrected || isBusy(error)) throw error;
    log.error({ err: error, visualization: record.id }, 'A visualization could not be activated');
    await inTransaction(db, async (transaction) => {
      const owner = await permittedOwner(activation, transaction, record);
      await ensureFieldMap(transaction, record);
      const isNew = await insertVisualization(transaction, { ...inactive, user_id: owner });
      if (isNew && moves.length > 0) await keepMoves(transaction, record.id, moves);
    });
    return { code: 'upload/not-activated' };
  }
}

/**
 * Locks the owner and the uploader.
 *
 * @returns the owner's ID, see {@link lockOwners}
 * @throws Withdrawn if either was deleted, or the uploader may no longer upload
 */
async function permittedOwner(
  { mayUpload, mayImport }: Activation,
  transaction: Tx,
  { user_id, uploaded_by, upload_id }: Pick<VisualizationRecord, 'user_id' | 'uploaded_by' | 'upload_id'>,
): Promise<string> {
  const current = await lockOwners(transaction, [user_id, uploaded_by]);
  const [owner, uploader] = [current(user_id), current(uploaded_by)];
  if (owner === undefined || uploader === undefined) throw new OwnerGone();
  const upload = upload_id === null ? undefined : await findUpload(transaction, upload_id);
  // A draft can be published by anybody who may import lists; only administrators may upload a JSON file.
  if (!upload?.draft_id) {
    const permitted = await mayUpload(transaction, uploader);
    if (!permitted.ok) throw new Withdrawn(permitted.refusal);
    return owner;
  }
  const permitted = await mayImport(transaction, uploader, owner);
  if (!permitted.ok) throw new Withdrawn(permitted.refusal);
  if (permitted.value.hasQuota) await ensureRoom(transaction, owner, upload.id);
  await ensureNotOvertaken(transaction, upload.draft_id);
  return owner;
}

/** Drafts that were published at the same moment find each other here, because they wait for their owner's row. */
async function ensureRoom(transaction: Tx, ownerId: string, uploadId: string): Promise<void> {
  const max = await maxVisualizations(transaction, ownerId);
  const count = await countVisualizations(transaction, ownerId, uploadId);
  if (count >= max) throw new Withdrawn({ code: 'list/too-many-maps', params: { count, max } });
}

/**
 * A list that was published by itself updates the map that was active when it was sent. If another one has taken that
 * place, it would undo what that one brought. Both wait for their owner's row, so one finds the other here.
 */
async function ensureNotOvertaken(transaction: Tx, draftId: string): Promise<void> {
  const overtaken = await transaction
    .selectFrom('drafts')
    .innerJoin('visualizations', 'visualizations.id', 'drafts.base_id')
    .select('drafts.id')
    .where('drafts.id', '=', draftId)
    .where('drafts.hands_off', 'is not', null)
    .where('visualizations.is_active', '=', false)
    .executeTakeFirst();
  if (overtaken) throw new Withdrawn({ code: 'import/overtaken' });
}

/** Corrections that arrive later find the record, because they wait for the upload's row. */
async function ensureFieldMap(
  transaction: Tx,
  { upload_id, field_map }: Pick<VisualizationRecord, 'upload_id' | 'field_map'>,
): Promise<void> {
  const upload = upload_id === null ? undefined : await lockUpload(transaction, upload_id);
  if (upload && !isSameMap(upload.field_map, field_map)) throw new FieldsCorrected();
}

const attempts = 5;

/** Retries if the database was only too busy: many simultaneous finishes wait for each other. */
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

/** No connection was free, or a lock was not granted in time. */
function isBusy(error: unknown): boolean {
  const lockNotAvailable = '55P03';
  return isUnavailable(error) || codeOf(error) === lockNotAvailable;
}

/**
 * Makes an existing visualization its owner's active one. The first time, what refers to branches that have moved follows
 * them in the same transaction. If that fails, the visualization is made active all the same, and the moves are saved for
 * the next time.
 *
 * @param actorId the account that sent the request
 * @throws the refusal as the contract's error if they may not do it any more, or it was deleted
 */
export async function activate(
  activation: Activation,
  actorId: string,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
): Promise<void> {
  try {
    await makeActive(activation, actorId, record, true);
  } catch (error) {
    if (!(error instanceof MovesNotFollowed)) throw error;
    activation.log.error({ err: error.cause, visualization: record.id }, 'What refers to moved branches stays behind');
    await makeActive(activation, actorId, record, false);
  }
}

async function makeActive(
  { db, flip, followMoves, mayDo, now }: Activation,
  actorId: string,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
  follows: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const action = { do: 'visualizations/change', ownerId: record.user_id } as const;
    const owner = await lockActing(transaction, mayDo, actorId, action);
    if (!owner) return;
    // Read again: since the call began it may have been deleted, or its pack rebuilt.
    const found = await findVisualization(transaction, record.id);
    if (!found) throw asError({ code: 'visualization/not-found' });
    const moves = follows ? await takeMoves(transaction, record.id) : [];
    if (moves.length > 0 && followMoves) {
      await followMoves(transaction, { ...found, user_id: owner }, moves).catch((cause: unknown) => {
        // The transaction is retried, or the request is refused, as usual.
        throw isBusy(cause) || isConflict(cause) ? cause : new MovesNotFollowed(cause);
      });
    }
    await flip(transaction, owner, record.id);
    const details = { file: record.file_name, visualization: record.id };
    await audit(transaction, { actor: actorId, action: 'activate', target: record.user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: record.user_id });
  });
}

/** A fault while what refers to moved branches followed them. */
class MovesNotFollowed extends Error {
  constructor(cause: unknown) {
    super('What refers to moved branches could not follow them', { cause });
    this.name = 'MovesNotFollowed';
  }
}

/** The conditions under which the upload began no longer hold. Reading the file again would change nothing. */
export class Withdrawn extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The upload may not be finished: ${refusal.code}`);
    this.name = 'Withdrawn';
    this.refusal = refusal;
  }
}

/** The reading of the file's members was corrected while it was read. */
export class FieldsCorrected extends Error {
  constructor() {
    super('The fields were corrected while the upload was read');
    this.name = 'FieldsCorrected';
  }
}

/** The account that the file was for, or the uploader's, was deleted during the upload. */
export class OwnerGone extends Withdrawn {
  constructor() {
    super({ code: 'account/not-found' });
    this.name = 'OwnerGone';
  }
}
