import type { Meaning, Problem } from '../read/reading.ts';
import type { FigureName } from './figures.ts';
import type { Postings } from './postings.ts';
import type { TextColumn } from './text-column.ts';

/** Figures by name. A figure that no file has is absent; NaN is unknown. */
export type Figures = { readonly [Name in FigureName]?: Float64Array };

/** A column of texts under its own name. */
export type NamedTexts = TextColumn & {
  readonly name: string;
  /** `level1` to `level4`, `language` or `keep`. */
  readonly meaning: Meaning;
};

/** Keywords as columns, in the order in which they first appear. */
export type Keywords = {
  /** In the first spelling, trimmed and with single spaces. */
  readonly text: readonly string[];
  readonly figures: Figures;
  /** Bits of `intent-texts.ts`; 0 is unknown. */
  readonly intents: Uint8Array;
  /** Lists such as "Sitelinks, Video". */
  readonly serpFeatures: TextColumn | undefined;
  readonly trend: Trend | undefined;
  /** The pages of one's own site that rank. */
  readonly urls: Postings | undefined;
  /** The addresses of search results. */
  readonly results: Postings | undefined;
  /** Levels of the grouping and columns that are kept as they are. */
  readonly texts: readonly NamedTexts[];
  /** The file that a keyword first appears in, by its place in the order of the files. */
  readonly file: Uint8Array;
  /** How many rows were merged into each keyword. */
  readonly entries: Uint32Array;
};

/** Series of numbers such as "0.67,0.81", the oldest first. */
export type Trend = TextColumn & {
  /** The name of the column. It states the first and the last month if the file does: "Trend (05-2025 - 04-2026)". */
  readonly name: string;
};

export type MergeReport = {
  /** Rows of all files. */
  readonly rows: number;
  readonly keywords: number;
  /** Rows that repeat a keyword. */
  readonly repeats: number;
  /** The keywords with the most rows, at most ten. */
  readonly mostRepeated: readonly { readonly keyword: string; readonly rows: number }[];
  /** The markets of the rows. If there are several, volumes are added up. */
  readonly markets: readonly string[];
  /** Rows with a figure beyond ±2^53, which is unknown, at most 1,000. */
  readonly tooLarge: readonly (Pick<Problem, 'line'> & { readonly file: number; readonly column: string })[];
  /** Kept columns that are no part of the keywords, because their texts take too much memory. */
  readonly leftOut: readonly string[];
};
