import type { UploadField } from '../upload/upload-tables.ts';

/** A field of nodes: what a node says of itself, else what its keyword's entry says. */
export type FieldValues = {
  readonly field: UploadField;
  /** NaN for an unknown number, 0 for an unknown category. Of a set one half of its bits, the low one first. */
  at(node: number, half?: 0 | 1): number;
};
