import type { DraftOperation } from '@kc/cluster/draft/operations';
import type { DraftStage } from '@kc/rules/draft';
import type { DraftCounts, DraftMarks, DraftReport, DraftSettings, ListCorrectionsShape } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import type { Question } from '../clustering/list-warnings.ts';
import type { VectorCachePlace } from '../clustering/vector-cache.ts';
import type { Checksum } from '../storage/checksum.ts';
import type { StoragePlace } from '../storage/storage.ts';
import type { WorkerMessage } from '../worker-process.ts';
import type { AdjustedMap } from './adjusted-map.ts';
import type { TemporaryKeys, WrittenRevision } from './revision.ts';

/** Lists to cluster. Sent to the clustering process. */
export type ClusteringRequest = {
  readonly place: StoragePlace;
  /** In their order. */
  readonly lists: readonly {
    readonly key: string;
    readonly name: string;
    readonly checksum: Checksum | null;
    readonly corrections: ListCorrectionsShape;
  }[];
  /** Their length, and that of the map. */
  readonly listBytes: number;
  /** How the beginner corrected earlier lists, by their headers, if nobody has seen how these are read. */
  readonly remembered?: Readonly<Record<string, ListCorrectionsShape>> | undefined;
  /** A published map: read instead of lists, or the one that the lists are next month's export of. */
  readonly map: AdjustedMap | undefined;
  readonly settings: DraftSettings;
  /** The name of the root. */
  readonly name: string;
  /** The folder of a language model to use instead of the built-in one. */
  readonly modelFolder: string | undefined;
  /** Where vectors of keywords are cached between jobs, if they are. */
  readonly vectors: VectorCachePlace | undefined;
  /** Memory that clustering may use, in bytes. */
  readonly memoryBytes: number;
  /** The keys under which the draft is written. */
  readonly keys: TemporaryKeys & { readonly stored: string };
  /** How many bytes the map and the data for editing may take, and the refusal if that is not enough. */
  readonly writes: {
    readonly map: { readonly maxBytes: number; readonly refusal: Refusal };
    readonly stored: { readonly maxBytes: number; readonly refusal: Refusal };
  };
};

/** A draft that is written under temporary keys, complete and durable. */
export type ClusteredDraft = {
  /** The size of the `StoredDraft`. */
  readonly storedBytes: number;
  readonly revision: WrittenRevision;
  readonly fieldMap: FieldMap | null;
  /** Those that led from the stored draft to the revision. */
  readonly operations: readonly DraftOperation[];
  readonly method: 'columns' | 'results' | 'text';
  readonly stop: number | undefined;
  readonly counts: DraftCounts;
  readonly marks: DraftMarks;
  readonly report: DraftReport;
  readonly warnings: readonly Refusal[];
  /** The guesses in the reading of its lists: the questions that a person answers before sending them. */
  readonly questions?: readonly Question[];
};

export type ClusteringOutcome =
  | { readonly ok: true; readonly draft: ClusteredDraft }
  | { readonly ok: false; readonly refusal: Refusal };

export type ClusteringProgress = {
  readonly stage: DraftStage;
  readonly done?: number;
  readonly total?: number;
  /** The keywords of the lists, once it is known that they have to be clustered. */
  readonly keywords?: number;
};

/** Messages from the clustering process. */
export type ClusteringMessage = WorkerMessage<ClusteringProgress, ClusteringOutcome>;
