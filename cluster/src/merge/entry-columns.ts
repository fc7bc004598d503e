import { settleRates } from '../../../pack/src/upload/click-rate.ts';
import { EntryDates } from '../../../pack/src/upload/entry-dates.ts';
import { isBeyond } from '../../../pack/src/upload/figure-limit.ts';
import { intentBits, intentsOfCodes, intentsOfText } from '../../../pack/src/upload/intent-texts.ts';
import { saysYes } from '../../../pack/src/upload/metric-values.ts';
import { fold } from '../../../pack/src/upload/spelling.ts';
import { monthText } from '../../../pack/src/upload/trend-columns.ts';
import { trendMonths } from '../../../pack/src/upload/trend-text.ts';
import { isoDate } from '../../../pack/src/upload/written-dates.ts';
import { monthOfColumn } from '../read/names.ts';
import type { Column, Meaning, Reading } from '../read/reading.ts';
import { isKnown, isSeries, numberOfCell, plainRateOf } from '../read/values.ts';
import { groupBy } from './entry-groups.ts';
import { type FigureName, type FigureSource, figureSources, withoutError } from './figures.ts';
import { bitColumn, type GrowingColumn, numberColumn } from './growing-column.ts';
import { GrowingTexts } from './text-column.ts';
import { TextColumns } from './text-columns.ts';

/** Stores the cells of one column of a file. */
type Take = (entry: number, text: string) => void;
type TakeRow = (entry: number, cells: readonly string[], line: number) => void;
/** Reports a figure that is too large to be used. */
type TooLarge = (line: number, column: string) => void;

/** The values of all entries of all files while rows arrive. An entry is a row of a file. */
export class EntryColumns {
  readonly figures = new Map<FigureName, GrowingColumn<Float64Array>>();
  readonly intents = bitColumn();
  readonly serpFeatures = new GrowingTexts();
  readonly trends = new GrowingTexts();
  trendName: string | undefined;
  readonly urls = new GrowingTexts();
  readonly results = new GrowingTexts();
  readonly resultRanks = numberColumn();
  readonly dates = new EntryDates();
  /** Of the file in progress: rates that are percentages, if no row that is used shows it. */
  readonly #inPercent = new Set<Meaning>();
  /** By level, or by the folded name of the column. */
  readonly texts: TextColumns;

  /** @param keptBytes what columns that are kept as they are may take, if not as much as usual */
  constructor(keptBytes?: number) {
    this.texts = new TextColumns(keptBytes);
  }

  /** What they take in memory, estimated. */
  get bytes(): number {
    const texts = [this.serpFeatures, this.trends, this.urls, this.results, this.texts];
    return [...texts, ...this.figures.values(), this.intents, this.resultRanks].reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
  }

