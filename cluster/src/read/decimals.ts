import { isCost } from './names.ts';
import { type Delimiter, isFigure, type Meaning, type Note } from './reading.ts';
import { hasLetter } from './values.ts';

/** A column, by its first known values, and how its decimals are written. */
type Decimals = {
  readonly name: string;
  readonly meaning: Meaning;
  readonly values: readonly string[];
  hasDecimalComma: boolean;
  hasDecimalPoint?: true;
  readonly currency?: string;
};

/** Whether amounts of a currency have no decimals: "5.000" is five thousand. */
export const hasNoDecimals = (currency: string): boolean => /^(?:₫|đ|vnd|₩|krw|idr|rp\.?)$/iu.test(currency);

/**
 * Where a column does not show how its decimals are written: positions and rates have no thousands, and others have the decimal
 * sign of the file if that can be. Numbers that are counted may have decimals, too, such as estimated visits.
 *
 * @param table what stands between cells, and whether numbers are told from texts, as in JSON, where decimals have a point
 * @param areThousands what a person said about the columns that are a guess
 * @returns notes about these: each of their numbers has three digits behind its only sign, and nothing in the file tells
 */
export function settleDecimals(
  drafts: readonly Decimals[],
  { delimiter, hasTypes }: { readonly delimiter?: Delimiter | undefined; readonly hasTypes?: boolean | undefined },
  areThousands: boolean | undefined,
): Note[] {
  const figures = drafts.filter(({ meaning }) => isFigure(meaning) || meaning === 'competition');
  const signs = new Set(figures.map(signOf));
  const ofFormat = hasTypes && !signs.has(',') ? '.' : undefined;
  const shown = signs.has(',') === signs.has('.') ? ofFormat : signs.has(',') ? ',' : '.';
  const ofThousands = new Set(figures.map(signOfThousands).filter((sign) => sign !== undefined));
  const besides = ofThousands.size === 1 ? (ofThousands.has(',') ? '.' : ',') : undefined;
  const notes: Note[] = [];
  for (const draft of figures) {
    const { name, meaning, values } = draft;
    if (!isCost(meaning) && hasDecimalPoint(values)) draft.hasDecimalPoint = true;
    if (decimalSign(values) !== undefined) continue;
    if (belowThousand.has(meaning)) {
      if (mayHaveDecimalComma(values)) draft.hasDecimalComma = true;
      continue;
    }
    if (hasNoDecimals(draft.currency ?? '')) continue;
    const sign = onlySign(values);
    const isPrice = meaning === 'cpc' || meaning === 'cpcBound';
    const likely = sign && likelyThousands(draft, sign, shown ?? (isPrice ? undefined : besides), delimiter);
    if (!likely) {
      // "1,305" is one, and "1.305" is a thousand.
      if (shown === ',' && isCost(meaning)) draft.hasDecimalComma = true;
      continue;
    }
    const are = likely.isGuess ? (areThousands ?? likely.are) : likely.are;
    // Without its points, a cost is in thousands. What is counted is, with them.
    draft.hasDecimalComma = sign === ',' ? !are : are && isCost(meaning);
    if (!are && sign === '.' && !isCost(meaning)) draft.hasDecimalPoint = true;
    if (likely.isGuess) notes.push({ code: 'thousands-guess', column: name, sample: values.find(isRounded)!, are });
  }
  return notes;
}

/** The decimal sign that a column shows; positions and rates show it with three decimals, too. */
const signOf = ({ meaning, values }: Decimals): Sign | undefined =>
  decimalSign(values) ?? (belowThousand.has(meaning) ? onlySign(values) : undefined);

/** The sign before the thousands of what is counted; few prices are that high. */
const signOfThousands = ({ meaning, values }: Decimals): Sign | undefined =>
  mayBeFraction(meaning) || belowThousand.has(meaning) ? undefined : onlySign(values);

type Sign = ',' | '.';

/**
 * Whether numbers such as "1.234" are thousands: what is counted has no decimals, and estimates and costs have those of the file.
 * Thousands end in zeros, or smaller numbers stand beside them; but few prices are that high.
 */
function likelyThousands(
  { meaning, values }: Decimals,
  sign: Sign,
  shown: Sign | undefined,
  delimiter: Delimiter | undefined,
): { readonly are: boolean; readonly isGuess: boolean } {
  const areLikely = !values.every(isRounded) || values.every((value) => /0\D*$/u.test(value));
  if (!mayBeFraction(meaning)) return { are: true, isGuess: sign === shown && !areLikely };
  if (shown !== undefined) return { are: sign !== shown || (areLikely && !isCost(meaning)), isGuess: false };
  const areWhole = meaning === 'trafficCost' && !values.every(isRounded);
  // Spreadsheets write semicolons where the comma is the decimal sign.
  if (isCost(meaning) && sign === ',') return { are: delimiter !== ';', isGuess: delimiter !== ';' && !areWhole };
  if (isCost(meaning)) return { are: false, isGuess: areLikely || meaning === 'trafficCost' };
  return { are: true, isGuess: !areLikely && !(sign === ',' && delimiter === ',') };
}

/** Whether a figure is estimated or paid, so that it may have decimals. */
export const mayBeFraction = (meaning: Meaning): boolean =>
  isCost(meaning) || meaning === 'traffic' || meaning === 'trafficPotential';

/** Whether a text is a number with three digits behind its only sign: "1.234" and "12,345 €". */
const isRounded = (text: string): boolean => /^[^\d.,]*[1-9]\d{0,2}[.,]\d{3}[^\d.,]*$/u.test(text) && !hasLetter(text);

/** The only sign in the numbers of a column, if it stands before three digits wherever there is one. */
function onlySign(values: readonly string[]): Sign | undefined {
  const withSign = values.filter((value) => /[.,]/u.test(value));
  const signs = new Set(withSign.map((value) => (value.includes(',') ? ',' : '.')));
  return signs.size === 1 && withSign.every(isRounded) ? [...signs][0] : undefined;
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
 * The sign before the decimals of a column. "1,300" alone does not tell; "0,45", "0,125", "1300,000" and "1.300,5" do, unless another value
 * has the other sign. Undefined if nothing tells.
 */
export function decimalSign(values: readonly string[]): Sign | undefined {
  const [isComma, isPoint] = [values.some(showsComma), values.some(showsPoint)];
  return isComma === isPoint ? undefined : isComma ? ',' : '.';
}

const showsComma = (text: string): boolean =>
  /^\D*(?:\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d{3})\D*$/u.test(text) ||
  /\d\.\d{3},\d/u.test(text) ||
  /^\D*0,\d+\D*$/u.test(text);
const showsPoint = (text: string): boolean =>
  /^\D*(?:\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d{3})\D*$/u.test(text) ||
  /\d,\d{3}\.\d/u.test(text) ||
  /^\D*0\.\d+\D*$/u.test(text);

/** Whether commas stand before three digits, once in a number: they separate thousands, or decimals that were rounded to three. */
const mayHaveDecimalComma = (values: readonly string[]): boolean =>
  values.some((text) => /\d,\d{3}(?!\d)/u.test(text)) && values.every((text) => !/\d,\d{3},|\d\.\d/u.test(text));

/** Whether numbers without words have decimals behind a point. "1.5K" says nothing about "1.300". */
const hasDecimalPoint = (values: readonly string[]): boolean =>
  decimalSign(values) === '.' && values.some((text) => !hasLetter(text) && showsPoint(text));
