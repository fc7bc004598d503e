import { createHash, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createIngest } from '@kc/pack/ingest';
import type { UploadProblem } from '@kc/pack/json/upload-problem';
import type { Tree } from '@kc/pack/tree/tree';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import type { Refusal } from '@kc/rules/result';
import type { UploadLoop } from '../../../../pack/src/upload/name-loop.ts';
import { openStorage } from '../../storage/open.ts';
import { type Appender, type Storage, StorageFull, StorageUnreadable } from '../../storage/storage.ts';
import { type CheckDuringWrite, checkDuringWrite } from './check-during-write.ts';
import { memoryNeeded, memoryRefusal } from './ingest-memory.ts';
import type {
  FaultKind,
  IngestFacts,
  IngestMessage,
  IngestOrder,
  IngestOutcome,
  IngestRequest,
} from './ingest-messages.ts';
import { factsOf } from './pack-facts.ts';
import { syncDuringWrite } from './sync-during-write.ts';
import { uploadLoop } from './upload-loop.ts';

// The process that reads one upload: file → columns → tree → pack, which is verified while it is written. See
// run-ingest.ts.

/** Bytes of the file per read. */
const blockBytes = 1024 * 1024;
/** A smaller pack takes less time to verify than a thread takes to start. */
const worthwhileBytes = 192 * 2 ** 20;

process.umask(0o077);
// The process ends with its server, however that ends. Ctrl-C reaches the whole process group and is handled by the
// server.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

const arrived = createArrival();
process.on('message', (order: IngestOrder) => {
  if (order.kind === 'allow') arrived.upTo(order.bytes);
  else void main(order);
});
// If the machine runs out of memory, the kernel should end this process, not the server. Only Linux has this file.
await writeFile('/proc/self/oom_score_adj', '900').catch(() => undefined);

async function main(request: IngestRequest): Promise<void> {
  try {
    const storage = await openStorage(request.place);
    await say({ kind: 'outcome', outcome: await ingest(storage, request) });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await say({ kind: 'fault', text, of: kindOfFault(error) });
  }
  process.exit();
}

function kindOfFault(error: unknown): FaultKind {
  if (error instanceof StorageFull) return 'full';
  return error instanceof StorageUnreadable ? 'unreadable' : 'other';
}

async function ingest(storage: Storage, request: IngestRequest): Promise<IngestOutcome> {
  const written = await makePack(storage, request);
  if ('refusal' in written) return { ok: false, refusal: written.refusal };
  const { pack, behind } = written;
  try {
    const checked = behind ? behind.finish(pack.size) : check(storage, request.tempKey);
    const [facts] = await Promise.all([checked, pack.sync()]);
    return { ok: true, facts };
  } finally {
    await pack.close();
  }
}

type Written = { readonly pack: Appender; readonly behind: CheckDuringWrite | undefined };

/**
 * The pack, written but not yet durable. The tree is freed when this returns, so that verifying a small pack can use
 * its memory.
 */
async function makePack(storage: Storage, request: IngestRequest): Promise<{ readonly refusal: Refusal } | Written> {
  const loop = uploadLoop();
  const read = await readUpload(storage, request, loop);
  if (!read.ok) return read;
  const pack = syncDuringWrite(await storage.append(request.tempKey, 0));
  let behind: CheckDuringWrite | undefined;
  const write = async (bytes: Uint8Array) => {
    await pack.write(bytes);
    behind?.written(pack.size);
  };
  try {
    await writePack(read.tree, read.sourceSha256, { write }, loop?.names, (head) => {
      const isWorthwhile = head.hashedBytes >= (request.checkBehindBytes ?? worthwhileBytes);
      if (isWorthwhile) behind = checkDuringWrite({ place: request.place, key: request.tempKey }, head);
    });
    return { pack, behind };
  } catch (error) {
    await pack.close();
    throw error;
  }
}

type Read =
  | { readonly ok: true; readonly tree: Tree; readonly sourceSha256: string }
  | { readonly ok: false; readonly refusal: Refusal };

async function readUpload(storage: Storage, request: IngestRequest, loop: UploadLoop | undefined): Promise<Read> {
  const { fileBytes, memoryBytes } = request;
  const hash = createHash('sha256');
  let tooBig: Refusal | undefined;
  const reading = createIngest({
    loop,
    fileBytes,
    hashKey: [random32(), random32()],
    onProgress(progress) {
      tooBig = memoryRefusal(progress, fileBytes, memoryBytes);
      void say({ kind: 'progress', share: progress.bytes / fileBytes, neededBytes: memoryNeeded(progress) });
    },
  });
  for await (const block of blocksOf(storage, request)) {
    hash.update(block);
    const problem = reading.push(block);
    if (problem) return { ok: false, refusal: refusalOf(problem) };
    if (tooBig) return { ok: false, refusal: tooBig };
  }
  const result = reading.finish();
  if (!result.ok) return { ok: false, refusal: refusalOf(result.problem) };
  return { ok: true, tree: result.tree, sourceSha256: hash.digest('hex') };
}

/** The file from its start, as far as reading is allowed, until the end. */
async function* blocksOf(storage: Storage, { fileKey, fileBytes }: IngestRequest): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < fileBytes; ) {
    const until = await arrived.beyond(at);
    // Opened again for each piece: an open object keeps the size it had when it was opened.
    const file = await storage.open(fileKey).catch(unreadable);
    try {
      for (; at < until; at = Math.min(at + blockBytes, until)) {
        yield await file.read(at, Math.min(blockBytes, until - at)).catch(unreadable);
      }
    } finally {
      await file.close();
    }
  }
}

function unreadable(cause: unknown): never {
  throw new StorageUnreadable(cause);
}

/** How much of the file may be read. */
function createArrival(): { upTo(bytes: number): void; beyond(at: number): Promise<number> } {
  let there = 0;
  let wake: () => void = () => undefined;
  return {
    upTo(bytes) {
      there = Math.max(there, bytes);
      wake();
    },
    async beyond(at) {
      while (there <= at) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return there;
    },
  };
}

function refusalOf({ what, byte, line, column, excerpt }: UploadProblem): Refusal {
  return { code: 'upload/invalid-json', params: { what, byte, line, column, excerpt } };
}

/** Opens the pack like a reader would and verifies every block. */
async function check(storage: Storage, key: string): Promise<IngestFacts> {
  const bytes = await storage.open(key);
  try {
    return factsOf(await checkPack(bytes));
  } finally {
    await bytes.close();
  }
}

function random32(): number {
  return randomInt(2 ** 32);
}

/** Settles when the message has been sent. */
function say(message: IngestMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
