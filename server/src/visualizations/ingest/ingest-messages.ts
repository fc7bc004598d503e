import type { Thumbnail } from '@kc/pack/slice/thumbnail';
import type { Refusal } from '@kc/rules/result';
import type { StoragePlace } from '../../storage/storage.ts';

/** A stored file to be read, and the object that the pack is written to. Crosses into the process that reads. */
export type IngestRequest = {
  readonly place: StoragePlace;
  readonly fileKey: string;
  readonly tempKey: string;
  /** Bytes of the whole file. */
  readonly fileBytes: number;
  /** Memory that reading may take, in bytes. */
  readonly memoryBytes: number;
  /** A pack of so many bytes or more is checked while it is written; 192 MiB where nothing is said. */
  readonly checkBehindBytes?: number;
};

/** What a record says of a file that was read. */
export type IngestFacts = {
  /** Length of the `keywords` array, 0 without one. */
  readonly keywords: number;
  /** Of those, entries that repeat the keyword of one before them. */
  readonly merged: number;
  readonly nodes: number;
  readonly rootName: string;
  readonly thumbnail: Thumbnail;
};

export type IngestOutcome =
  | { readonly ok: true; readonly facts: IngestFacts }
  | { readonly ok: false; readonly refusal: Refusal };

/** `share` of the file read, 0 to 1; `neededBytes` of memory to make a pack of what was read so far. */
export type ReadShare = { readonly share: number; readonly neededBytes: number };

/** What of the machine a fault is about. */
export type FaultKind = 'full' | 'unreadable' | 'other';

/** What the process that reads says. */
export type IngestMessage =
  | ({ readonly kind: 'progress' } & ReadShare)
  | { readonly kind: 'outcome'; readonly outcome: IngestOutcome }
  | { readonly kind: 'fault'; readonly text: string; readonly of: FaultKind };

/** What it is told: first what to read, then how many bytes of the file may be read by now. */
export type IngestOrder =
  | ({ readonly kind: 'read' } & IngestRequest)
  | { readonly kind: 'allow'; readonly bytes: number };
