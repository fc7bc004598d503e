import { createHash, randomInt } from 'node:crypto';
import { createIngest, type IngestProgress } from '@kc/pack/ingest';
import type { UploadProblem } from '@kc/pack/json/upload-problem';
import type { Tree } from '@kc/pack/tree/tree';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import type { Refusal } from '@kc/rules/result';
import type { UploadLoop } from '../../../../pack/src/upload/name-loop.ts';
import { type Checksum, checksumAfter, emptyChecksum } from '../../storage/checksum.ts';
import type { Appender, Storage } from '../../storage/storage.ts';
import { type CheckDuringWrite, checkDuringWrite } from './check-during-write.ts';
import { memoryRefusal } from './ingest-memory.ts';
import type { IngestFacts, IngestOutcome, IngestRequest } from './ingest-messages.ts';
import { type AddressMove, FileEnd } from './moves-at-end.ts';
import { factsOf } from './pack-facts.ts';
import { syncDuringWrite } from './sync-during-write.ts';
import { uploadLoop } from './upload-loop.ts';

/** A smaller pack takes less time to verify than a thread takes to start. */
const worthwhileBytes = 192 * 2 ** 20;

/** What is read: the blocks of a file in order, and what to do about the progress. */
export type UploadBytes = {
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
