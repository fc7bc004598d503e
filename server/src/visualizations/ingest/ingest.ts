import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '@kc/rules/result';
import type { Queue } from '../../jobs/jobs.ts';
import type { ServerParts } from '../../server-parts.ts';
import { newKey, StorageFull, StorageUnavailable } from '../../storage/storage.ts';
import { beginAttempt, findUpload, forgetAttempt, type Upload } from '../upload/upload-queries.ts';
import type { Unlock, UploadSession } from '../upload/upload-session.ts';
import { FieldsCorrected, Withdrawn } from './activate.ts';
import {
  type AttemptLog,
  attemptLog,
  type FinishDeps,
  failUpload,
  finishUpload,
  readingProgress,
  refusalOfFault,
  Superseded,
  whyEnded,
} from './finish-upload.ts';
import type { ReadShare } from './ingest-messages.ts';
import { runIngest } from './run-ingest.ts';

export type IngestDeps = FinishDeps &
  Pick<ServerParts, 'session' | 'shares' | 'memoryBytes' | 'startReading'> & {
    /** Milliseconds without progress after which an upload that is read while it arrives loses its slot. */
    readonly idleMs?: number | undefined;
  };

type IngestJob = { readonly uploadId: string };

const ingestQueueName = 'ingest';
const maxAttempts = 3;
const expireSeconds = 6 * 3600;
const leaseRetryMs = 100;
/** While the storage does not answer, each attempt starts a process in vain. */
const retrySeconds = 3;

/** The holder of this lock, and no other server, reads the upload and decides its fate. */
export const readingLock = (uploadId: string): string => `reading:${uploadId}`;

/**
 * Turns a received file into its owner's active visualization, if reading during the upload has not done so already.
 * Can be repeated at any point, see {@link finishUpload}.
 */
export function ingestQueue(deps: IngestDeps): Queue<IngestJob> {
  return {
    name: ingestQueueName,
    expireSeconds,
    retrySeconds,
    async run({ uploadId }, signal) {
      const unlock = await waitForLock(deps.session, uploadId, signal);
      try {
        await attempt(deps, uploadId, signal);
      } finally {
        await unlock();
      }
    },
  };
}

async function waitForLock(session: UploadSession, uploadId: string, signal: AbortSignal): Promise<Unlock> {
  for (;;) {
    const unlock = await session.tryLock(readingLock(uploadId));
    if (unlock) return unlock;
    await pause(leaseRetryMs, undefined, { signal });
  }
}

async function attempt(deps: IngestDeps, uploadId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps.activation;
  const upload = await beginAttempt(db, uploadId, new Date(deps.now()));
  if (!upload) return;
  const report = attemptLog(deps.log, uploadId, 'after its last byte');
  // A server that died during an attempt could not count its failure, so it is counted here.
  if (upload.attempts > maxAttempts) {
    report.ended('refused', `${maxAttempts} attempts ended without a word`);
    return failUpload(deps, upload, { code: 'upload/failed' });
  }
  report.began(upload.attempts);
  try {
    const refusal = await ingest(deps, upload, signal);
    report.ended(refusal ? 'refused' : 'active', refusal?.code);
  } catch (error) {
    if (signal.aborted) {
      report.ended('interrupted', 'The server stops, or the job took too long');
      await forgetAttempt(db, upload);
      throw error;
    }
    await afterFault(deps, upload, error, report);
  }
}

/**
 * Reads the file until nobody corrects its fields meanwhile.
 *
 * @returns what is wrong with the file, if anything
 */
async function ingest(deps: IngestDeps, upload: Upload, signal: AbortSignal): Promise<Refusal | undefined> {
  for (let current = upload; ; ) {
    try {
      return await readOnce(deps, current, signal);
    } catch (error) {
      if (!(error instanceof FieldsCorrected)) throw error;
      const corrected = await findUpload(deps.activation.db, upload.id);
      if (corrected?.fence !== upload.fence) throw await whyEnded(deps.activation.db, upload);
      current = corrected;
    }
  }
}

async function readOnce(deps: IngestDeps, upload: Upload, signal: AbortSignal): Promise<Refusal | undefined> {
  const { storage, memoryBytes } = deps;
  const share = await deps.shares.alone(signal);
  const tempKey = newKey('temp');
  const superseded = new AbortController();
  const progress = readingProgress(deps, (why) => superseded.abort(why));
  try {
    const { file_key: fileKey, size: fileBytes, field_map: fieldMap } = upload;
    const request = { place: storage.place, fileKey, tempKey, fileBytes, memoryBytes, fieldMap };
    const onProgress = (read: ReadShare): void => {
      share.need(read.neededBytes);
      progress.report(upload, read.share);
    };
    const outcome = await runIngest(
      request,
      AbortSignal.any([signal, superseded.signal]),
      onProgress,
      deps.startReading,
    );
    await progress.settled();
    if (outcome.ok) await finishUpload(deps, upload, tempKey, outcome);
    else await failUpload(deps, upload, outcome.refusal);
    return outcome.ok ? undefined : outcome.refusal;
  } finally {
    share.release();
    await progress.settled();
    await storage.remove(tempKey);
  }
}

/** Rethrows the fault, so that the job is retried, until there were too many attempts. */
async function afterFault(deps: IngestDeps, upload: Upload, fault: unknown, report: AttemptLog): Promise<void> {
  if (fault instanceof StorageUnavailable) {
    // Nothing was learned about the file, so this was no attempt.
    report.ended('interrupted', 'The storage does not answer');
    await forgetAttempt(deps.activation.db, upload);
    throw fault;
  }
  if (fault instanceof Superseded) {
    // The job waits for the other attempt, and reads the upload again should that be interrupted.
    report.ended('dropped', fault.message);
    throw fault;
  }
  const refusal = refusalOfFault(fault);
  if (!(fault instanceof Withdrawn)) {
    const event = fault instanceof StorageFull ? 'storage-full' : 'upload-unread';
    deps.log.error({ event, err: fault, upload: upload.id, attempt: upload.attempts }, 'An upload could not be read');
    if (upload.attempts < maxAttempts) {
      report.ended('interrupted', refusal.code);
      throw fault;
    }
  }
  report.ended('refused', refusal.code);
  await failUpload(deps, upload, refusal);
}
