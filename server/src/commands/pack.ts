import { createHash, randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import type { ByteSink } from '@kc/pack/format/byte-source';
import { createIngest, type IngestResult } from '@kc/pack/ingest';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import { say } from '@kc/rules/messages';
import type { UploadLoop } from '../../../pack/src/upload/name-loop.ts';
import { codeOf } from '../database/open.ts';
import { bytesOf } from '../storage/disk.ts';
import { uploadLoop } from '../visualizations/ingest/make-pack.ts';
import { readArguments } from './arguments.ts';
import { replaceFile } from './files.ts';

// npm run pack -- FILE.json OUT.arrow: builds a pack from a file, without a server.

const readBytes = 1024 * 1024;

const usage = 'Usage: npm run pack -- FILE.json OUT.arrow';
const { positionals } = readArguments(usage, {});
const [file, target] = positionals;
if (file === undefined || target === undefined || positionals.length > 2) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await packFile(file, target);
}

/** Exit status: 0, or 1 for a refused file or a target that cannot be written, which leaves no output. */
async function packFile(file: string, target: string): Promise<0 | 1> {
  const started = performance.now();
  const loop = uploadLoop();
  const read = await readFile(file, loop).catch((error: Error) => error);
  if (read instanceof Error) return fail(`${say('upload/read-failed')}: ${read.message}`);
  const { result, sha256 } = read;
  if (!result.ok) return fail(say('upload/invalid-json', result.problem));
  const { counts } = result.tree;
  try {
    await replaceFile(target, async (handle) => {
      await writePack(result.tree, sha256, sinkTo(handle), loop?.names);
      await checkPack(await bytesOf(handle));
    });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return fail(`${target} cannot be written: ${(error as Error).message}`);
  }
  const seconds = Math.round(performance.now() - started) / 1000;
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`${JSON.stringify({ nodes: counts.nodes, keywords: counts.keywords, seconds, peakMiB })}\n`);
  return 0;
}

function fail(message: string): 1 {
  process.stderr.write(`${message}\n`);
  return 1;
}

async function readFile(file: string, loop: UploadLoop | undefined): Promise<{ result: IngestResult; sha256: string }> {
  const { size: fileBytes } = await stat(file);
  const ingest = createIngest({
    fileBytes,
    hashKey: [randomInt(2 ** 32), randomInt(2 ** 32)],
    loop,
  });
  const hash = createHash('sha256');
  for await (const block of createReadStream(file, { highWaterMark: readBytes })) {
    hash.update(block);
    const problem = ingest.push(block);
    if (problem) return { result: { ok: false, problem }, sha256: '' };
  }
  return { result: ingest.finish(), sha256: hash.digest('hex') };
}

function sinkTo(handle: FileHandle): ByteSink {
  return {
    async write(bytes) {
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
    },
  };
}
