import { createHash } from 'node:crypto';
import { createReadStream, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import parser from 'stream-json/parser.js';
import { createIngest } from '../pack/src/ingest.ts';
import type { JsonLoop } from '../pack/src/json/json-memory.ts';
import { createUploadReader } from '../pack/src/upload/upload-reader.ts';
import type { UploadTables } from '../pack/src/upload/upload-tables.ts';
import { writePack } from '../pack/src/write/pack-writer.ts';
import { uploadLoop } from '../server/src/visualizations/ingest/make-pack.ts';
import { readingProcess } from '../server/src/visualizations/ingest/run-ingest.ts';
import { type BenchCase, type Contender, costOf } from './bench-case.ts';
import { exporterVariants, makeUpload, namesVariants, type UploadVariant } from './make-upload.ts';

const blockBytes = 256 * 1024;

/**
 * The server's heap flags suit a reader that keeps little on the heap; for one that fills the heap they cost a tenth.
 */
const filling = { env: {}, execArgv: ['--single-threaded-gc', '--no-liftoff'] };

/** The maximum size of an upload is 3 GiB. */
const sizes = [95, 1000, 3200];
/** A V8 string holds at most 512 MB, so JSON.parse cannot read the large files. */
const isLarge = (megabytes: number) => megabytes > 500;

export const cases: readonly BenchCase[] = [
  ...sizes.flatMap((megabytes) =>
    (['strings', 'objects', 'serp'] as const).flatMap((variant) => [
      parseCase(variant, megabytes),
      packCase(variant, megabytes),
    ]),
  ),
  packCase('exports', 95),
  ...namesVariants.map((variant) => packCase(variant, 95)),
  ...exporterVariants.map((variant) => packCase(variant, 95)),
  checkCase('objects', 95),
  checkCase('objects', 3200),
];

/** From the bytes of a file to everything that is stored, validated. */
function parseCase(variant: UploadVariant, megabytes: number): BenchCase {
  return caseOf('parse', variant, megabytes, [
    contender('upload-reader, WebAssembly', variant, megabytes, (path) => readColumns(path, uploadLoop())),
    contender('upload-reader, token by token', variant, megabytes, (path) => readColumns(path, undefined)),
    ...(isLarge(megabytes) ? [] : [{ ...contender('JSON.parse', variant, megabytes, parseWhole), process: filling }]),
    { ...contender('stream-json packed', variant, megabytes, parseByTokens), process: filling },
  ]);
}

/** From the bytes of a file to a pack on disk, which is what an upload waits for. */
function packCase(variant: UploadVariant, megabytes: number): BenchCase {
  return caseOf('pack', variant, megabytes, [
    contender('ingest to pack', variant, megabytes, makePack),
    ...(isLarge(megabytes)
      ? []
      : [{ ...contender('JSON.parse alone', variant, megabytes, parseWhole), process: filling }]),
  ]);
}

/** Validation only: how the memory of the tokenizer grows with size. */
function checkCase(variant: UploadVariant, megabytes: number): BenchCase {
  return caseOf('check', variant, megabytes, [
    contender('check, WebAssembly', variant, megabytes, (path) => check(path, uploadLoop())),
    contender('check, token by token', variant, megabytes, (path) => check(path, undefined)),
  ]);
}

function caseOf(what: string, variant: UploadVariant, megabytes: number, contenders: readonly Contender[]): BenchCase {
  return {
    name: `ingest/${what} ${variant} ${megabytes} MB`,
    rounds: isLarge(megabytes) ? 1 : 5,
    bytes: megabytes * 1e6,
    process: { env: {}, ...readingProcess },
    prepare: async () => void (await makeUpload(variant, megabytes)),
    contenders,
  };
}

type Work = (path: string) => Record<string, number> | Promise<Record<string, number>>;

function contender(name: string, variant: UploadVariant, megabytes: number, work: Work): Contender {
  return {
    name,
    async measure() {
      const path = await makeUpload(variant, megabytes);
      return costOf(async () => work(path));
    },
  };
}

function readColumns(path: string, loop: JsonLoop | undefined): Record<string, number> {
  const { nodes, keywords } = readUpload(path, false, loop);
  return { nodes: nodes.rows, keywords: keywords.rows };
}

function check(path: string, loop: JsonLoop | undefined): Record<string, number> {
  readUpload(path, true, loop);
  return {};
}

async function makePack(path: string): Promise<Record<string, number>> {
  const loop = uploadLoop();
  const ingest = createIngest({ hashKey: [1, 2], loop, fileBytes: statSync(path).size });
  const hash = createHash('sha256');
  readBlocks(path, (block) => {
    hash.update(block);
    ingest.push(block);
  });
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const packPath = `${path}.pack`;
  const pack = openSync(packPath, 'w');
  let packBytes = 0;
  const write = async (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(pack, bytes, done);
    packBytes += bytes.length;
  };
  await writePack(result.tree, hash.digest('hex'), { write }, loop?.names);
  rmSync(packPath);
  return { nodes: result.tree.counts.nodes, packMiB: packBytes / 2 ** 20 };
}

function readUpload(path: string, checkOnly: boolean, loop: JsonLoop | undefined): UploadTables {
  const reader = createUploadReader({ check: checkOnly, loop, fileBytes: statSync(path).size });
  readBlocks(path, (block) => reader.push(block));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return result.tables;
}

/** Every block uses the same buffer, as a server's socket does. */
function readBlocks(path: string, each: (block: Uint8Array) => void): void {
  const file = openSync(path, 'r');
  const block = new Uint8Array(blockBytes);
  for (let length = readSync(file, block); length > 0; length = readSync(file, block)) each(block.subarray(0, length));
}

function parseWhole(path: string): Record<string, number> {
  const upload: { keywords: unknown[] } = JSON.parse(readFileSync(path, 'utf8'));
  return { keywords: upload.keywords.length };
}

async function parseByTokens(path: string): Promise<Record<string, number>> {
  let objects = 0;
  const tokens = parser.asStream({ packValues: true, streamValues: false });
  tokens.on('data', (token: parser.Token) => {
    if (token.name === 'startObject') objects++;
  });
  await pipeline(createReadStream(path, { highWaterMark: blockBytes }), tokens);
  return { objects };
}
