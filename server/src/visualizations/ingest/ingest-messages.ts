import type { PackReader } from '@kc/pack/format/pack-reader';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { type Thumbnail, thumbnailOf } from '@kc/pack/slice/thumbnail';
import type { PackHead } from '@kc/pack/write/pack-check';
import type { Refusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import type { Checksum } from '../../storage/checksum.ts';
import type { StoragePlace } from '../../storage/storage.ts';
import type { WorkerMessage } from '../../worker-process.ts';
import type { AddressMove } from './moves-at-end.ts';

/** A stored file to read, and the object that the pack is written to. Sent to the reading process. */
export type IngestRequest = {
  readonly place: StoragePlace;
  readonly fileKey: string;
  readonly tempKey: string;
  /** Size of the whole file. */
  readonly fileBytes: number;
  /** Memory that reading may use, in bytes. */
  readonly memoryBytes: number;
  /** What was corrected in the reading of its members. */
  readonly fieldMap?: FieldMap | null;
  /** Packs of at least this size are verified while they are written; 192 MiB by default. */
  readonly checkBehindBytes?: number;
};

/** What a record contains about its file. */
export type IngestFacts = {
  /** Length of the `keywords` array; without one, the keywords of the hierarchy. */
  readonly keywords: number;
  /** How many of them repeat the keyword of an earlier entry. */
  readonly merged: number;
  readonly nodes: number;
  readonly rootName: string;
  readonly thumbnail: Thumbnail;
  /** Where the branches of earlier maps have moved, if the file states it. */
  readonly moves?: readonly AddressMove[];
};

export type IngestOutcome =
  | { readonly ok: true; readonly facts: IngestFacts; readonly packBytes: number; readonly fileChecksum: Checksum }
  | { readonly ok: false; readonly refusal: Refusal };

/** `share` of the file that has been read, 0 to 1; `neededBytes` of memory for a pack of the part read so far. */
export type ReadShare = { readonly share: number; readonly neededBytes: number };

/** Messages from the reading process. */
export type IngestMessage = WorkerMessage<ReadShare, IngestOutcome>;

/** Messages to the reading process: first what to read, then how many bytes of the file it may read by now. */
export type IngestOrder =
  | ({ readonly kind: 'read' } & IngestRequest)
  | { readonly kind: 'allow'; readonly bytes: number };

/** Messages to the verifying thread: what it will find, then how many bytes are there, and when that is all. */
export type CheckOrder =
  | { readonly kind: 'head'; readonly head: PackHead }
  | { readonly kind: 'written'; readonly bytes: number; readonly isWhole: boolean };

/** The storage and the object that a pack is written to. Sent to the verifying thread. */
export type CheckedObject = { readonly place: StoragePlace; readonly key: string };

/** What a record contains about a pack. */
export function factsOf({ metadata, rootSlice }: PackReader): IngestFacts {
  const { keywords, merged, nodes, rootName } = metadata;
  const slice = decodeSlice(rootSlice);
  // A file without a list of keywords has those of its hierarchy.
  return { keywords: keywords || slice.keywords[0]!, merged, nodes, rootName, thumbnail: thumbnailOf(slice) };
}
