import { JsonTokens, type UploadProblem } from '../json/json-tokens.ts';
import type { Extras } from './extra-fields.ts';
import { type FieldMap, namesBy } from './field-map.ts';
import type { UploadLoop } from './name-loop.ts';
import { UploadEntries } from './upload-entries.ts';
import type { UploadOutline } from './upload-outline.ts';
import type { GrowingTables, UploadTables } from './upload-tables.ts';

export type UploadReaderOptions = {
  /** Only validates and counts, without columns. For the check before sending. */
  readonly check?: boolean;
  /** The maximum number of rows of the hierarchy, and of the keywords. Default: 2^27. */
  readonly maxNodes?: number;
  /** The size of the whole file, if known. Columns are then allocated at their final size. */
  readonly fileBytes?: number;
  /** Receives the members that have no column in the tables. */
  readonly extras?: Extras;
  /** The meanings that a user assigned to members. */
  readonly fieldMap?: FieldMap | undefined;
  /**
   * Reads tokens and plain rows fast, for this reader only: `simdLoop` if it can run. Default: token by token.
   */
  readonly loop?: UploadLoop | undefined;
};

export type UploadResult =
  | { readonly ok: true; readonly tables: UploadTables }
  | { readonly ok: false; readonly problem: UploadProblem };

/** The progress of a reader. */
export type UploadProgress = { readonly nodes: number; readonly keywords: number; readonly bytes: number };

export interface UploadReader {
  readonly progress: UploadProgress;
  /** The size of the names kept so far, in bytes. */
  readonly nameBytes: number;
  /** The tables read so far. */
  readonly growing: GrowingTables;
  /** The results so far of a reader that only checks. */
  outline(): UploadOutline;
  /**
   * Reads the next bytes, split at any position. The first problem ends the reading; every later call returns it again.
   */
  push(block: Uint8Array): UploadProblem | undefined;
  /** Call once after the last byte. With `check`, the tables have no rows. */
  finish(): UploadResult;
}

const maxDepth = 100_000;
const maxNameBytes = 64 * 1024;
/** Positions in the file are stored in 32 bits. */
const maxBytes = 2 ** 32 - 1;

/**
 * Reads an uploaded file, `{ keywords, hierarchy }` in any order, into columns while its bytes arrive.
 *
 * Other members are only validated.
 * Memory: the columns (16 bytes per row, 6 more per node, the metrics that occur, and the names) plus less than 3 MB.
 */
export function createUploadReader(options: UploadReaderOptions = {}): UploadReader {
  const limits = { maxDepth, maxNameBytes, maxNodes: options.maxNodes ?? 2 ** 27 };
  const { check = false, extras = {}, loop, fileBytes, fieldMap } = options;
  const nameOf = fieldMap && namesBy(fieldMap);
  const entries = new UploadEntries(!check, { ...limits, nameOf }, extras, loop?.rows, fileBytes);
  const tokens = new JsonTokens(entries, { maxBytes, maxDepth, maxText: maxNameBytes }, loop);
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
