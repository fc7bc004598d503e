import type { UploadProblem } from './json/upload-problem.ts';
import type { HashKey } from './names/hash-key.ts';
import { IncrementalTree } from './tree/incremental-tree.ts';
import type { Tree } from './tree/tree.ts';
import { buildTree } from './tree/tree-builder.ts';
import { FieldColumns } from './upload/field-columns.ts';
import { createUploadReader, type UploadProgress, type UploadReaderOptions } from './upload/upload-reader.ts';

/** A tree, or what is wrong with the file and where. */
export type IngestResult =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly problem: UploadProblem };

/** How far an ingest has come, and what names and fields take beside the rows, in bytes. */
export type IngestProgress = UploadProgress & { readonly nameBytes: number; readonly fieldBytes: number };

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
  options: { readonly hashKey: HashKey; readonly onProgress?: (progress: IngestProgress) => void } & Pick<
    UploadReaderOptions,
    'maxNodes' | 'loop' | 'fileBytes'
  >,
): Ingest {
  const { hashKey, onProgress, ...readerOptions } = options;
  const fields = new FieldColumns();
  const ahead = new IncrementalTree(hashKey, options.loop?.names);
  const reader = createUploadReader({ ...readerOptions, extras: fields.extras });
  return {
    push(block) {
      const problem = reader.push(block);
      if (problem) return problem;
      ahead.advance(reader.growing);
      onProgress?.({ ...reader.progress, nameBytes: reader.nameBytes, fieldBytes: fields.bytes });
      return undefined;
    },
    finish() {
      const result = reader.finish();
      if (!result.ok) return result;
      const { tables } = result;
      const found = fields.finish(tables.nodes.rows, tables.keywords.rows);
      return {
        ok: true,
        tree: buildTree(
          tables,
          hashKey,
          found.fields,
          fields.trends.finish(),
          found.withheld,
          options.loop?.names,
          ahead,
          fields.dates.finish(),
        ),
      };
    },
  };
}
