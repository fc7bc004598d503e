import { randomUUID } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/pack-format';
import type { MessageCode } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';
import { type AuditLine, audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { newKey, type Storage, StorageFull } from '../storage/storage.ts';
import { type Activation, OwnerGone, saveAndActivate } from './activate.ts';
import { labelFor } from './present.ts';
import { type IngestFacts, runIngest } from './run-ingest.ts';
import {
  beginAttempt,
  forgetAttempt,
  recordFailure,
  recordStep,
  recordSuccess,
  type Upload,
} from './upload-queries.ts';

export type IngestParts = {
  readonly activation: Activation;
  readonly storage: Storage;
  readonly log: Log;
  readonly memoryBytes: number;
  /** Milliseconds since 1970. */
  now(): number;
};

export type IngestJob = { readonly uploadId: string };

export const ingestQueueName = 'ingest';
const maxAttempts = 3;
const expireSeconds = 6 * 3600;

/**
 * Turns a received file into its owner's active visualization. May be begun again at any point: everything it makes
 * has a key chosen when the upload began, and the record is unique by its upload.
 */
export function ingestQueue(parts: IngestParts): Queue<IngestJob> {
  return {
    name: ingestQueueName,
    expireSeconds,
    async run({ uploadId }, signal) {
      const { db } = parts.activation;
      const upload = await beginAttempt(db, uploadId, at(parts));
      if (!upload) return;
      // A server that died on the way could not count its own failure: it is counted here.
      if (upload.attempts > maxAttempts) return fail(parts, upload, refusalFor('upload/failed'));
      try {
        await ingest(parts, upload, signal);
      } catch (error) {
        if (signal.aborted) {
          await forgetAttempt(db, uploadId);
          throw error;
        }
        await afterFault(parts, upload, error);
      }
    },
  };
}

async function ingest(parts: IngestParts, upload: Upload, signal: AbortSignal): Promise<void> {
  const { storage, activation } = parts;
  const tempKey = newKey('temp');
  const gone = new AbortController();
  const progress = reportProgress(parts, upload.id, () => gone.abort(new OwnerGone()));
  try {
    const request = { place: storage.place, fileKey: upload.file_key, tempKey, memoryBytes: parts.memoryBytes };
    const outcome = await runIngest(request, AbortSignal.any([signal, gone.signal]), progress.report);
    await progress.settled();
    if (!outcome.ok) return await fail(parts, upload, outcome.refusal);
    await storage.publish(tempKey, upload.pack_key);
    if (!(await recordStep(activation.db, upload.id, 'saving', 0, at(parts)))) throw new OwnerGone();
    await finish(parts, upload, outcome.facts);
  } finally {
    await progress.settled();
    await storage.remove(tempKey);
  }
}

async function finish(parts: IngestParts, upload: Upload, facts: IngestFacts): Promise<void> {
  const { activation } = parts;
  const time = at(parts);
  const record = {
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
    root_name: facts.rootName,
    file_key: upload.file_key,
    pack_key: upload.pack_key,
    pack_version: packFormatVersion,
    source_hash: null,
  };
  const warning = await saveAndActivate(activation, record).catch((cause: unknown) => {
    throw cause instanceof OwnerGone ? cause : new NotSaved(cause);
  });
  await inTransaction(activation.db, async (transaction) => {
    await recordSuccess(transaction, upload.id, warning, at(parts));
    await audit(transaction, lineFor(upload, warning), parts.now());
    await notify(transaction, { about: 'visualizations', accountId: upload.user_id });
  });
}

/** Throws the fault on, to be tried again, until it has been met often enough. */
async function afterFault(parts: IngestParts, upload: Upload, error: unknown): Promise<void> {
  if (error instanceof OwnerGone) return fail(parts, upload, refusalFor('account/not-found'));
  parts.log.error({ err: error, upload: upload.id, attempt: upload.attempts }, 'An upload could not be read');
  if (upload.attempts < maxAttempts) throw error;
  await fail(parts, upload, refusalFor(codeFor(error)));
}

/** Ends an upload. Whatever happens next, its bytes are never read again, so they go. */
async function fail({ activation, storage, now }: IngestParts, upload: Upload, refusal: Refusal): Promise<void> {
  await inTransaction(activation.db, async (transaction) => {
    await recordFailure(transaction, upload.id, refusal, new Date(now()));
    await audit(transaction, { ...lineFor(upload, refusal), result: 'failed' }, now());
  });
  await storage.remove(upload.pack_key);
  await storage.remove(upload.file_key);
}

/** What the audit log tells of an upload that has ended, with the code of what went wrong on the way. */
function lineFor(upload: Upload, problem: Refusal | undefined): AuditLine {
  return {
    actor: upload.uploader_id,
    action: 'upload',
    target: upload.user_id,
    details: { file: upload.file_name, upload: upload.id, ...(problem ? { code: problem.code } : {}) },
  };
}

/** The record's transaction failed, and so did saving it inactive. */
class NotSaved extends Error {
  constructor(cause: unknown) {
    super('The visualization could not be saved', { cause });
    this.name = 'NotSaved';
  }
}

function codeFor(error: unknown): MessageCode {
  if (error instanceof NotSaved) return 'upload/not-saved';
  return error instanceof StorageFull ? 'upload/storage-refused' : 'upload/failed';
}

const refusalFor = (code: MessageCode): Refusal => ({ code });

const at = (parts: IngestParts): Date => new Date(parts.now());

/**
 * Records the share read, one write at a time: what comes meanwhile is dropped, the next one says more.
 *
 * @param onGone called when there is no such upload any more
 */
function reportProgress(parts: IngestParts, id: string, onGone: () => void) {
  let writing: Promise<void> | undefined;
  return {
    report(share: number): void {
      writing ??= recordStep(parts.activation.db, id, 'reading', share, at(parts))
        .then((isThere) => {
          if (!isThere) onGone();
        })
        .catch((error: unknown) => parts.log.warn({ err: error }, 'Progress could not be recorded'))
        .finally(() => {
          writing = undefined;
        });
    },
    settled: async (): Promise<void> => writing,
  };
}
