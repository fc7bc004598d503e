import { dayOrder } from '../../../pack/src/upload/written-dates.ts';
import type { Draft, Table } from './column-drafts.ts';
import { decimalSign, mayBeFraction } from './decimals.ts';
import { wordsIn } from './fits.ts';
import { currencyIn, isCost, mayBeInMillions, multipleOf, namesCurrency, scaleIn } from './names.ts';
import { additiveFigures, type Corrections, isFigure, type Meaning, type Note } from './reading.ts';
import { hasLetter, isKnown, isZero, plainRateOf, shareOf } from './values.ts';

/** What the values say about how a column is read, and what a person should be asked about it. */
export function settle(drafts: Draft[], { cells, corrections }: Table, notes: Note[]): void {
  const filled = filledDown(drafts, cells);
  if (corrections.fillsDown !== false) for (const draft of filled) draft.fillsDown = true;
  if (filled.length > 0) notes.push({ code: 'filled-down', columns: filled.map(({ name }) => name) });
  noteSeveralVolumes(drafts, cells, notes);
  for (const draft of drafts) {
    if (isFigure(draft.meaning) && draft.misfit === undefined) {
      const words = wordsIn(draft);
      if (words.length > 0) notes.push({ code: 'words-in-figures', column: draft.name, words });
    }
    if (draft.meaning === 'cpc') {
      const zeros = shareOf(draft.values, isZero);
      if (corrections.isZeroCpcUnknown) draft.isZeroUnknown = true;
      if (draft.values.length > 0 && zeros >= asksAboutZeros)
        notes.push({ code: 'zero-cpc', column: draft.name, share: zeros });
    }
    const scale = scaleIn(draft.name);
    if (scale !== undefined) rescale(draft, scale);
    else if (draft.meaning === 'ctr' || draft.meaning === 'difficulty') settleScale(draft, drafts, corrections, notes);
    // Tools round the index to whole numbers.
    else if (draft.meaning === 'competitionIndex' && areShares(ratesOf(draft))) draft.multiple = 100;
    if (draft.meaning === 'date') {
      const order = dayOrder(draft.values);
      draft.isDayFirst = corrections.isDayFirst ?? order !== 'month';
      if (order === 'unclear') notes.push({ code: 'date-order', column: draft.name });
    }
    const isInMillions = mayBeInMillions(draft.name) && areMillions(draft);
    if (isInMillions) notes.push({ code: 'in-millions', column: draft.name });
    const multiple = isInMillions ? 1e6 : isFigure(draft.meaning) ? multipleOf(draft.name) : 1;
    // "1.2K" says it once more.
    if (multiple !== 1 && !sayMultiples(draft.values)) draft.multiple = multiple;
    if (draft.meaning === 'volume' && ofYear.test(draft.name) && !ofMonth.test(draft.name)) {
      const isDivided = ofSum.test(draft.name);
      if (isDivided) draft.multiple = (draft.multiple ?? 1) / 12;
      notes.push({ code: isDivided ? 'volume-of-year-divided' : 'volume-of-year', column: draft.name });
    }
  }
}

/** That keywords have several rows with different volumes, if neither days nor markets tell these apart: those of devices, or of match types. */
function noteSeveralVolumes(drafts: readonly Draft[], cells: Table['cells'], notes: Note[]): void {
  const at = (of: Meaning) => drafts.findIndex(({ meaning }) => meaning === of);
  const [keyword, volume] = [at('keyword'), at('volume')];
  if (keyword < 0 || volume < 0 || at('date') >= 0 || at('country') >= 0) return;
  const volumes = new Map<string, string>();
  const differ = new Set<string>();
  for (const record of cells) {
    const [text, value] = [keyword, volume].map((column) => (record[column] ?? '').trim().toLowerCase());
    if (text === '' || !isKnown(value!)) continue;
    if ((volumes.get(text!) ?? value) !== value) differ.add(text!);
    volumes.set(text!, value!);
  }
  if (differ.size > 0 && differ.size >= someDiffer * volumes.size)
    notes.push({ code: 'several-volumes', column: drafts[volume]!.name });
}

/** Fewer keywords are repeated by mistake. */
const someDiffer = 0.01;

/** What the names of volumes say of a whole year, of a mean or a month, and of a sum. */
const ofYear =
  /(?<!\d)12[\s-]?(?:m|mo|months?|monate?n?|mois|meses|mesi|maanden|mies\p{L}*|měsíc\p{L}*|мес\p{L}*)(?!\p{L})|(?<!\p{L})(?:annual|yearly|per year|last year)(?!\p{L})/iu;
const ofMonth =
  /(?<!\p{L})(?:avg|average|mean|monthly|per month|durchschn\p{L}*|monatl\p{L}*|mensu\p{L}*|mensa\p{L}*|moyen\p{L}*|medi[oa]|promedio|mensil\p{L}*|gemiddeld\p{L}*|maandel\p{L}*|średni\p{L}*|miesięczn\p{L}*|průměr\p{L}*|měsíční|средн\p{L}*|ø)(?!\p{L})/iu;
