import type { UploadField } from '../upload/upload-tables.ts';

/** A field of nodes: the node's own value, otherwise the value of its keyword's entry. */
export type FieldValues = {
  readonly field: UploadField;
  /**
   * NaN for an unknown number, 0 for an unknown category. For a set, returns one half of its bits; half 0 is the low
   * one.
   */
  at(node: number, half?: 0 | 1): number;
};
