import { limits } from '@kc/rules/limits';
import { uploadMoved } from '../../database/notifications.ts';
import { inTransaction, type Tx } from '../../database/open.ts';
import type { ServerParts } from '../../server-parts.ts';
import { checksummed, emptyChecksum } from '../../storage/checksum.ts';
import type { Appender } from '../../storage/storage.ts';
import { Refused, type Sender, TusError } from './sender.ts';
import type { UploadBody } from './upload-body.ts';
import {
  beginAppending,
  deleteUnfinished,
  findUpload,
  type Received,
  recordReceived,
  type Upload,
} from './upload-queries.ts';

export type UploadStoreDeps = Pick<ServerParts, 'db' | 'storage' | 'queueIngest' | 'now'> & {
  /** Continues the draft of a list that is complete, within the transaction that records its last byte. */
  listKept(transaction: Tx, id: string): Promise<void>;
  /** Continues a draft one of whose lists was cancelled, within the transaction that removes the list. */
  listRemoved(transaction: Tx, draftId: string): Promise<void>;
  /** Milliseconds over which a sender's rate is averaged. */
  readonly rateWindowMs: number;
};

/** What arrives in one request. */
type Arriving = {
  readonly body: UploadBody;
  readonly sender: Sender;
  /** Aborted when another request is to continue the upload. */
  readonly wanted: AbortSignal;
};

/**
 * Appends the bytes of a request to an upload, whose lock it has. Resolves to the durable offset. An offset is recorded
 * only when the bytes before it are durable: every 4 MiB, and whenever a connection ends, however it ends. Each commit
 * reads the sender's rights again: bytes that arrive after they were removed do not count.
 *
 * @throws if the connection breaks
 * @throws Refused if it sends too little, an error was found in earlier bytes, or the sender may no longer upload
 */
export async function appendBytes(deps: UploadStoreDeps, row: Upload, arriving: Arriving): Promise<number> {
  const { body, sender, wanted } = arriving;
  if (row.refusal) throw new Refused(422, row.refusal);
  // A repeated last chunk without bytes: everything is there, and ingest has long begun.
  if (row.received === row.size) return row.size;
  const stop = (): void => body.stop();
  wanted.addEventListener('abort', stop, { once: true });
  // An abort before this line is not announced again.
  if (wanted.aborted) stop();
  let isLost = false;
  const unwatch = sender.watch(() => {
    isLost = true;
    stop();
  });
  try {
    const reached = await appendTo(deps, row, arriving);
    if (isLost) await sender.demand(deps.db);
    return reached;
  } catch (error) {
    if (error instanceof Refused && !(error instanceof TusError)) throw error;
    // 503: tus clients do not retry most statuses that begin with 4.
    if (error instanceof TooSlow) throw new Refused(503, { code: 'upload/too-slow' });
    const now = await findUpload(deps.db, row.id).catch(() => undefined);
    throw now?.refusal ? new Refused(422, now.refusal) : error;
  } finally {
    unwatch();
  }
}

async function appendTo(deps: UploadStoreDeps, row: Upload, arriving: Arriving): Promise<number> {
  const fence = await beginAppending(deps.db, row.id, row.received);
  if (fence === undefined) throw new TusError(409);
  const object = await deps.storage.append(row.file_key, row.received, fence);
  const appender = checksummed(object, row.received === 0 ? emptyChecksum : (row.checksum ?? undefined));
  try {
    return await receive(deps, { ...row, fence }, arriving, appender);
  } finally {
    await appender.close();
  }
}

async function receive(
  deps: UploadStoreDeps,
  { id, size, fence }: Upload,
  { body, sender }: Arriving,
  appender: ReturnType<typeof checksummed>,
): Promise<number> {
  /** Bytes whose commit has begun. */
  let committedTo = appender.size;
  let committing = Promise.resolve();
  // Commits are sequential, and none follows a failed one (SECURITY.md, REL-16): a sync after a failed sync succeeds
  // although bytes are lost.
  const commit = (): void => {
    const { size: to, checksum } = appender.written;
    const received = { from: committedTo, to, fence, checksum };
    committedTo = to;
    committing = committing.then(() => appender.sync()).then(() => record(deps, sender, id, received));
    committing.catch(() => undefined);
  };
  const writes = writeBehind(appender);
  let remaining = size - appender.size;
  try {
    for await (const bytes of atLeast(limits.minUploadBytesPerSecond, deps.rateWindowMs, body)) {
      remaining -= bytes.length;
      if (remaining < 0) throw new TusError(413);
      await writes.take(bytes);
      if (appender.size - committedTo < limits.durableEveryBytes) continue;
      // The next bytes are received while these become durable, but no more than that.
      await committing;
      commit();
    }
  } finally {
    try {
      await writes.settled();
    } finally {
      if (appender.size > committedTo) commit();
      await committing;
    }
  }
  return committedTo;
}

