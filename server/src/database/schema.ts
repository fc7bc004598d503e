import type { NodePath } from '@kc/pack/plan/node-paths';
import type { WarningKind, WarningThresholds } from '@kc/pack/vocabulary/warnings';
import type { ListCorrectionsShape } from '@kc/rules/draft-shapes';
import type { LinkKind } from '@kc/rules/link';
import type { Refusal } from '@kc/rules/result';
import type { ThumbnailShape } from '@kc/rules/shapes';
import type { FieldMap, UploadState } from '@kc/rules/upload';
import type { ColumnType, Generated } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { Defaulted, Json, Optional, OptionalJson, OptionalTime, Time } from './column-types.ts';
import type { DraftTables } from './draft-tables.ts';
import type { PlanTables } from './plan-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** All tables of the product. Those of visualizations, of their warnings and of links are here, the others in files beside it. */
export type Database = AccountTables &
  DraftTables &
  PlanTables &
  WebhookTables & {
    uploads: UploadRow;
    visualizations: VisualizationRow;
    pending_moves: PendingMovesRow;
    deleted_files: DeletedFileRow;
    database_identity: IdentityRow;
    stored_files: StoredFileRow;
    saved_views: SavedViewRow;
    presets: PresetRow;
    dismissed_warnings: DismissedWarningRow;
    warning_thresholds: WarningThresholdsRow;
    share_links: ShareLinkRow;
    share_sessions: ShareSessionRow;
  };

type OptionalFieldMap = ColumnType<FieldMap | null, string | null | undefined, string | null>;

/**
 * An upload, from its first byte until a day after it is finished; a list, for as long as its draft.
 */
export type UploadRow = {
  /** 128 random bits as hex: part of the upload's address. */
  id: string;
  /** `list`: a keyword list of a draft. A published draft becomes a `json` that has its ID. */
  kind: Defaulted<'json' | 'list'>;
  draft_id: Optional<string>;
  /** Of a list: its place among the lists of its draft, and what a person corrected in its reading. */
  place: Defaulted<number>;
  corrections: OptionalJson<ListCorrectionsShape>;
  /** The user who sends it. Nobody else can find it. */
  uploader_id: string;
  /** Whether a program of theirs sends it. */
  by_program: Defaulted<boolean>;
  /** The account it is for. */
  user_id: string;
  file_name: string;
  description: string;
  /** Size of the whole file. */
  size: number;
  /** The file's modification time, by the sender's clock. */
  file_modified: OptionalTime;
  /** Bytes that are durable. */
  received: Defaulted<number>;
  /** Of those bytes, as in `storage/checksum`; null if it is not known. */
  checksum: Optional<number>;
  /** The number of requests that have begun to append bytes. Only the last of them may record any. */
  fence: Defaulted<number>;
  state: Defaulted<UploadState>;
  /** The share of the file that has been read, while it is being read. */
  share: Defaulted<number>;
  /** Number of attempts to read it. */
  attempts: Defaulted<number>;
  /** Why it failed. */
  refusal: OptionalJson<Refusal>;
  /** The warning that goes with its success. */
  warning: OptionalJson<Refusal>;
  /** What its uploader corrected in the reading of its members. */
  field_map: OptionalFieldMap;
  /** Storage keys of the file and of its pack, chosen before either exists. */
  file_key: string;
  pack_key: string;
  created_at: Time;
  /** When a byte or a step was last recorded. */
  touched_at: Time;
};

