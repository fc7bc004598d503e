/** An error in an upload and its position. `byte` counts from 0, `line` and `column` (in bytes) from 1. */
export type UploadProblem = {
  readonly what: string;
  readonly byte: number;
  readonly line: number;
  readonly column: number;
  /** Up to 40 printable characters around the position. */
  readonly excerpt: string;
};
