import { randomUUID } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { MessageCode } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';
import { toStorable } from '@kc/rules/storable-text';
import { type AuditLine, audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import { inTransaction, type Queryable, storableJson, type Tx } from '../../database/open.ts';
import type { Log } from '../../log.ts';
import type { ServerParts } from '../../server-parts.ts';
import { type Checksum, ChecksumMismatch } from '../../storage/checksum.ts';
import { StorageFull, StorageUnreadable } from '../../storage/storage.ts';
import { noteMade } from '../../storage/stored-files.ts';
import { findByUpload, type VisualizationRecord } from '../queries.ts';
import { labelFor } from '../responses.ts';
import {
  type Attempt,
  findUpload,
  lockUpload,
  recordFailure,
  recordStep,
  type Upload,
} from '../upload/upload-queries.ts';
import { type Activation, FieldsCorrected, OwnerGone, saveAndActivate, Withdrawn } from './activate.ts';
import type { IngestFacts, IngestOutcome } from './ingest-messages.ts';

export type FinishDeps = Pick<ServerParts, 'storage' | 'log' | 'announce' | 'now'> & {
  readonly activation: Activation;
};

/** What reading an upload led to. */
type ReadUpload = Omit<Extract<IngestOutcome, { ok: true }>, 'ok'>;

/**
 * Publishes the pack of an upload and makes it its owner's active visualization. Can be repeated at any point: the keys
 * were chosen when the upload began, and the record is unique per upload.
 *
 * @param tempKey the complete, durable pack
 * @param upload as its attempt began
 * @throws Withdrawn if an account was deleted meanwhile, or the uploader is no longer an administrator; FieldsCorrected;
 * Superseded; also storage and database errors
 */
export async function finishUpload(
  deps: FinishDeps,
  upload: Upload,
  tempKey: string,
  { facts, packBytes, fileChecksum }: ReadUpload,
): Promise<void> {
  const { activation, storage } = deps;
  await demandReceived(activation.db, upload, fileChecksum);
  if (!(await recordStep(activation.db, upload, 'saving', 0, at(deps)))) throw await whyEnded(activation.db, upload);
  await storage.publish(tempKey, upload.pack_key);
  const dates = await datesOf(activation.db, upload);
  const record = { ...recordOf(upload, facts, at(deps)), ...dates, file_checksum: fileChecksum };
  // Only what is made of drafts counts.
  await noteMade(activation.db, upload.file_key, { key: upload.pack_key, bytes: packBytes });
  const warning = await saveAndActivate(activation, record, facts.moves).catch((cause: unknown) => {
    throw cause instanceof Withdrawn || cause instanceof FieldsCorrected ? cause : new NotSaved(cause);
  });
  await inTransaction(activation.db, (transaction) => succeed(deps, transaction, upload, warning));
}

/** Another attempt reads the upload: this server was stopped for so long that it lost its locks. */
export class Superseded extends Error {
  constructor() {
    super('Another attempt reads it');
    this.name = 'Superseded';
  }
}

/** Why an attempt cannot record anything any more. */
export async function whyEnded(db: Queryable, { id }: Attempt): Promise<Error> {
  return (await findUpload(db, id)) ? new Superseded() : new OwnerGone();
}

/** @throws StorageUnreadable if what was read is not what arrived */
async function demandReceived(db: Queryable, { id }: Upload, read: Checksum): Promise<void> {
  // Read again: the upload may have been read while it arrived.
  const received = (await findUpload(db, id))?.checksum ?? read;
  if (received !== read) throw new StorageUnreadable(new ChecksumMismatch());
}

/**
 * Ends an upload. Its bytes are never read again, so they are deleted, unless its visualization already exists: servers
 * that died after saving it, but before recording that, may have used up all attempts. In that case the upload has
 * succeeded, and the bytes belong to the visualization.
 *
 * @param upload as its attempt began, or as it was while it arrived
 * @throws Superseded, in which case nothing happened
 */
export async function failUpload(deps: FinishDeps, upload: Upload, refusal: Refusal): Promise<void> {
  const { activation, storage } = deps;
  const hasFailed = await inTransaction(activation.db, async (transaction) => {
    const record = await findByUpload(transaction, upload.id);
    if (record) {
      await succeed(deps, transaction, upload, record.is_active ? undefined : { code: 'upload/not-activated' });
      return false;
    }
    const now = await lockUpload(transaction, upload.id);
    if (now && hasBegun(now) && now.fence !== upload.fence) throw new Superseded();
    await recordFailure(transaction, upload.id, refusal, at(deps));
    await draftRefused(transaction, upload, refusal, at(deps));
    await audit(transaction, { ...lineFor(upload, refusal), result: 'failed' }, deps.now());
    const { id, draft_id: draft, file_name: name, user_id: ownerId, uploader_id: byId } = upload;
    const of = { upload: id, ...(draft !== null && { draft }), name, ownerId, byId };
    await deps.announce(transaction, { event: 'import.failed', ...of, reason: refusal });
    return true;
  });
  if (!hasFailed) return;
  for (const key of [upload.pack_key, upload.file_key]) await storage.remove(key);
}

/** Whether an attempt has begun to read the whole file, so that its verdict counts. */
const hasBegun = ({ state }: Upload): boolean => state !== 'receiving' && state !== 'received';

async function succeed(deps: FinishDeps, transaction: Tx, upload: Upload, warning: Refusal | undefined): Promise<void> {
  await transaction
    .updateTable('uploads')
    .set({ state: 'active', share: 1, warning: warning ? JSON.stringify(warning) : null, touched_at: at(deps) })
    .where('id', '=', upload.id)
    .execute();
  await draftSucceeded(transaction, upload, at(deps));
  await audit(transaction, lineFor(upload, warning), deps.now());
  const record = await findByUpload(transaction, upload.id);
  if (record) await deps.announce(transaction, { event: 'import.published', visualizationId: record.id });
  await notify(transaction, { about: 'visualizations', accountId: upload.user_id });
}

/** The refusal of an upload that a fault ended. */
export function refusalOfFault(fault: unknown): Refusal {
  return fault instanceof Withdrawn ? fault.refusal : { code: codeFor(fault) };
}

function codeFor(fault: unknown): MessageCode {
  if (fault instanceof NotSaved) return 'upload/not-saved';
  if (fault instanceof StorageUnreadable) return 'upload/unreadable';
  return fault instanceof StorageFull ? 'upload/storage-refused' : 'upload/failed';
}

/**
 * When the data of a map are from: of a list, the day of its newest export. A map that adjusts another one, or adds search results
 * to it, has the same figures and trends, so what is known of those holds for it as well.
 */
async function datesOf(
  db: Queryable,
  { draft_id }: Upload,
): Promise<Pick<VisualizationRecord, 'newest_month' | 'exported_on'>> {
  const draft =
    draft_id === null
      ? undefined
      : await db
          .selectFrom('drafts')
          .leftJoin('visualizations as base', 'base.id', 'drafts.base_id')
          .select(['drafts.origin', 'drafts.settings', 'drafts.report', 'base.newest_month', 'base.exported_on'])
          .where('drafts.id', '=', draft_id)
          .executeTakeFirst();
  if (!draft) return { newest_month: null, exported_on: null };
  const { origin, settings, report, newest_month, exported_on } = draft;
  const days = (report?.files ?? []).flatMap(({ exported }) => exported ?? []).sort();
  const hasOwnFigures = origin !== 'visualization' && settings.adds === undefined;
  return {
    newest_month: origin === 'visualization' ? newest_month : null,
    exported_on: (hasOwnFigures ? days.at(-1) : exported_on) ?? null,
  };
}

const recordOf = (upload: Upload, facts: IngestFacts, time: Date) => ({
  id: randomUUID(),
  user_id: upload.user_id,
  upload_id: upload.id,
  file_name: upload.file_name,
  storage_path: labelFor(upload, time),
  uploaded_by: upload.uploader_id,
  uploaded_at: time,
  is_sample: false,
  file_size: upload.size,
  description: upload.description,
  keywords: facts.keywords,
  nodes: facts.nodes,
  root_name: toStorable(facts.rootName),
  thumbnail: facts.thumbnail,
  merged: facts.merged,
  file_key: upload.file_key,
  pack_key: upload.pack_key,
  pack_version: packFormatVersion,
  field_map: upload.field_map,
  pack_field_map: upload.field_map,
  source_hash: null,
});

/** The audit log entry of a finished upload, with the code of anything that went wrong on the way. */
function lineFor(upload: Upload, problem: Refusal | undefined): AuditLine {
  return {
    actor: upload.uploader_id,
    action: 'upload',
    target: upload.user_id,
    details: { file: upload.file_name, upload: upload.id, ...(problem ? { code: problem.code } : {}) },
  };
}

/** Both the record's transaction and saving the record inactive failed. */
class NotSaved extends Error {
  constructor(cause: unknown) {
    super('The visualization could not be saved', { cause });
    this.name = 'NotSaved';
  }
}

const at = (deps: FinishDeps): Date => new Date(deps.now());

type ReadingProgress = {
  /** @param share of the file that has been read, 0 to 1 */
  report(attempt: Attempt, share: number): void;
  settled(): Promise<void>;
};

/**
 * Records how much of an upload has been read, one write at a time. Reports during a write are dropped; the next one is
 * more recent.
 *
 * @param onEnded called with the reason if this attempt cannot record anything any more
 */
export function readingProgress({ activation, log, now }: FinishDeps, onEnded: (why: Error) => void): ReadingProgress {
  let writing: Promise<void> | undefined;
  return {
    report(attempt, share) {
      writing ??= recordStep(activation.db, attempt, 'reading', share, new Date(now()))
        .then(async (isRecorded) => {
          if (!isRecorded) onEnded(await whyEnded(activation.db, attempt));
        })
        .catch((error: unknown) => log.warn({ err: error }, 'Progress could not be recorded'))
        .finally(() => {
          writing = undefined;
        });
    },
    settled: async () => writing,
  };
}

/**
 * How an attempt to read an upload ended. `active`: it became a visualization. `refused`: the file was judged, and the
 * upload has failed. `dropped`: the upload was cancelled or settled elsewhere. `interrupted`: nothing is wrong with the
 * file, and it is read again from the start.
 */
type AttemptEnd = 'active' | 'refused' | 'dropped' | 'interrupted';

export type AttemptLog = {
  /** @param number of the attempt, from 1; absent while the file is still arriving */
  began(number?: number): void;
  /** @param reason a code, or a sentence for readers of the log */
  ended(how: AttemptEnd, reason?: string): void;
};

/**
 * Writes one log line when an attempt begins and one when it ends. Reading a large file twice costs minutes, so a
 * restart and its reason must be visible.
 *
 * @param upload its ID
 */
export function attemptLog(log: Log, upload: string, when: 'while it arrives' | 'after its last byte'): AttemptLog {
  return {
    began: (number) =>
      log.info({ event: 'upload-reading-began', upload, when, attempt: number }, 'Started reading an upload'),
    ended(how, reason) {
      const line = { event: 'upload-reading-ended', upload, when, how, reason };
      if (how === 'interrupted')
        log.warn(line, 'Reading an upload was interrupted; it will be read again from the start');
      else log.info(line, 'Finished reading an upload');
    },
  };
}

type Published = Pick<Upload, 'id' | 'draft_id'>;

/**
 * Records that the visualization of an upload exists, for the draft that the upload was published from. The lists of the
 * draft are from now on the visualization's, too. Can be repeated.
 */
async function draftSucceeded(tx: Queryable, upload: Published, now: Date): Promise<void> {
  if (upload.draft_id === null) return;
  const record = await findByUpload(tx, upload.id);
  if (!record) return;
  await tx
    .insertInto('visualization_lists')
    .columns(['visualization_id', 'place', 'name', 'size', 'file_key'])
    .expression(
      tx
        .selectFrom('uploads')
        .select((e) => [e.val(record.id).as('visualization_id'), 'place', 'file_name', 'size', 'file_key'])
        .where('draft_id', '=', upload.draft_id)
        .where('kind', '=', 'list')
        .where('state', '=', 'kept'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await settle(tx, upload, { state: 'published', refusal: null, touched_at: now });
}

/** Gives a draft back to its editor: ingest refused the upload that was made from it. */
async function draftRefused(tx: Queryable, upload: Published, refusal: Refusal, now: Date): Promise<void> {
  await settle(tx, upload, { state: 'ready', refusal: storableJson(refusal), upload_id: null, touched_at: now });
}

async function settle(
  tx: Queryable,
  { id, draft_id }: Published,
  columns: {
    readonly state: 'published' | 'ready';
    readonly refusal: string | null;
    readonly upload_id?: null;
    readonly touched_at: Date;
  },
): Promise<void> {
  if (draft_id === null) return;
  const draft = await tx
    .updateTable('drafts')
    .set(columns)
    .where('id', '=', draft_id)
    .where('upload_id', '=', id)
    .where('state', '=', 'publishing')
    .returning(['owner_id', 'begun_by'])
    .executeTakeFirst();
  for (const accountId of new Set(draft && [draft.owner_id, draft.begun_by])) {
    await notify(tx, { about: 'drafts', accountId });
  }
}
