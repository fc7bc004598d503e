import right from '../../../fixtures/list-faults.json' with { type: 'json' };
import type { FigureTotals } from '../../src/lists/grouping-choice.ts';
import { type Meaning, meanings, type Note } from '../../src/read/reading.ts';

/** What is right about a file of `fixtures/list-faults`. */
export type RightReading = {
  readonly file: string;
  /** Rows that are keywords, and different keywords among them. */
  readonly rows: number;
  readonly keywords: number;
  /** The text of the first keyword, where that was misread. */
  readonly first?: string;
  readonly unreadable?: number;
  /** Totals, notes and the like, which are no keywords. */
  readonly footers?: number;
  /** The sums of figures, each keyword once. */
  readonly totals?: FigureTotals;
  /** What each column is, in the order of the file. */
  readonly columns: readonly (readonly [name: string, meaning: Meaning])[];
  readonly notes?: readonly Note['code'][];
  /** The columns of its own grouping; absent if keywords are to be clustered. */
  readonly grouping?: readonly string[];
};

/** "Header=meaning", as on the command line. */
function columnOf(text: string): RightReading['columns'][number] {
  const at = text.lastIndexOf('=');
  const meaning = meanings.find((one) => one === text.slice(at + 1));
  if (meaning === undefined) throw new Error(`${text} has no known meaning`);
  return [text.slice(0, at), meaning];
}

/**
 * Lists that were once misread without a word. Figures are those of the rows in the file, added up by hand; from number 34 on,
 * what is right was written down before the list was tried.
 */
export const rightReadings = right.map((one) => ({
  ...one,
  columns: one.columns.map(columnOf),
})) as readonly RightReading[];

/** The one that cannot be read: each of its two rows has more cells than the header. */
export const unreadableFile = '28-all-rows-unreadable.csv';
