import type { Refusal } from '@kc/rules/result';
import type { ThumbnailShape } from '@kc/rules/shapes';
import type { UploadState } from '@kc/rules/upload';
import type { ColumnType, JSONColumnType } from 'kysely';

type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
type OptionalRefusal = JSONColumnType<Refusal | null, string | null | undefined, string | null>;

/** A file on its way to a person, from the first byte until a day after it is done. */
export type UploadRow = {
  /** 128 random bits as hex: part of the upload's address. */
  id: string;
  /** The admin who sends it; nobody else finds it. */
  uploader_id: string;
  /** Whom it is for. */
  user_id: string;
  file_name: string;
  description: string;
  /** Bytes of the whole file. */
  size: number;
  /** When the file was changed last, by the clock of whoever sends it. */
  file_modified: OptionalTime;
  /** Bytes that are durable. */
  received: ColumnType<number, number | undefined, number>;
  state: ColumnType<UploadState, UploadState | undefined, UploadState>;
  /** Share of the file read, while it is read. */
  share: ColumnType<number, number | undefined, number>;
  /** Times that reading it was begun. */
  attempts: ColumnType<number, number | undefined, number>;
  /** Why it failed. */
  refusal: OptionalRefusal;
  /** What its success has beside it. */
  warning: OptionalRefusal;
  /** Storage keys of the file and of the pack made from it, chosen before either exists. */
  file_key: string;
  pack_key: string;
  created_at: Time;
  /** Last time a byte or a step was recorded. */
  touched_at: Time;
};

/** A published visualization. Spec §3 "Visualization record". */
export type VisualizationRow = {
  id: string;
  user_id: string;
  /** The upload it came from, once per upload; null for the sample. */
  upload_id: string | null;
  file_name: string;
  /** The label the specification asks for; not where the file lies. */
  storage_path: string;
  uploaded_by: string;
  uploaded_at: Time;
  /** At most one per user. */
  is_active: boolean;
  is_sample: ColumnType<boolean, boolean | undefined, boolean>;
  /** Bytes of the original file. */
  file_size: number;
  description: string;
  keywords: number;
  nodes: number;
  root_name: string;
  /** Null where its pack was made before there were any. */
  thumbnail: ColumnType<ThumbnailShape | null, ThumbnailShape | null | undefined, ThumbnailShape | null>;
  /** Entries that repeat a keyword; null where its pack was made before they were merged. */
  merged: ColumnType<number | null, number | null | undefined, number | null>;
  file_key: string;
  pack_key: string;
  /** The format that its pack was written in; one of an earlier version cannot be opened until it is built again. */
  pack_version: number;
  /** SHA-256 of the original as hex, for the sample: whether the bundled file changed. */
  source_hash: string | null;
};

/** A stored file that no account speaks of any more and that stays until then, for a backup that runs. */
export type DeletedFileRow = { key: string; remove_after: Time };

/** A way to look at somebody's data, of the person who saved it. It outlives a visualization whose data come again. */
export type SavedViewRow = {
  id: string;
  account_id: string;
  /** Whose data, and the root of their hierarchy: what the addresses of its nodes are made from. */
  owner_id: string;
  root_name: string;
  name: string;
  /** As `isViewState` of the rules has it. */
  state: string;
  /** Its place among the person's views of these data. */
  position: number;
  created_at: Time;
};

export type VisualizationTables = {
  uploads: UploadRow;
  visualizations: VisualizationRow;
  deleted_files: DeletedFileRow;
  saved_views: SavedViewRow;
};