async function record(deps: UploadStoreDeps, sender: Sender, id: string, received: Received): Promise<void> {
  const { db, queueIngest, listKept, now } = deps;
  const state = await inTransaction(db, async (transaction) => {
    await sender.demand(transaction);
    const reached = await recordReceived(transaction, id, received, new Date(now()));
    if (reached === 'received') await queueIngest(transaction, id);
    if (reached === 'kept') await listKept(transaction, id);
    if (reached) await uploadMoved(transaction, id);
    return reached;
  });
  // Cancelled meanwhile, or another server continued the upload: these bytes do not count.
  if (!state) throw new TusError(410);
}

/** Removes an upload that is not complete, with its bytes. */
export async function removeUpload(deps: UploadStoreDeps, id: string, sender: Sender): Promise<void> {
  const { db, storage, listRemoved } = deps;
  const deleted = await inTransaction(db, async (transaction) => {
    await sender.demand(transaction);
    const row = await deleteUnfinished(transaction, id);
    if (row && row.draft_id !== null) await listRemoved(transaction, row.draft_id);
    return row;
  });
  if (!deleted) throw new TusError(404);
  await storage.remove(deleted.file_key);
  await uploadMoved(db, id);
}

/** Gathered while earlier blocks are written. */
const gatheredBytes = 2 ** 19;

/** Writes to an appender. A call for each block of a socket would cost more than copying the blocks together. */
type WriteBehind = {
  /** Settles when there is room for more; rejects if earlier bytes could not be written. */
  take(bytes: Uint8Array): Promise<void>;
  /** Settles when everything is written. */
  settled(): Promise<void>;
};

/** The first bytes are written at once; those that arrive meanwhile are written together afterwards. */
export function writeBehind(appender: Appender): WriteBehind {
  let gathering = new Uint8Array(gatheredBytes);
  let other = new Uint8Array(gatheredBytes);
  let filled = 0;
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (filled > 0) {
      const bytes = gathering.subarray(0, filled);
      [gathering, other, filled] = [other, gathering, 0];
      await appender.write(bytes);
    }
    writing = undefined;
  }

  return {
    async take(bytes) {
      for (let copied = 0; copied < bytes.length; ) {
        if (filled === gatheredBytes) await writing;
        const part = bytes.subarray(copied, copied + gatheredBytes - filled);
        gathering.set(part, filled);
        filled += part.length;
        copied += part.length;
        if (writing) continue;
        writing = writeAll();
        // The error is reported to the waiting caller. No write begins after one that failed.
        writing.catch(() => undefined);
      }
    },
    settled: async () => writing,
  };
}

/** The sender was too slow. */
export class TooSlow extends Error {
  constructor() {
    super('Bytes came too slowly');
    this.name = 'TooSlow';
  }
}

/**
 * The blocks of `source`, as long as they arrive fast enough: a connection that sends a byte now and then occupies a
 * slot that others need. Only time spent waiting for the sender counts.
 *
 * Source: SECURITY.md, REL-23.
 *
 * @param windowMs over which the rate is averaged
 * @throws TooSlow
 */
export async function* atLeast(
  bytesPerSecond: number,
  windowMs: number,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const blocks = source[Symbol.asyncIterator]();
  const minBytes = (bytesPerSecond * windowMs) / 1000;
  let waitedMs = 0;
  let bytes = 0;
  for (let next = blocks.next(); ; ) {
    const since = performance.now();
    const block = await orAfter(windowMs - waitedMs, next);
    waitedMs += performance.now() - since;
    bytes += block && !block.done ? block.value.length : 0;
    if (block?.done) return;
    if (!block || waitedMs >= windowMs) {
      if (bytes < minBytes) throw new TooSlow();
      waitedMs = 0;
      bytes = 0;
    }
    if (!block) continue;
    yield block.value;
    next = blocks.next();
  }
}

/** The result of `work`, or `undefined` if it takes longer. */
async function orAfter<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
