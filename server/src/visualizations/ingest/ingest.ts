import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from '../../jobs/jobs.ts';
import { newKey } from '../../storage/storage.ts';
import { beginAttempt, forgetAttempt, type Upload } from '../upload/upload-queries.ts';
import type { Unlock, UploadSession } from '../upload/upload-session.ts';
import { OwnerGone } from './activate.ts';
import { type FinishParts, failUpload, finishUpload, refusalOfFault } from './finish-upload.ts';
import type { MemoryShares } from './memory-shares.ts';
import { readingProgress } from './reading-progress.ts';
import { runIngest } from './run-ingest.ts';

export type IngestParts = FinishParts & {
  readonly session: UploadSession;
  readonly shares: MemoryShares;
  /** `INGEST_MEMORY`. */
  readonly memoryBytes: number;
};

export type IngestJob = { readonly uploadId: string };

export const ingestQueueName = 'ingest';
const maxAttempts = 3;
const expireSeconds = 6 * 3600;
const leaseRetryMs = 100;

/** Who has this lock, and nobody else on any server, reads the upload and decides what becomes of it. */
export const readingLock = (uploadId: string): string => `reading:${uploadId}`;

/**
 * Turns a received file into its owner's active visualization, if reading behind its transfer has not done so. May be
 * begun again at any point, see {@link finishUpload}.
 */
export function ingestQueue(parts: IngestParts): Queue<IngestJob> {
  return {
    name: ingestQueueName,
    expireSeconds,
    async run({ uploadId }, signal) {
      const unlock = await waitForLock(parts.session, uploadId, signal);
      try {
        await attempt(parts, uploadId, signal);
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

async function attempt(parts: IngestParts, uploadId: string, signal: AbortSignal): Promise<void> {
  const { db } = parts.activation;
  const upload = await beginAttempt(db, uploadId, new Date(parts.now()));
  if (!upload) return;
  // A server that died on the way could not count its own failure: it is counted here.
  if (upload.attempts > maxAttempts) return failUpload(parts, upload, { code: 'upload/failed' });
  try {
    await ingest(parts, upload, signal);
  } catch (error) {
    if (signal.aborted) {
      await forgetAttempt(db, uploadId);
      throw error;
    }
    await afterFault(parts, upload, error);
  }
}

async function ingest(parts: IngestParts, upload: Upload, signal: AbortSignal): Promise<void> {
  const { storage, memoryBytes } = parts;
  const share = await parts.shares.alone(signal);
  const tempKey = newKey('temp');
  const gone = new AbortController();
  const progress = readingProgress(parts, upload.id, () => gone.abort(new OwnerGone()));
  try {
    const request = { place: storage.place, fileKey: upload.file_key, tempKey, fileBytes: upload.size, memoryBytes };
    const outcome = await runIngest(request, AbortSignal.any([signal, gone.signal]), (read) => {
      share.need(read.neededBytes);
      progress.report(read.share);
    });
    await progress.settled();
    if (outcome.ok) await finishUpload(parts, upload, tempKey, outcome.facts);
    else await failUpload(parts, upload, outcome.refusal);
  } finally {
    share.release();
    await progress.settled();
    await storage.remove(tempKey);
  }
}

/** Throws the fault on, to be tried again, until it has been met often enough. */
async function afterFault(parts: IngestParts, upload: Upload, fault: unknown): Promise<void> {
  if (!(fault instanceof OwnerGone)) {
    parts.log.error({ err: fault, upload: upload.id, attempt: upload.attempts }, 'An upload could not be read');
    if (upload.attempts < maxAttempts) throw fault;
  }
  await failUpload(parts, upload, refusalOfFault(fault));
}
