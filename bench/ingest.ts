import { createHash } from 'node:crypto';
import { createReadStream, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import parser from 'stream-json/parser.js';
import { createIngest } from '../pack/src/ingest.ts';
import type { JsonLoop } from '../pack/src/json-memory.ts';
import { writePack } from '../pack/src/pack-writer.ts';
import { createUploadReader } from '../pack/src/upload-reader.ts';
import type { UploadTables } from '../pack/src/upload-tables.ts';
import { uploadLoop } from '../server/src/visualizations/upload-loop.ts';
import { type BenchCase, type Contender, costOf } from './bench-case.ts';
import { makeUpload, type UploadVariant } from './make-upload.ts';

const rounds = 5;
const blockBytes = 256 * 1024;

export const cases: readonly BenchCase[] = [
  parseCase('objects', 95),
  parseCase('strings', 95),
  parseCase('objects', 1000),
  parseCase('strings', 1000),
  packCase('objects', 95),
  packCase('strings', 95),
  packCase('objects', 950),
  packCase('strings', 950),
  checkCase('objects', 950),
];

/** The bytes of a file to everything that is kept of them, validated. */
function parseCase(variant: UploadVariant, megabytes: number): BenchCase {
  return {
    name: `ingest/parse ${variant} ${megabytes} MB`,
    rounds: megabytes < 500 ? rounds : 1,
    bytes: megabytes * 1e6,
    prepare: () => prepare(variant, megabytes),
    contenders: [
      contender('upload-reader, WebAssembly', variant, megabytes, (path) => readColumns(path, uploadLoop())),
      contender('upload-reader, TypeScript', variant, megabytes, (path) => readColumns(path, undefined)),
      // A text of V8 holds 512 MB.
      ...(megabytes < 500 ? [contender('JSON.parse', variant, megabytes, parseWhole)] : []),
      contender('stream-json packed', variant, megabytes, parseByTokens),
    ],
  };
}

/** The bytes of a file to a pack on disk, which is what an upload has to wait for. JSON.parse cannot open the large ones. */
function packCase(variant: UploadVariant, megabytes: number): BenchCase {
  const isLarge = megabytes > 500;
  return {
    name: `ingest/pack ${variant} ${megabytes} MB`,
    rounds: isLarge ? 1 : rounds,
    bytes: megabytes * 1e6,
    prepare: () => prepare(variant, megabytes),
    contenders: [
      contender('ingest to pack', variant, megabytes, makePack),
      ...(isLarge ? [] : [contender('JSON.parse alone', variant, megabytes, parseWhole)]),
    ],
  };
}

/** Validation alone, of a file that JSON.parse cannot open: what the tokenizer's memory does with size. */
function checkCase(variant: UploadVariant, megabytes: number): BenchCase {
  return {
    name: `ingest/check ${variant} ${megabytes} MB`,
    rounds: 1,
    bytes: megabytes * 1e6,
    prepare: () => prepare(variant, megabytes),
    contenders: [
      contender('check, WebAssembly', variant, megabytes, (path) => check(path, uploadLoop())),
      contender('check, TypeScript', variant, megabytes, (path) => check(path, undefined)),
    ],
  };
}

async function prepare(variant: UploadVariant, megabytes: number): Promise<void> {
  await makeUpload(variant, megabytes);
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
  const ingest = createIngest({ hashKey: [1, 2], loop: uploadLoop() });
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
  await writePack(result.tree, hash.digest('hex'), { write });
  rmSync(packPath);
  return { nodes: result.tree.counts.nodes, packMiB: packBytes / 2 ** 20 };
}

function readUpload(path: string, checkOnly: boolean, loop: JsonLoop | undefined): UploadTables {
  const reader = createUploadReader({ check: checkOnly, loop });
  readBlocks(path, (block) => reader.push(block));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return result.tables;
}

/** The same buffer is used for every block, as a server's socket does. */
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
