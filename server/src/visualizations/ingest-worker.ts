import { createHash, randomInt } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { checkPack } from '@kc/pack/pack-check';
import { openPack } from '@kc/pack/pack-reader';
import { writePack } from '@kc/pack/pack-writer';
import { buildTree } from '@kc/pack/tree-builder';
import { createUploadReader, type UploadReader, type UploadResult } from '@kc/pack/upload-reader';
import type { UploadProblem } from '@kc/pack/upload-tables';
import type { Refusal } from '@kc/rules/result';
import { openStorage } from '../storage/open.ts';
import type { Appender, Storage, StoredBytes } from '../storage/storage.ts';
import { memoryRefusal } from './ingest-memory.ts';
import type { IngestFacts, IngestMessage, IngestOutcome, IngestRequest } from './run-ingest.ts';

// The thread that reads one upload: file → columns → tree → pack, then the pack is opened and checked. See run-ingest.

/** Of the file at a time. */
const blockBytes = 1024 * 1024;

await main(workerData as IngestRequest);

async function main(request: IngestRequest): Promise<void> {
  const storage = await openStorage(request.place);
  say({ kind: 'outcome', outcome: await ingest(storage, request) });
}

async function ingest(storage: Storage, request: IngestRequest): Promise<IngestOutcome> {
  const file = await storage.open(request.fileKey);
  try {
    const read = await readUpload(file, request.memoryBytes);
    if (!read.ok) return read;
    const tree = buildTree(read.tables, [random32(), random32()]);
    await write(storage, request.tempKey, (sink) => writePack(tree, read.sourceSha256, sink));
    return { ok: true, facts: await check(storage, request.tempKey) };
  } finally {
    await file.close();
  }
}

type Read =
  | (Extract<UploadResult, { ok: true }> & { readonly sourceSha256: string })
  | { readonly ok: false; readonly refusal: Refusal };

async function readUpload(file: StoredBytes, memoryBytes: number): Promise<Read> {
  const reader = createUploadReader();
  const hash = createHash('sha256');
  for (let at = 0; at < file.size; at += blockBytes) {
    const block = await file.read(at, Math.min(blockBytes, file.size - at));
    hash.update(block);
    const problem = reader.push(block);
    if (problem) return { ok: false, refusal: refusalOf(problem) };
    const tooBig = memoryRefusal(reader.progress, file.size, memoryBytes);
    if (tooBig) return { ok: false, refusal: tooBig };
    say({ kind: 'progress', share: reader.progress.bytes / file.size });
  }
  return finished(reader, hash.digest('hex'));
}

function finished(reader: UploadReader, sourceSha256: string): Read {
  const result = reader.finish();
  return result.ok ? { ...result, sourceSha256 } : { ok: false, refusal: refusalOf(result.problem) };
}

function refusalOf({ what, byte, line, column, excerpt }: UploadProblem): Refusal {
  return { code: 'upload/invalid-json', params: { what, byte, line, column, excerpt } };
}

async function write(storage: Storage, key: string, work: (sink: Appender) => Promise<void>): Promise<void> {
  const appender = await storage.append(key, 0);
  try {
    await work(appender);
    await appender.sync();
  } finally {
    await appender.close();
  }
}

/** Opens the pack as a reader would and has every block of it verified. */
async function check(storage: Storage, key: string): Promise<IngestFacts> {
  const bytes = await storage.open(key);
  try {
    await checkPack(bytes);
    const { metadata } = await openPack(bytes);
    return { keywords: metadata.keywords, nodes: metadata.nodes, rootName: metadata.rootName };
  } finally {
    await bytes.close();
  }
}

const random32 = (): number => randomInt(2 ** 32);

const say = (message: IngestMessage): void => parentPort?.postMessage(message);
