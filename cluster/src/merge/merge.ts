import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import { keywordKey } from '../pipeline/keyword-list.ts';
import { keywordText } from '../read/keyword-notation.ts';
import { marketOf } from '../read/markets.ts';
import type { Reading, Rows } from '../read/reading.ts';
import { EntryColumns } from './entry-columns.ts';
import { entryGroups } from './entry-groups.ts';
import { bitColumn, codeColumn } from './growing-column.ts';
import type { Keywords, MergeReport } from './keywords.ts';
import { ageOfDay, mergedKeywords } from './merged-keywords.ts';
import { bytesOfText, GrowingTexts } from './text-column.ts';

/** At most this many figures that are too large are listed in the report. */
const listedFigures = 1000;
const examples = 10;

/** Thrown if the keywords of lists take more memory than they may. */
export class ListsTooLarge extends Error {
  /** What the keywords that were read so far take, in bytes. */
  readonly bytes: number;

  constructor(bytes: number) {
    super('The keywords of these lists take more memory than there is');
    this.name = 'ListsTooLarge';
    this.bytes = bytes;
  }
}

export type MergeLimits = {
  /** What columns that are kept as they are may take in memory, in bytes; a fixed budget by default. */
  readonly keptBytes?: number;
  /** What everything may take in memory until it is merged, in bytes; no limit by default. */
  readonly maxBytes?: number;
};

type File = { readonly exported: string | undefined; readonly market: string | undefined };

/**
 * Merges the rows of one or more lists into keywords. Two rows are the same keyword if their texts have the same key: NFC, case folded, white space
 * collapsed.
 *
 * Files come in the order of the list. Of two entries, the newer one is from the file with the later date; of files with one date, it has the later
 * date in its row; otherwise it comes later. Memory: 8 bytes per row and column, and every different text once; columns that are kept as they are
 * share a budget.
 */
export class Merger {
  readonly #only: string | undefined;
  readonly #columns: EntryColumns;
  readonly #texts: string[] = [];
  readonly #keywordOfKey = new Map<string, number>();
  readonly #keyword = codeColumn();
  readonly #market = codeColumn();
  readonly #markets = new GrowingTexts();
  readonly #file = bitColumn();
  readonly #files: File[] = [];
  readonly #tooLarge: { file: number; line: number; column: string }[] = [];
  readonly #maxBytes: number;
  #textBytes = 0;
  #fileStart = 0;
  #entries = 0;

  /**
   * @param only the market whose rows are read, if not all are
   */
  constructor(only?: string, { keptBytes, maxBytes = Number.POSITIVE_INFINITY }: MergeLimits = {}) {
    this.#only = only;
    this.#maxBytes = maxBytes;
    this.#columns = new EntryColumns(keptBytes);
  }

  /** Begins the next file. @returns a function that takes its rows, and that throws {@link ListsTooLarge} */
  file(reading: Reading): (rows: Rows) => void {
    this.#endFile();
    const file = this.#files.push({ exported: reading.exported, market: reading.market }) - 1;
    const at = (meaning: string) => reading.columns.findIndex((column) => column.meaning === meaning);
    const [keyword, country] = [at('keyword'), at('country')];
    const take = this.#columns.takeRows(reading, (line, column) => {
      if (this.#tooLarge.length < listedFigures) this.#tooLarge.push({ file, line, column });
    });
    const skip = this.#columns.skipRows(reading);
    return ({ line, cells, market: ofAll }) => {
      cells.forEach((record, row) => {
        const market = marketOf(record[country] ?? '') ?? ofAll ?? reading.market;
        // Markets whose rows are not wanted are still listed.
        const code = market === undefined ? undefined : this.#markets.codeOf(market);
        if (this.#only !== undefined && market !== this.#only) {
          skip(record);
          return;
        }
        const entry = this.#entries++;
        this.#keyword.set(entry, this.#numberOf(keywordText(record[keyword]!, reading)));
        this.#file.set(entry, file);
        if (code !== undefined) this.#market.set(entry, code);
        take(entry, record, line[row]!);
      });
      const { bytes } = this;
      if (bytes > this.#maxBytes) throw new ListsTooLarge(bytes);
    };
  }

  /** How many rows and different keywords were read so far. */
  get counts(): { readonly rows: number; readonly keywords: number } {
    return { rows: this.#entries, keywords: this.#texts.length };
  }

  /** What the rows so far take in memory, estimated, in bytes. */
  get bytes(): number {
    const columns = [this.#columns, this.#keyword, this.#market, this.#file];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.#textBytes);
  }

  /** Must be the last call. */
  finish(): { keywords: Keywords; report: MergeReport } {
    this.#endFile();
    const [entries, texts] = [this.#entries, this.#texts];
    const groups = entryGroups(this.#keyword.rows(entries), texts.length);
    this.#keyword.release();
    const keywords = mergedKeywords(this.#columns, {
      texts,
      groups,
      dateOf: this.#ages(),
      market: this.#markets.values.length > 1 ? this.#market.rows(entries) : undefined,
      file: this.#file.rows(entries),
    });
    const report = {
      rows: entries,
      keywords: texts.length,
      repeats: entries - texts.length,
      mostRepeated: mostRepeated(texts, keywords.entries),
      markets: this.#markets.values,
      tooLarge: this.#tooLarge,
      leftOut: this.#columns.texts.leftOut,
    };
    return { keywords, report };
  }

  #endFile(): void {
    this.#columns.endFile(this.#fileStart, this.#entries);
    this.#fileStart = this.#entries;
  }

  #numberOf(text: string): number {
    const key = keywordKey(text);
    const known = this.#keywordOfKey.get(key);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#keywordOfKey.set(key, number);
    // The key is stored, too.
    this.#textBytes += bytesOfText(key) + bytesOfText(text);
    return number;
  }

  /** By entry, a number that is higher for a newer one: the day of the file's export or of the row, then the time of the row. */
  #ages(): DateOf | undefined {
    const rowDate = this.#columns.dates.finish();
    const fileDays = this.#files.map(({ exported }) => (exported ? Date.parse(exported) / 86_400_000 : 0));
    if (!rowDate && new Set(fileDays).size < 2) return undefined;
    return (entry) => {
      const seconds = rowDate?.(entry) ?? 0;
      return (fileDays[this.#file.get(entry)] || Math.floor(seconds / 86_400)) * ageOfDay + seconds;
    };
  }
}

function mostRepeated(texts: readonly string[], rowsOf: Uint32Array): { keyword: string; rows: number }[] {
  const most: number[] = [];
  for (let keyword = 0; keyword < texts.length; keyword++) {
    if (rowsOf[keyword]! < 2 || (most.length === examples && rowsOf[keyword]! <= rowsOf[most[examples - 1]!]!))
      continue;
    most.push(keyword);
    most.sort((one, other) => rowsOf[other]! - rowsOf[one]! || one - other).splice(examples);
  }
  return most.map((keyword) => ({ keyword: texts[keyword]!, rows: rowsOf[keyword]! }));
}
