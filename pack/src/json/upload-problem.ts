/** What is wrong with an upload, and where. `byte` counts from 0, `line` and `column` (in bytes) from 1. */
export type UploadProblem = {
  readonly what: string;
  readonly byte: number;
  readonly line: number;
  readonly column: number;
  /** Up to 40 characters around the place, printable. */
  readonly excerpt: string;
};
