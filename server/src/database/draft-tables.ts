import type { ClusteringTimes } from '@kc/rules/clustering-time';
import type { DraftOrigin, DraftStage, DraftState } from '@kc/rules/draft';
import type {
  DraftCounts,
  DraftMarks,
  DraftOperation,
  DraftReport,
  DraftSettings,
  HandsOff,
  ListCorrectionsShape,
} from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import type { GeneratedAlways, JSONColumnType } from 'kysely';
import type { Defaulted, Json, Optional, OptionalJson, OptionalTime, Time } from './column-types.ts';

/** A clustered list that is not published. Its lists are uploads with its ID. */
export type DraftRow = {
  /** 128 random bits as hex. */
  id: string;
  /** Whose map it becomes. */
  owner_id: string;
  /** Who began it: the owner, or an administrator. */
  begun_by: string;
  name: string;
  description: string;
  origin: DraftOrigin;
  /** The visualization that it updates or adjusts; null once that is deleted. */
  base_id: Optional<string>;
  /** The address of the branch that it divides. */
  branch: Optional<string>;
  state: DraftState;
  stage: Optional<DraftStage>;
  /** When the stage began. */
  stage_at: OptionalTime;
  /** The keywords of its lists, once this attempt knows that they have to be clustered. */
  counted: Optional<number>;
  done: Optional<number>;
  total: Optional<number>;
  share: Defaulted<number>;
  attempts: Defaulted<number>;
  /** The attempt that clusters it, or did last. */
  run_id: Optional<string>;
  refusal: OptionalJson<Refusal>;
  warnings: JSONColumnType<Refusal[], string | undefined, string>;
  settings: Json<DraftSettings>;
  /** How the members of keywords are read, as corrected in the map that the draft is made of. */
  field_map: OptionalJson<FieldMap>;
  method: Optional<'columns' | 'results' | 'text'>;
  report: OptionalJson<DraftReport>;
  /** What cannot be recomputed quickly: vectors and neighbours. */
  graph_key: Optional<string>;
  /** The number of the last operation in the revision. */
  operation: Defaulted<number>;
  /** The revision, under the ID by which it is read like a visualization: its upload, and the pack made from that. */
  view_id: Optional<string>;
  file_key: Optional<string>;
  pack_key: Optional<string>;
  pack_version: Defaulted<number>;
  file_size: Defaulted<number>;
  nodes: Defaulted<number>;
  keywords: Defaulted<number>;
  merged: Optional<number>;
  root_name: Defaulted<string>;
  /** Its granularity; null where that does not apply. */
  stop: Optional<number>;
  counts: OptionalJson<DraftCounts>;
  marks: OptionalJson<DraftMarks>;
  /** The upload that publishing made. */
  upload_id: Optional<string>;
  /** Of a draft that a program created: what happens to it automatically. */
  hands_off: OptionalJson<HandsOff>;
  /** What is a guess in such a draft and nobody has accepted; null until its lists are clustered. */
  open_questions: OptionalJson<Refusal[]>;
  /** Who edits it, and until when nobody else can. */
  lease_by: Optional<string>;
  lease_until: OptionalTime;
  created_at: Time;
  touched_at: Time;
};

/** An operation on a draft. Those beyond the draft's own number have been undone. */
type DraftOperationRow = {
  draft_id: string;
  /** From 1. */
  number: number;
  account_id: string;
  operation: Json<DraftOperation>;
  at: Time;
};

/** A revision that another one has replaced. It can be read until its pack is removed. */
type PastRevisionRow = {
  view_id: string;
  draft_id: string;
  pack_key: string;
  file_key: string;
  pack_version: number;
  file_size: number;
  nodes: number;
  keywords: number;
  merged: number | null;
  root_name: string;
};

/** A list file that a visualization was made from. */
type VisualizationListRow = {
  visualization_id: string;
  place: number;
  name: string;
  size: number;
  file_key: string;
};

/** What a person corrected in the reading of lists with the same header. */
type ListReadingRow = {
  account_id: string;
  /** SHA-256 of the names in the header, as hex. */
  header_hash: string;
  corrections: Json<ListCorrectionsShape>;
  corrected_at: Time;
};

/** What a person wants of lists that programs bring. */
type ImportSettingsRow = {
  account_id: string;
  publishes: boolean;
};

/** A file of the import folder whose import has begun. */
type ImportedFileRow = {
  account_id: string;
  /** The map and the name. */
  place: string;
  /** SHA-256 of its bytes. */
  content_hash: Buffer;
  upload_id: string;
  begun_at: Time;
};

/** What one of the last runs of clustering took. */
type ClusteringTimesRow = {
  id: GeneratedAlways<number>;
  keywords: number;
  /** Milliseconds by stage. */
  stages: Json<ClusteringTimes['stages']>;
};

export type DraftTables = {
  drafts: DraftRow;
  draft_operations: DraftOperationRow;
  past_revisions: PastRevisionRow;
  visualization_lists: VisualizationListRow;
  list_readings: ListReadingRow;
  import_settings: ImportSettingsRow;
  imported_files: ImportedFileRow;
  clustering_times: ClusteringTimesRow;
};
