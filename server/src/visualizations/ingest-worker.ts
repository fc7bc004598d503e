import { createHash, randomInt } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createIngest } from '@kc/pack/ingest';
import { checkPack } from '@kc/pack/pack-check';
import { writePack } from '@kc/pack/pack-writer';
import type { Tree } from '@kc/pack/tree';
import type { UploadProblem } from '@kc/pack/upload-tables';
import type { Refusal } from '@kc/rules/result';
import { openStorage } from '../storage/open.ts';
import type { Appender, Storage } from '../storage/storage.ts';
import { memoryRefusal } from './ingest-memory.ts';
import type { IngestFacts, IngestMessage, IngestOutcome, IngestRequest } from './run-ingest.ts';
import { uploadLoop } from './upload-loop.ts';

// The thread that reads one upload: file → columns → tree → pack, then the pack is opened and checked. See run-ingest.

/** Of the file at a time. */
const blockBytes = 1024 * 1024;

await main(workerData as IngestRequest);

async function main(request: IngestRequest): Promise<void> {
  const storage = await openStorage(request.place);
  say({ kind: 'outcome', outcome: await ingest(storage, request) });
}

async function ingest(storage: Storage, request: IngestRequest): Promise<IngestOutcome> {
  const read = await readUpload(storage, request);
  if (!read.ok) return read;
  await write(storage, request.tempKey, (sink) => writePack(read.tree, read.sourceSha256, sink));
  return { ok: true, facts: await check(storage, request.tempKey) };
}

type Read =
  | { readonly ok: true; readonly tree: Tree; readonly sourceSha256: string }
  | { readonly ok: false; readonly refusal: Refusal };

async function readUpload(storage: Storage, request: IngestRequest): Promise<Read> {
  const file = await storage.open(request.fileKey);
  try {
    const hash = createHash('sha256');
    let tooBig: Refusal | undefined;
    const reading = createIngest({
      loop: uploadLoop(),
      hashKey: [random32(), random32()],
      onProgress(progress) {
        tooBig = memoryRefusal(progress, file.size, request.memoryBytes);
        say({ kind: 'progress', share: progress.bytes / file.size });
      },
    });
    for (let at = 0; at < file.size; at += blockBytes) {
      const block = await file.read(at, Math.min(blockBytes, file.size - at));
      hash.update(block);
      const problem = reading.push(block);
      if (problem) return { ok: false, refusal: refusalOf(problem) };
      if (tooBig) return { ok: false, refusal: tooBig };
    }
    const result = reading.finish();
    if (!result.ok) return { ok: false, refusal: refusalOf(result.problem) };
    return { ok: true, tree: result.tree, sourceSha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
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
    const { metadata } = await checkPack(bytes);
    return { keywords: metadata.keywords, nodes: metadata.nodes, rootName: metadata.rootName };
  } finally {
    await bytes.close();
  }
}

function random32(): number {
  return randomInt(2 ** 32);
}

function say(message: IngestMessage): void {
  parentPort?.postMessage(message);
}
