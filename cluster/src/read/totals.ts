import { namesIn } from '../../../pack/src/upload/spelling.ts';
import type { Column, Meaning } from './reading.ts';
import { numberOfCell } from './values.ts';

/** What a row of totals is called, alone or before a colon. */
const words: ReadonlySet<string> = new Set(
  namesIn(`
  total, totals, grand total, overall total, sum, summe, gesamt, gesamtsumme, insgesamt, totaux, total général,
  total general, suma, suma total, totale, totale complessivo, totale generale, totaal, eindtotaal, i alt, totalt,
  sammanlagt, summa, yhteensä, razem, suma końcowa, łącznie, celkem, spolu, összesen, végösszeg, итого, всего,
  общий итог, итог, разом, усього, загалом, общо, toplam, genel toplam, σύνολο, γενικό σύνολο, 合計, 総計, 计, 总计,
  合计, 總計, 合計, 총계, 합계, 전체, tổng, tổng cộng, jumlah, รวม, कुल, المجموع, الإجمالي, סך הכל, סה"כ
`),
);
/** Figures that add up over keywords. */
const additive: ReadonlySet<Meaning> = new Set<Meaning>(['volume', 'traffic', 'trafficCost', 'clicks', 'impressions']);
/** Of so few rows, one may be the sum of the others by chance. */
const fewest = 4;
/** Relative: tools round totals, and the figures that they add up. */
const tolerance = 1e-6;

/** Tells rows of totals from keywords. The rows of a table are added in their order. */
export class Totals {
  readonly #allColumns: readonly Column[];
  readonly #columns: readonly { readonly at: number; readonly column: Column }[];
  readonly #keyword: number;
  readonly #sums: Float64Array;
  readonly #largest: Float64Array;
  #rows = 0;

  constructor(columns: readonly Column[]) {
    this.#allColumns = columns;
    this.#columns = columns.flatMap((column, at) => (additive.has(column.meaning) ? [{ at, column }] : []));
    this.#keyword = columns.findIndex(({ meaning }) => meaning === 'keyword');
    this.#sums = new Float64Array(this.#columns.length);
    this.#largest = new Float64Array(this.#columns.length);
  }

  add(cells: readonly string[]): void {
    this.#rows++;
    this.#figures(cells).forEach((value, at) => {
      if (Number.isNaN(value)) return;
      this.#sums[at]! += value;
      this.#largest[at] = Math.max(this.#largest[at]!, value);
    });
  }

  /** The same with more rows. */
  with(rows: readonly (readonly string[])[]): Totals {
    const more = new Totals(this.#allColumns);
    more.#rows = this.#rows;
    more.#sums.set(this.#sums);
    more.#largest.set(this.#largest);
    for (const row of rows) more.add(row);
    return more;
  }

  /**
   * Whether a row adds up the rows so far: every figure is their sum, or its name says so and no row so far has more.
   * "Total: Account" says so in any case; "total" alone is also a keyword.
   */
  isTotalOf(cells: readonly string[]): boolean {
    const label = this.#label(cells);
    if (label === 'labelled') return true;
    const figures = this.#figures(cells);
    const known = [...figures.keys()].filter((at) => !Number.isNaN(figures[at]!));
    if (label === 'word')
      return this.#rows > 0 && known.length > 0 && known.every((at) => figures[at]! >= this.#largest[at]!);
    return (
      this.#rows >= fewest &&
      known.some((at) => figures[at]! > this.#largest[at]!) &&
      known.every((at) => Math.abs(figures[at]! - this.#sums[at]!) <= tolerance * this.#sums[at]!)
    );
  }

  /** Whether a row may be the total of rows that begin with those so far: none of its figures is less than their sum. */
  mayBeTotal(cells: readonly string[]): boolean {
    if (this.#label(cells) !== undefined) return true;
    const figures = this.#figures(cells);
    const known = [...figures.keys()].filter((at) => !Number.isNaN(figures[at]!));
    return (
      known.some((at) => figures[at]! > 0) && known.every((at) => figures[at]! >= (1 - tolerance) * this.#sums[at]!)
    );
  }

  /** What the keyword of a row says, or its first text if it has no keyword. */
  #label(cells: readonly string[]): 'labelled' | 'word' | undefined {
    const text = cells[this.#keyword]?.trim() || cells.find((cell) => cell.trim() !== '')?.trim() || '';
    return labelOf(text.toLowerCase());
  }

  #figures(cells: readonly string[]): number[] {
    return this.#columns.map(({ at, column: { hasDecimalComma } }) =>
      numberOfCell(cells[at] ?? '', { hasDecimalComma, isCount: true }),
    );
  }
}

/** Whether a text is the word for a total, or has it before a colon or a dash. */
function labelOf(text: string): 'labelled' | 'word' | undefined {
  if (words.has(text)) return 'word';
  const end = text.search(/[:：]| [–—-] /u);
  return end > 0 && words.has(text.slice(0, end).trim()) ? 'labelled' : undefined;
}
