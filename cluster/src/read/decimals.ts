import { isCost } from './names.ts';
import { isFigure, type Meaning } from './reading.ts';
import { hasLetter } from './values.ts';

/** A column, by its first known values, and how its decimals are written. */
type Decimals = {
  readonly meaning: Meaning;
  readonly values: readonly string[];
  hasDecimalComma: boolean;
  hasDecimalPoint?: true;
};

/**
 * Where a column does not show how its decimals are written: positions and rates have no thousands, and costs have the decimal
 * comma of the other columns. Numbers that are counted may have decimals, too, such as estimated visits.
 */
export function settleDecimals(drafts: readonly Decimals[]): void {
  const figures = drafts.filter(({ meaning }) => isFigure(meaning) || meaning === 'competition');
  const signs = new Set(figures.map(({ values }) => decimalSign(values)));
  const isCommaFile = signs.has(',') && !signs.has('.');
  for (const draft of figures) {
    const { meaning, values } = draft;
    if (!isCost(meaning) && hasDecimalPoint(values)) draft.hasDecimalPoint = true;
    if (decimalSign(values) !== undefined) continue;
    // "1,305" is one, and "1.305" is a thousand.
    if (isCommaFile && isCost(meaning)) draft.hasDecimalComma = true;
    if (belowThousand.has(meaning) && mayHaveDecimalComma(values)) draft.hasDecimalComma = true;
  }
}

/** Figures that are not in thousands. */
const belowThousand: ReadonlySet<Meaning> = new Set<Meaning>([
  'position',
  'previousPosition',
  'difficulty',
  'competition',
  'competitionIndex',
  'ctr',
]);

/**
 * The sign before the decimals of a column. "1,300" alone does not tell; "0,45", "0,125" and "1.300,5" do, unless another value
 * has the other sign. Undefined if nothing tells.
 */
export function decimalSign(values: readonly string[]): ',' | '.' | undefined {
  const [isComma, isPoint] = [values.some(showsComma), values.some(showsPoint)];
  return isComma === isPoint ? undefined : isComma ? ',' : '.';
}

const showsComma = (text: string): boolean =>
  /^\D*\d+,(?:\d{1,2}|\d{4,})\D*$/u.test(text) || /\d\.\d{3},\d/u.test(text) || /^\D*0,\d+\D*$/u.test(text);
const showsPoint = (text: string): boolean =>
  /^\D*\d+\.(?:\d{1,2}|\d{4,})\D*$/u.test(text) || /\d,\d{3}\.\d/u.test(text) || /^\D*0\.\d+\D*$/u.test(text);

/** Whether commas stand before three digits, once in a number: they separate thousands, or decimals that were rounded to three. */
const mayHaveDecimalComma = (values: readonly string[]): boolean =>
  values.some((text) => /\d,\d{3}(?!\d)/u.test(text)) && values.every((text) => !/\d,\d{3},|\d\.\d/u.test(text));

/** Whether numbers without words have decimals behind a point. "1.5K" says nothing about "1.300". */
const hasDecimalPoint = (values: readonly string[]): boolean =>
  decimalSign(values) === '.' && values.some((text) => !hasLetter(text) && showsPoint(text));