/** A published visualization. */
export type VisualizationRow = {
  id: string;
  user_id: string;
  /** The upload it came from, unique; null for the sample. */
  upload_id: string | null;
  file_name: string;
  /** A label for display, not the file's location. */
  storage_path: string;
  uploaded_by: string;
  uploaded_at: Time;
  /** At most one per user. */
  is_active: boolean;
  is_sample: Defaulted<boolean>;
  /** Size of the original file. */
  file_size: number;
  description: string;
  keywords: number;
  nodes: number;
  root_name: string;
  /** Null if its pack is from before they existed. */
  thumbnail: Optional<ThumbnailShape>;
  /** Entries that repeat a keyword; null if its pack is from before they were merged. */
  merged: Optional<number>;
  file_key: string;
  pack_key: string;
  /** The format of its pack. A pack of an earlier format cannot be opened until it is rebuilt. */
  pack_version: number;
  /** What was corrected in the reading of its members, and by which corrections its pack was read. */
  field_map: ColumnType<FieldMap | null, FieldMap | null | undefined, string | null>;
  pack_field_map: Optional<FieldMap>;
  /** The newest of the twelve months of its trends, as in `2026-04`, if a person stated it. */
  newest_month: Optional<string>;
  /** The day on which a tool exported the list that it is made of, as in `2026-04-30`, if the list states it. */
  exported_on: Optional<string>;
  /** Of the original, as in `storage/checksum`; null if it is not known. */
  file_checksum: Optional<number>;
  /** SHA-256 of the original as hex, for the sample: shows whether the bundled file changed. */
  source_hash: string | null;
};

/** Addresses of branches before and after, which nothing has followed yet. */
type PendingMovesRow = {
  visualization_id: string;
  moves: ColumnType<[before: string, after: string][], string, string>;
};

/** A stored file that no account refers to. It is kept until then for running backups. */
type DeletedFileRow = { key: string; remove_after: Time };

/** The only row of its table: 128 random bits as hex, which the storage of this database carries as well. */
type IdentityRow = { id: string };

/** An object that this database has made, from before it exists until it is removed. Its bytes count for the account, if any. */
type StoredFileRow = { key: string; account_id: string | null; bytes: number | null };

/** A saved view, of the account that saved it. It outlives a visualization if its data is uploaded again. */
export type SavedViewRow = {
  id: string;
  account_id: string;
  /** The owner of the data, and its root, from which node IDs are computed. */
  owner_id: string;
  root_name: string;
  name: string;
  /** As in `isViewState` of the rules. */
  state: string;
  /** Its position among the account's views of this data. */
  position: number;
  created_at: Time;
};

/** A filter or a score that an account saved under a name. */
export type PresetRow = {
  id: string;
  account_id: string;
  kind: 'filter' | 'score';
  name: string;
  /** In canonical form, never empty. */
  text: string;
  created_at: Time;
};

/** Which data: all that an owner has under one root, or the sample as one account sees it. */
type OfData = {
  owner_id: string;
  of_sample: boolean;
  /** SHA-256 of the folded name of the root, as hex. */
  root_hash: string;
};

/** A warning that somebody called no problem. */
export type DismissedWarningRow = OfData & {
  id: string;
  kind: WarningKind;
  /** Of its node, below the root: the current one, then those that it had in earlier maps, newest first. */
  paths: Json<readonly NodePath[]>;
  /** The URL or keyword that it is about; empty for one about its node. */
  subject: string;
  /** SHA-256 of kind, current path and subject, as hex: each is dismissed once. */
  subject_hash: string;
  /** An account that may have been deleted. */
  dismissed_by: string;
  dismissed_at: Time;
};

type WarningThresholdsRow = OfData & { thresholds: Json<Partial<WarningThresholds>> };

/** A link to one visualization. It ends with the visualization and with the account that made it. */
export type ShareLinkRow = {
  id: string;
  /** SHA-256 of the token, which is stored nowhere. */
  token_hash: Buffer;
  visualization_id: string;
  maker_id: string;
  kind: LinkKind;
  /** The canonical email of a colleague, or the name of a client. */
  shared_with: string;
  with_plan: boolean;
  /** Whether a colleague may edit the plan. */
  may_edit_plan: Defaulted<boolean>;
  with_downloads: boolean;
  /** The file's own columns that a client sees, by name; null: those that do not look personal. */
  columns: ColumnType<string[] | null, string | null | undefined, string | null>;
  created_at: Time;
  expires_at: Time;
  revoked_at: OptionalTime;
  opened_at: OptionalTime;
  /** How often its token was exchanged. */
  opened: Generated<number>;
  /** The colleague who opened it last. */
  opened_by: Optional<string>;
};

/** A browser that has opened a link: its cookie, which is good for that link alone. */
type ShareSessionRow = {
  token_hash: Buffer;
  link_id: string;
  created_at: Time;
  expires_at: Time;
};