  /** A function that stores the rows of a file. */
  takeRows(reading: Reading, tooLarge: TooLarge): TakeRow {
    const takes = reading.columns.map((column, at) => ({ at, take: this.#takeOf(column) })).filter(({ take }) => take);
    const figures = this.#takeFigures(reading.columns, tooLarge);
    const months = this.#takeMonths(reading.columns);
    this.#inPercent.clear();
    const isScaled = (of: Meaning, inPercent: boolean) =>
      reading.columns.some(({ meaning, isPercent }) => meaning === of && isPercent === inPercent);
    if (isScaled('ctr', true)) this.#inPercent.add('ctr');
    if (!isScaled('difficulty', false)) this.#inPercent.add('difficulty');
    return (entry, cells, line) => {
      for (const { at, take } of takes) {
        const text = cells[at]?.trim();
        if (text !== undefined && isKnown(text)) take!(entry, text);
      }
      figures(entry, cells, line);
      months?.(entry, cells, line);
    };
  }

  /** A function that takes the rows of a file that are not used, such as those of other markets: they show how rates are written. */
  skipRows({ columns }: Reading): (cells: readonly string[]) => void {
    const rates = columns.flatMap((column, at) =>
      /^(?:ctr|competition|difficulty)$/u.test(column.meaning) ? [{ at, column }] : [],
    );
    return (cells) => {
      for (const { at, column } of rates)
        if (plainRateOf(cells[at] ?? '', column) > 1) this.#inPercent.add(column.meaning);
    };
  }

  /** Must follow the last row of a file: its click rates share a scale, and so do its competitions and its difficulties. */
  endFile(from: number, to: number): void {
    const rowsOf = (name: FigureName) => [this.figures.get(name)?.rows(to).subarray(from)];
    const ctr = { rates: rowsOf('ctr'), clicks: rowsOf('clicks'), impressions: rowsOf('impressions') };
    settleRates([ctr], this.#inPercent.has('ctr'));
    settleRates([{ rates: rowsOf('competition') }], this.#inPercent.has('competition'));
    if (!this.#inPercent.has('difficulty')) inPercent(rowsOf('difficulty'));
  }

  #takeOf(column: Column): Take | undefined {
    switch (column.meaning) {
      case 'intent':
        return (entry, text) => this.#addIntents(entry, intentsOfText(text) || intentsOfCodes(text));
      case 'informational':
      case 'navigational':
      case 'commercial':
      case 'transactional': {
        const bit = intentBits[column.meaning];
        return (entry, text) => this.#addIntents(entry, saysYes(text) ? bit : 0);
      }
      case 'serpFeatures':
        return (entry, text) => this.serpFeatures.set(entry, text);
      case 'trend':
        this.#nameTrend(column.name);
        return (entry, text) => isSeries(text) && this.trends.set(entry, text);
      case 'url':
        return (entry, text) => this.urls.set(entry, text);
      case 'resultUrl':
        return (entry, text) => this.results.set(entry, text);
      case 'resultRank':
        return (entry, text) => {
          const rank = numberOfCell(text, { hasDecimalComma: column.hasDecimalComma, isCount: true });
          if (rank >= 1) this.resultRanks.set(entry, rank);
        };
      case 'date':
        return this.#takeDates(column);
      case 'language':
      case 'level1':
      case 'level2':
      case 'level3':
      case 'level4':
      case 'keep':
        return this.texts.take(textsKey(column), column);
      default:
        return undefined;
    }
  }

  #addIntents(entry: number, bits: number): void {
    if (bits !== 0) this.intents.set(entry, this.intents.get(entry) | bits);
  }

  #takeDates({ name, isDayFirst = true }: Column): Take {
    // A date that a person named in another way counts like the day of the figures.
    const dates = this.dates.columnOf(name) ?? this.dates.columnOf('date')!;
    return (entry, text) => {
      if (text.length > longestDate) return;
      // No other date has five digits.
      if (/^\d{5}(?:\.\d+)?$/u.test(text)) dates.number(entry, secondsOfSerial(Number(text)));
      const { written } = encoder.encodeInto(isoDate(text, isDayFirst), scratch);
      dates.text(entry, scratch, 0, written);
    };
  }

  /** A figure is taken from the columns of the lowest order that know it: one, the sum of several devices, or the mean of two bounds. */
  #takeFigures(columns: readonly Column[], tooLarge: TooLarge): TakeRow {
    const sources = columns.flatMap((column, at) => figureSources(column).map((source) => ({ at, column, source })));
    const figures = [...groupBy(sources, ({ source }) => source.figure)].map(([name, all]) => ({
      target: this.#figure(name),
      orders: [...groupBy(all, ({ source }) => source.order)].sort(([one], [other]) => one - other),
    }));
    return (entry, cells, line) => {
      for (const { target, orders } of figures) {
        const value = orders.reduce(
          (found, [, own]) => (Number.isNaN(found) ? valueIn(own, cells) : found),
          Number.NaN,
        );
        if (isBeyond(value)) tooLarge(line, orders[0]![1][0]!.column.name);
        else if (!Number.isNaN(value)) target.set(entry, value);
      }
    };
  }

  #figure(name: FigureName): GrowingColumn<Float64Array> {
    const found = this.figures.get(name) ?? numberColumn();
    this.figures.set(name, found);
    return found;
  }

  /** One column per month, as the series of the twelve months that end with the newest. */
  #takeMonths(columns: readonly Column[]): TakeRow | undefined {
    const months = new Map<number, number>();
    columns.forEach(({ name, meaning, monthsBack }, at) => {
      if (meaning !== 'trendMonth') return;
      const month = monthOfColumn(name);
      if (monthsBack !== undefined) months.set(-monthsBack, at);
      else if (month) months.set(12 * month.year + month.month - 1, at);
    });
    if (months.size === 0) return undefined;
    const newest = Math.max(...months.keys());
    const series = Array.from({ length: trendMonths }, (_, at) => months.get(newest - trendMonths + 1 + at) ?? -1);
    const [first, last] = [trendMonths - 1, 0].map((before) => monthText(newest - before));
    this.#nameTrend(newest > 0 ? `Trend (${backwards(first!)} - ${backwards(last!)})` : 'Trend');
    return (entry, cells) => {
      const values = series.map((at) => numberOfCell(cells[at] ?? '', { hasDecimalComma: false, isCount: true }));
      const text = values.map((value) => (value >= 0 ? value : '')).join();
      if (values.some((value) => value >= 0)) this.trends.set(entry, text);
    };
  }

  /** Files whose trends end with different months have none that holds for all. */
  #nameTrend(name: string): void {
    this.trendName = this.trendName === undefined || this.trendName === name ? name : 'Trend';
  }
}

/** Turns difficulties that are shares of 1 into those of 100, in place, unless one is above 1. */
function inPercent([difficulties]: readonly (Float64Array | undefined)[]): void {
  if (!difficulties || difficulties.some((difficulty) => difficulty > 1)) return;
  difficulties.forEach((share, entry) => {
    difficulties[entry] = withoutError(100 * share);
  });
}

/** Folded names have no blanks, so a column that is only called "Level 1" has another key. */
const textsKey = ({ name, meaning }: Column): string => (meaning.startsWith('level') ? ` ${meaning}` : fold(name));

/** Spreadsheets store a day as its number, counted from the end of 1899. @returns seconds since 1970 */
const secondsOfSerial = (day: number): number => Math.round((day - 25_569) * 86_400);

/** "2026-04" as "04-2026", as tools write months in names. */
const backwards = (month: string): string => month.split('-').reverse().join('-');

/** The sum or the mean of those cells of a row that are known; NaN if none is. */
function valueIn(sources: readonly { at: number; source: FigureSource }[], cells: readonly string[]): number {
  const values = sources
    .map(({ at, source }) => source.valueOf(cells[at] ?? ''))
    .filter((value) => !Number.isNaN(value));
  if (values.length === 0) return Number.NaN;
  const sum = values.reduce((total, value) => total + value, 0);
  return sources[0]!.source.adds ? sum : sum / values.length;
}

const encoder = new TextEncoder();
const longestDate = 40;
const scratch = new Uint8Array(3 * longestDate);
