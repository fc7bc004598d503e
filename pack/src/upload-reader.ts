import type { UploadProblem, UploadTables } from './upload-tables.ts';

export type UploadReaderOptions = {
  /** Keeps no columns: only validates and counts. For the check before anything is sent. */
  readonly check?: boolean;
  /** Rows of the hierarchy, and of the keywords, at most. 2^27 when left out. */
  readonly maxNodes?: number;
};

export type UploadResult =
  | { readonly ok: true; readonly tables: UploadTables }
  | { readonly ok: false; readonly problem: UploadProblem };

/** How far a reader has come. */
export type UploadProgress = { readonly nodes: number; readonly keywords: number; readonly bytes: number };

export interface UploadReader {
  readonly progress: UploadProgress;
  /** Reads the next bytes, split anywhere. The first problem ends the reading and is returned again by every later call. */
  push(block: Uint8Array): UploadProblem | undefined;
  /** To be called once after the last byte. With `check` the tables have no rows. */
  finish(): UploadResult;
}
