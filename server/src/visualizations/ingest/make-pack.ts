import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createIngest, type IngestProgress } from '@kc/pack/ingest';
import type { UploadProblem } from '@kc/pack/json/json-tokens';
import type { Tree } from '@kc/pack/tree/tree';
import { simdLoop } from '@kc/pack/upload/json-loop-simd';
import type { UploadLoop } from '@kc/pack/upload/name-loop';
import { checkPack, type PackHead } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import type { Refusal } from '@kc/rules/result';
import { type Checksum, checksumAfter, emptyChecksum } from '../../storage/checksum.ts';
import { type Appender, type Storage, whileOpen } from '../../storage/storage.ts';
import {
  type CheckedObject,
  type CheckOrder,
  factsOf,
  type IngestFacts,
  type IngestOutcome,
  type IngestRequest,
} from './ingest-messages.ts';
import { type AddressMove, FileEnd } from './moves-at-end.ts';

/** A smaller pack takes less time to verify than a thread takes to start. */
const worthwhileBytes = 192 * 2 ** 20;

/** What is read: the blocks of a file in order, and what to do about the progress. */
type UploadBytes = {
  readonly blocks: AsyncIterable<Uint8Array>;
  onProgress?(progress: IngestProgress): void;
};

/**
 * Reads an upload into a pack: blocks → columns → tree → pack. The pack is verified and durable when this resolves. For
 * a separate process, because it takes the memory and the processor of its own.
 */
export async function makePack(
  storage: Storage,
  request: Omit<IngestRequest, 'fileKey'>,
  bytes: UploadBytes,
): Promise<IngestOutcome> {
  const written = await writeTree(storage, request, bytes);
  if ('refusal' in written) return { ok: false, refusal: written.refusal };
  const { pack, behind, moves, fileChecksum } = written;
  try {
    const checked = behind ? behind.finish(pack.size) : check(storage, request.tempKey);
    const [facts] = await Promise.all([checked, pack.sync()]);
    return { ok: true, facts: moves.length > 0 ? { ...facts, moves } : facts, packBytes: pack.size, fileChecksum };
  } finally {
    await pack.close();
  }
}

type Written = {
  readonly pack: Appender;
  readonly behind: CheckDuringWrite | undefined;
  readonly moves: readonly AddressMove[];
  readonly fileChecksum: Checksum;
};

/**
 * The pack, written but not yet durable. The tree is freed when this returns, so that verifying a small pack can use
 * its memory.
 */
async function writeTree(
  storage: Storage,
  request: Omit<IngestRequest, 'fileKey'>,
  bytes: UploadBytes,
): Promise<{ readonly refusal: Refusal } | Written> {
  const loop = uploadLoop();
  const read = await readUpload(request, bytes, loop);
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
    return { pack, behind, moves: read.moves, fileChecksum: read.fileChecksum };
  } catch (error) {
    await pack.close();
    throw error;
  }
}

type Read =
  | {
      readonly ok: true;
      readonly tree: Tree;
      readonly sourceSha256: string;
      readonly moves: readonly AddressMove[];
      readonly fileChecksum: Checksum;
    }
  | { readonly ok: false; readonly refusal: Refusal };

async function readUpload(
  { fileBytes, memoryBytes, fieldMap }: Pick<IngestRequest, 'fileBytes' | 'memoryBytes' | 'fieldMap'>,
  { blocks, onProgress }: UploadBytes,
  loop: UploadLoop | undefined,
): Promise<Read> {
  const hash = createHash('sha256');
  const end = new FileEnd();
  let fileChecksum = emptyChecksum;
  let tooBig: Refusal | undefined;
  const reading = createIngest({
    loop,
    fileBytes,
    fieldMap: fieldMap ?? undefined,
    hashKey: [random32(), random32()],
    onProgress(progress) {
      tooBig = memoryRefusal(progress, fileBytes, memoryBytes);
      onProgress?.(progress);
    },
  });
  for await (const block of blocks) {
    hash.update(block);
    fileChecksum = checksumAfter(fileChecksum, block);
    end.push(block);
    const problem = reading.push(block);
    if (problem) return { ok: false, refusal: refusalOf(problem) };
    if (tooBig) return { ok: false, refusal: tooBig };
  }
  const result = reading.finish();
  if (!result.ok) return { ok: false, refusal: refusalOf(result.problem) };
  const sourceSha256 = hash.digest('hex');
  return { ok: true, tree: result.tree, sourceSha256, moves: end.moves(), fileChecksum };
}

function refusalOf({ what, byte, line, column, excerpt }: UploadProblem): Refusal {
  return { code: 'upload/invalid-json', params: { what, byte, line, column, excerpt } };
}

