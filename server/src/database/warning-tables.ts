import type { NodePath } from '@kc/pack/plan/node-paths';
import type { WarningKind, WarningThresholds } from '@kc/rules/warnings';
import type { ColumnType } from 'kysely';

type Json<Value> = ColumnType<Value, string, string>;
type Time = ColumnType<Date, Date, Date>;

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
  /** An account that may be gone. */
  dismissed_by: string;
  dismissed_at: Time;
};

export type WarningThresholdsRow = OfData & { thresholds: Json<WarningThresholds> };

export type WarningTables = { dismissed_warnings: DismissedWarningRow; warning_thresholds: WarningThresholdsRow };
