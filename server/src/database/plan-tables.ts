import type { NodePath } from '@kc/pack/plan/node-paths';
import type { PlanFields } from '@kc/rules/plan';
import type { FieldMarks } from '@kc/rules/plan-merge';
import type { ColumnType, Generated } from 'kysely';
import type { Defaulted, Json, Time } from './column-types.ts';

/** The plan of a data set: of all data that an owner has under one root, or of an account's view of the sample. */
export type PlanRow = {
  id: string;
  owner_id: string;
  of_sample: boolean;
  /** SHA-256 of the folded name of the root, as hex. */
  root_hash: string;
  /** Grows with every write. */
  revision: Defaulted<number>;
  /** Grows when the nodes of entries may have changed that a write did not touch. */
  matching: Defaulted<number>;
  created_at: Time;
  /** Between publishing a page and the peak that it is for. */
  lead_months: Defaulted<number>;
};

export type PlanEntryRow = {
  id: string;
  plan_id: string;
  kind: 'branch' | 'keyword';
  /** As in `fields`. */
  is_planned: boolean;
  /** A hash of each path, in their order. */
  path_hashes: ColumnType<string[], string[], string[]>;
  /** The current path first, then the earlier ones, newest first. */
  paths: Json<readonly NodePath[]>;
  fields: Json<PlanFields>;
  marks: Json<FieldMarks>;
  /** Hashes of its heaviest keywords, 8 bytes each. */
  fingerprint: Buffer;
  /** Figures of its node when it was last given one. */
  keywords: number;
  volume: number | null;
  /** The revision of its last change. */
  rev: number;
  added_by: string;
  added_at: Time;
  /** Null while it is planned. */
  removed_at: ColumnType<Date | null, Date | null, Date | null>;
};

/** A change of a field, or of the path, of an entry. Rows are added and never changed. */
export type PlanChangeRow = {
  id: Generated<number>;
  plan_id: string;
  entry_id: string;
  revision: number;
  field: string;
  before: Json<unknown>;
  after: Json<unknown>;
  by_account: string;
  at: Time;
  batch: string;
};

/** The answer to a write, for the same write sent again. */
type PlanBatchRow = {
  plan_id: string;
  batch: string;
  answer: Json<KeptAnswer>;
  at: Time;
};
export type KeptAnswer = {
  readonly entries: readonly string[];
  readonly conflicts: readonly { readonly entry: string; readonly field: string }[];
  readonly isFull: boolean;
};

/** An entry that somebody was made the owner of, until a mail about it was sent. */
type PlanAssignmentRow = {
  account_id: string;
  entry_id: string;
  /** Where it was done. */
  visualization_id: string;
  by_account: string;
  at: Time;
};

/** To which data set uploads under a root belong, if somebody has chosen: see `dataSetOf`. */
type ContinuedRootRow = {
  owner_id: string;
  /** SHA-256 of the folded name of their root, as hex. */
  root_hash: string;
  /** The same of the root under which the data set began. */
  data_hash: string;
  chosen_by: string;
  chosen_at: Time;
};

export type PlanTables = {
  continued_roots: ContinuedRootRow;
  plans: PlanRow;
  plan_entries: PlanEntryRow;
  plan_assignments: PlanAssignmentRow;
  plan_changes: PlanChangeRow;
  plan_batches: PlanBatchRow;
};
