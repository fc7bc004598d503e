import { JsonTokens } from '../json/json-tokens.ts';
import type { UploadProblem } from '../json/upload-problem.ts';
import type { Extras } from './extra-fields.ts';
import type { UploadLoop } from './name-loop.ts';
import { UploadEntries } from './upload-entries.ts';
import type { UploadOutline } from './upload-outline.ts';
import type { GrowingTables, UploadTables } from './upload-tables.ts';

export type UploadReaderOptions = {
  /** Keeps no columns: only validates and counts. For the check before anything is sent. */
  readonly check?: boolean;
  /** Rows of the hierarchy, and of the keywords, at most. 2^27 when left out. */
  readonly maxNodes?: number;
  /** Of the whole file, where that is known: columns are made as long as they will be. */
  readonly fileBytes?: number;
  /** Who hears the members that are no columns of the tables. */
  readonly extras?: Extras;
  /** What reads the tokens and files plain rows, for this reader alone: `simdLoop` where it can run. The loop in TypeScript when left out. */
  readonly loop?: UploadLoop | undefined;
};

export type UploadResult =
  | { readonly ok: true; readonly tables: UploadTables }
  | { readonly ok: false; readonly problem: UploadProblem };

/** How far a reader has come. */
export type UploadProgress = { readonly nodes: number; readonly keywords: number; readonly bytes: number };

export interface UploadReader {
  readonly progress: UploadProgress;
  /** Bytes of the names that are kept so far. */
  readonly nameBytes: number;
  /** What was read so far. */
  readonly growing: GrowingTables;
  /** What a reader that only checks has found so far. */
  outline(): UploadOutline;
  /** Reads the next bytes, split anywhere. The first problem ends the reading and is returned again by every later call. */
  push(block: Uint8Array): UploadProblem | undefined;
  /** To be called once after the last byte. With `check` the tables have no rows. */
  finish(): UploadResult;
}

const maxDepth = 100_000;
const maxNameBytes = 64 * 1024;
/** Places in the file are kept in 32 bits. */
const maxBytes = 2 ** 32 - 1;

/**
 * Reads an uploaded file, `{ keywords, hierarchy }` in any order, into columns while its bytes arrive.
 *
 * Other members are validated and passed over. Memory: the columns (16 bytes a row, 6 more for a node, the metrics it brings and the names) and under 3 MB.
 *
 * Source: spec §3 "Uploaded file", decisions §4, fields.md.
 */
export function createUploadReader(options: UploadReaderOptions = {}): UploadReader {
  const limits = { maxDepth, maxNameBytes, maxNodes: options.maxNodes ?? 2 ** 27 };
  const entries = new UploadEntries(
    !options.check,
    limits,
    options.extras ?? {},
    options.loop?.rows,
    options.fileBytes ?? 0,
  );
  const tokens = new JsonTokens(entries, { maxBytes, maxDepth, maxText: maxNameBytes }, options.loop);
  return {
    get progress() {
      return { nodes: entries.nodes.rows, keywords: entries.keywords.rows, bytes: tokens.bytes };
    },
    get nameBytes() {
      return entries.nodes.nameBytes + entries.keywords.nameBytes;
    },
    get growing() {
      return { nodes: entries.nodes, keywords: entries.keywords, types: entries.types.names };
    },
    outline: () => entries.outline(),
    push: (block) => tokens.push(block),
    finish() {
      const problem = tokens.finish();
      return problem ? { ok: false, problem } : { ok: true, tables: entries.tables(tokens.bytes) };
    },
  };
}
