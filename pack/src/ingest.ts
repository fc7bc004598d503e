import type { UploadProblem } from './json/json-tokens.ts';
import type { HashKey } from './names/half-sip-hash.ts';
import { IncrementalTree } from './tree/incremental-tree.ts';
import type { Tree } from './tree/tree.ts';
import { buildTree } from './tree/tree-builder.ts';
import { FieldColumns } from './upload/field-columns.ts';
import { createUploadReader, type UploadProgress, type UploadReaderOptions } from './upload/upload-reader.ts';

/** A tree, or the error in the file with its position. */
export type IngestResult =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly problem: UploadProblem };

/** The progress of an ingest, and the memory of names and fields beside the rows, in bytes. */
export type IngestProgress = UploadProgress & { readonly nameBytes: number; readonly fieldBytes: number };

/** Turns the bytes of an uploaded file into a tree while they arrive. */
interface Ingest {
  /**
   * Reads the next bytes, split at any position. Returns the first problem, and returns it again on every later call.
   */
  push(block: Uint8Array): UploadProblem | undefined;
  /** Call once after the last byte. */
  finish(): IngestResult;
}

/**
 * Reads an uploaded file into a tree for `pack-writer`. Used by both the server's worker and the command line.
 *
 * @param options.hashKey 2 × 32 random bits, new for every file
 * @param options.onProgress called after every block
 */
export function createIngest(
  options: { readonly hashKey: HashKey; readonly onProgress?: (progress: IngestProgress) => void } & Pick<
    UploadReaderOptions,
    'maxNodes' | 'loop' | 'fileBytes' | 'fieldMap'
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