const ofSum = /(?<!\p{L})(?:total|sum|annual|yearly|per year)(?!\p{L})/iu;

/** Whether figures that are counted have decimals, as numbers of millions do, and figures of a month do not. */
const areMillions = ({ meaning, values }: Draft): boolean =>
  (additiveFigures.has(meaning) || meaning === 'volumeBound') &&
  !mayBeFraction(meaning) &&
  decimalSign(values) !== undefined &&
  !sayMultiples(values);

/** Whether most numbers have their multiple behind them, as "1.2K" and "45 ct". */
const sayMultiples = (values: readonly string[]): boolean => values.length > 0 && shareOf(values, hasLetter) >= 0.5;

/** Brings figures to the scale that is read, where the name says theirs: difficulties and indexes end at 100, competition at 1. */
function rescale(draft: Draft, end: number): void {
  const endsAt100 = draft.meaning === 'difficulty' || draft.meaning === 'competitionIndex';
  if (endsAt100 && end !== 100) draft.multiple = 100 / end;
  if (draft.meaning === 'competition' && end === 10) draft.multiple = 0.1;
  if (draft.meaning === 'ctr') draft.isPercent = end === 100;
}

/**
 * Click rates that are all at most 1 may be shares or percentages, unless they have signs, or clicks and impressions tell. Shares are the
 * likelier ones: of percentages, hardly ever all are that low. So may difficulties, but not where all of them are 0 and 1.
 */
function settleScale(draft: Draft, drafts: readonly Draft[], corrections: Corrections, notes: Note[]): void {
  const has = (meaning: Meaning) => drafts.some((other) => other.meaning === meaning && other.known > 0);
  const isClickRate = draft.meaning === 'ctr';
  const rates = ratesOf(draft);
  if (isClickRate ? rates.some((rate) => rate > 1) || (has('clicks') && has('impressions')) : !areShares(rates)) return;
  const sample = isClickRate ? rates[0] : rates.find((rate) => rate < 1);
  if (sample === undefined) return;
  draft.isPercent = corrections.isCtrPercent ?? (isClickRate && percentSign.test(draft.name));
  notes.push({ code: 'ctr-scale', column: draft.name, sample });
}

/** The known rates of a column that are not 0 and have no percent sign. */
const ratesOf = (draft: Draft): number[] =>
  draft.values.map((value) => plainRateOf(value, draft)).filter((rate) => rate > 0);

/** Whether numbers of a scale up to 100 look like shares of 1. */
const areShares = (rates: readonly number[]): boolean =>
  rates.every((rate) => rate <= 1) && rates.some((rate) => rate < 1);

export const percentSign = /[%\u066a\uff05]/u;

/** The currency of costs is in their names, or in a column of its own. */
export function nameCurrencies(drafts: readonly Draft[]): void {
  const stated = new Set(drafts.find(({ name }) => namesCurrency(name))?.values);
  const common = stated.size === 1 ? [...stated][0] : undefined;
  for (const draft of drafts) {
    const currency = isCost(draft.meaning) ? (currencyIn(draft.name)?.currency ?? common) : undefined;
    if (currency !== undefined) draft.currency = currency;
  }
}

/** Of the known costs per click, the share of zeros from which on 0 may mean "unknown". */
const asksAboutZeros = 0.3;

/**
 * Levels whose values are written once, in the first row of each group, or in cells that are merged: empty cells take the
 * value above. Elsewhere an empty cell means that a keyword has no group, and groups are repeated in each row.
 */
const filledDown = (drafts: readonly Draft[], cells: Table['cells']): Draft[] =>
  drafts.filter((draft, at) => /^level\d$/u.test(draft.meaning) && isFilledDown(draft, at, drafts, cells));

export function isFilledDown(draft: Draft, at: number, drafts: readonly Draft[], cells: Table['cells']): boolean {
  const keyword = drafts.findIndex(({ meaning }) => meaning === 'keyword');
  // Above the first keyword, rows may name groups of other levels.
  const first = cells.findIndex((record) => [at, keyword].some((column) => record[column]?.trim()));
  const rows = cells.slice(Math.max(0, first));
  const known = rows.map((record) => record[at]?.trim() ?? '').filter((text, row) => text !== '' || row === 0);
  if (known[0] === '' || known.length < 2 || known.length > maxWritten * cells.length) return false;
  return (
    new Set(known).size >= known.length * (draft.meaning === 'level1' ? 1 : 0.5) &&
    known.every((text, row) => text !== known[row - 1])
  );
}

/** If more of the rows have a value, it is written in each row. */
const maxWritten = 0.6;
