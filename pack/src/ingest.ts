import type { HashKey } from './distinct.ts';
import type { Tree } from './tree.ts';
import { buildTree } from './tree-builder.ts';
import { createUploadReader, type UploadProgress, type UploadReaderOptions } from './upload-reader.ts';
import type { UploadProblem } from './upload-tables.ts';

/** A tree, or what is wrong with the file and where. */
export type IngestResult =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly problem: UploadProblem };

/** Turns the bytes of an uploaded file, pushed as they arrive, into a tree. */
export interface Ingest {
  /** Reads the next bytes, split anywhere. The first problem is returned, and again by every later call. */
  push(block: Uint8Array): UploadProblem | undefined;
  /** To be called once after the last byte. */
  finish(): IngestResult;
}

/**
 * The way from an uploaded file to a tree that `pack-writer` writes: the one that the server's worker and the command
 * line both take.
 *
 * @param options.hashKey 2 × 32 random bits, new for every file
 * @param options.onProgress called after every block
 */
export function createIngest(
  options: { readonly hashKey: HashKey; readonly onProgress?: (progress: UploadProgress) => void } & Pick<
    UploadReaderOptions,
    'maxNodes'
  >,
): Ingest {
  const { hashKey, onProgress, ...readerOptions } = options;
  const reader = createUploadReader(readerOptions);
  return {
    push(block) {
      const problem = reader.push(block);
      if (!problem) onProgress?.(reader.progress);
      return problem;
    },
    finish() {
      const result = reader.finish();
      return result.ok ? { ok: true, tree: buildTree(result.tables, hashKey) } : result;
    },
  };
}