/** Opens the pack like a reader would and verifies every block. */
const check = (storage: Storage, key: string): Promise<IngestFacts> =>
  whileOpen(storage, key, async (bytes) => factsOf(await checkPack(bytes)));

function random32(): number {
  return randomInt(2 ** 32);
}

export type CheckDuringWrite = {
  /** The first `bytes` bytes are in the object. */
  written(bytes: number): void;
  /** All `bytes` bytes are in the object. Rejects if the pack is invalid. */
  finish(bytes: number): Promise<IngestFacts>;
};

/** Minimum distance between two notifications of the thread. */
const notifyBytes = 4 * 2 ** 20;

/**
 * Verifies a pack in a thread while it is written, by reading back what has been stored. When the last byte is written,
 * little is left to verify.
 */
export function checkDuringWrite(object: CheckedObject, head: PackHead): CheckDuringWrite {
  const thread = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: object });
  const send = (order: CheckOrder): void => thread.postMessage(order);
  const facts = new Promise<IngestFacts>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that checks a pack ended early (${code})`)));
  });
  // The error is reported when the writer finishes. A writer that fails does not need it.
  facts.catch(() => undefined);
  send({ kind: 'head', head });
  let notifiedBytes = 0;
  return {
    written(bytes) {
      if (bytes - notifiedBytes < notifyBytes) return;
      notifiedBytes = bytes;
      send({ kind: 'written', bytes, isWhole: false });
    },
    finish(bytes) {
      send({ kind: 'written', bytes, isWhole: true });
      return facts;
    },
  };
}

/** Bytes made durable at a time. */
const syncBytes = 64 * 2 ** 20;

/**
 * An object that makes bytes durable while the next ones are gathered, so that little is left for the last `sync`. The
 * last `sync` also rejects with earlier errors: a system reports a failed write only once.
 */
export function syncDuringWrite(object: Appender): Appender {
  let synced = object.size;
  let syncing: Promise<void> | undefined;
  let fault: { readonly error: unknown } | undefined;
  return {
    get size() {
      return object.size;
    },
    async write(bytes) {
      await object.write(bytes);
      if (fault) throw fault.error;
      if (syncing || object.size - synced < syncBytes) return;
      synced = object.size;
      syncing = object
        .sync()
        .catch((error: unknown) => {
          fault = { error };
        })
        .finally(() => {
          syncing = undefined;
        });
    },
    async sync() {
      await syncing;
      if (fault) throw fault.error;
      await object.sync();
    },
    async close() {
      await syncing;
      await object.close();
    },
  };
}

const built = new URL('../../../../pack/dist/json-loop.wasm', import.meta.url);

/**
 * The fast loop for reading uploads; undefined if it cannot run, is not built, or was built from an earlier version's
 * sources. Uploads are then read token by token: more slowly, not refused.
 */
export function uploadLoop(binary: URL = built): UploadLoop | undefined {
  try {
    return simdLoop(Uint8Array.from(readFileSync(binary)));
  } catch {
    return undefined;
  }
}

/**
 * Peak while reading, building and writing, without the names. Measured as the process size above an empty process: 42
 * bytes per row for 21,165,000 plain strings, 70 for 5,696,000 rows of which half are objects with metrics.
 */
const bytesPerRow = 110;
/** Names exist once; the rest is for the moment they are moved, if there are more than expected. */
const bytesPerNameByte = 1.25;
const fixedBytes = 64 * 2 ** 20;
/** A shorter beginning does not predict the rest. */
const enoughBytes = 32 * 2 ** 20;

/** Memory in bytes that a pack of the part read so far needs. */
export const memoryNeeded = (progress: IngestProgress): number => fixedBytes + readBytes(progress);

/**
 * Refuses a file that does not fit into memory as early as possible: when the part read so far needs more than allowed,
 * or the whole file will if it continues as it began.
 *
 * @param fileBytes of the whole file
 * @param allowedBytes `INGEST_MEMORY`
 */
export function memoryRefusal(progress: IngestProgress, fileBytes: number, allowedBytes: number): Refusal | undefined {
  const soFar = readBytes(progress);
  const whole = progress.bytes < enoughBytes ? soFar : (soFar * fileBytes) / progress.bytes;
  const needed = fixedBytes + whole;
  if (needed <= allowedBytes) return undefined;
  return { code: 'upload/too-big-to-fit', params: { neededMib: mib(needed), allowedMib: mib(allowedBytes) } };
}

/** While field columns are assembled, their blocks exist as well. */
const readBytes = ({ nodes, keywords, nameBytes, fieldBytes }: IngestProgress): number =>
  (nodes + keywords) * bytesPerRow + nameBytes * bytesPerNameByte + 2 * fieldBytes;

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
