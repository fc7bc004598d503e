import { pageOf } from '../../../pack/src/shared-urls/results.ts';
import { trendField } from '../../../pack/src/upload/trend-columns.ts';
import { monthOfName } from '../../../pack/src/upload/written-dates.ts';
import { type Draft, draftsOf, type Table } from './column-drafts.ts';
import { settleDecimals } from './decimals.ts';
import { fits, holdsNumbers, minShare, shareThatFits } from './fits.ts';
import { notationOf } from './keyword-notation.ts';
import { areNames, type LevelCandidate, levelsAmong } from './levels.ts';
import { marketOf } from './markets.ts';
import {
  bareMonthOf,
  globalSuggestionOf,
  isKeywordName,
  isRowLabel,
  levelRank,
  monthNumberOf,
  monthOfColumn,
  namesDimension,
  namesFurther,
  namesPlace,
  newestIn,
  suggestionOf,
} from './names.ts';
import { suggestionByWords } from './names-by-words.ts';
import { areIndented } from './outlines.ts';
import {
  additiveFigures,
  type Corrections,
  isFigure,
  type Meaning,
  mayRepeat,
  type Note,
  type Reading,
  type Vendor,
} from './reading.ts';
import { isFilledDown, nameCurrencies, percentSign, settle } from './settle-columns.ts';
import { holdGroups } from './totals.ts';
import { hasLetter, isAddress, isKnown, isOrganic, isWebAddress, shareOf } from './values.ts';

/** What each column of a table means: by its name if its values fit, otherwise by its values. */
export function columnsOf(
  given: Table,
): Pick<Reading, 'columns' | 'notes' | 'resultKind'> & ReturnType<typeof notationOf> {
  const { drafts, table } = draftsOf(given);
  const notes: Note[] = [];
  const early = drafts.slice(0, table.early);
  suggest(early, table.vendor, notes);
  addDevices(early);
  findKeywords(early, notes);
  keepOtherKeywords(early, notes);
  noteOtherLists(early, notes);
  suggestGlobal(early, notes);
  suggestBareMonths(early, table.corrections, notes);
  suggestResults(early, table, notes);
  suggestLate(drafts.slice(early.length), early, table.vendor, notes);
  findLevels(drafts, table);
  correct(drafts, table.corrections.meanings ?? {});
  orderMonths(drafts, table.corrections, notes);
  nameCurrencies(drafts);
  notes.push(...settleDecimals(drafts, table, table.corrections.areThousands));
  settle(drafts, table, notes);
  noteWhatIsMissing(drafts, notes);
  const columns = drafts.map(({ values, isNamed, isOutranked, ...draft }) => ({
    ...draft,
    // The commas of a series stand between its numbers.
    hasDecimalComma: draft.hasDecimalComma && draft.meaning !== 'trend',
    sample: values[0],
  }));
  const keyword = drafts.find(({ meaning }) => meaning === 'keyword');
  const notation = notationOf(
    keyword?.values ?? [],
    drafts.filter(({ isNamed }) => isNamed).map(({ name }) => name),
  );
  if (keyword && notation.inCells !== undefined) notes.push({ code: 'keywords-in-cells', column: keyword.name });
  const adding = drafts.findIndex(({ meaning }) => additiveFigures.has(meaning));
  const mayHoldGroups = () =>
    holdGroups(table.cells, adding, drafts[adding]!, isRowLabel(keyword!.name)) ||
    areIndented(table.cells.map((record) => record[drafts.indexOf(keyword!)] ?? ''));
  if (keyword && adding >= 0 && mayHoldGroups()) notes.push({ code: 'groups-in-rows', column: keyword.name });
  const resultKind = drafts.findIndex(({ name, values }) => kindNames.test(name) && values.some(isOrganic));
  return { columns, notes, ...notation, ...(resultKind >= 0 && { resultKind }) };
}

/** What the kind of a result may be called: of a position, or of an item in tables of search results. */
const kindNames = /^(?:(?:position|result|item|serp)[\s_])?type$/iu;

/** Takes the meanings that the names suggest, where the values fit. */
function suggest(drafts: Draft[], vendor: Vendor, notes: Note[]): void {
  const ranks = new Map<Meaning, Ranked>();
  for (const draft of drafts) {
    const suggestion = draft.isNamed ? suggestionIn(drafts, draft) : undefined;
    if (!suggestion) {
      const isNumbering = !draft.isNamed && !draft.values.some(hasLetter);
      const isLeftOut = isNumbering && (drafts.some(({ isNamed }) => isNamed) || countsRows(draft, drafts));
      draft.meaning = isLeftOut ? 'leaveOut' : 'keep';
      continue;
    }
    const { meaning, rank } = suggestion;
    if (meaning === 'keyword' && countsKeywords(draft)) notes.push({ code: 'summary-of-clusters', column: draft.name });
    if (meaning === 'resultUrl' && vendor === 'semrush-keyword-strategy-builder') continue;
    if (!fits(draft, meaning) || isShare(draft, meaning)) continue;
    if (meaning === 'position' && isNumberingOf(draft, drafts)) {
      draft.meaning = 'leaveOut';
      continue;
    }
    if (meaning === 'trendMonth' && !areSearches(drafts, draft)) continue;
    const other = ranks.get(meaning);
    if (other && !mayRepeat.has(meaning)) {
      const lost = isPreferred({ rank, draft }, other, meaning) ? other.draft : draft;
      const isGuess = isFigure(meaning) && rank === other.rank && newestIn(draft.name) === newestIn(other.draft.name);
      if (isByPart(meaning) || isGuess) lost.isOutranked = true;
      if (lost === draft) continue;
      lost.meaning = 'keep';
    }
    ranks.set(meaning, { rank, draft });
    draft.meaning = meaning;
  }
}

/** Columns that the first rows do not have take no meaning from those that they have, whatever they are called. */
function suggestLate(late: Draft[], early: readonly Draft[], vendor: Vendor, notes: Note[]): void {
  suggest(late, vendor, notes);
  const taken = new Set(early.map(({ meaning }) => meaning));
  for (const draft of late) {
    if (!taken.has(draft.meaning) || mayRepeat.has(draft.meaning)) continue;
    if (isByPart(draft.meaning)) draft.isOutranked = true;
    draft.meaning = 'keep';
  }
}

/** Where all columns of the volume are for devices, as in the lists of Naver, their sum is the volume. */
function addDevices(drafts: readonly Draft[]): void {
  const isPart = (draft: Draft): boolean => {
    const name = draft.name.replace(device, '').replace('()', '').trim();
    return (
      draft.isNamed &&
      (draft.meaning === 'volume' || draft.meaning === 'keep') &&
      name !== draft.name &&
      suggestionIn(drafts, { ...draft, name })?.meaning === 'volume' &&
      fits(draft, 'volume')
    );
  };
  const parts = drafts.filter(isPart);
  const devices = new Set(parts.map(({ name }) => device.exec(name)![0].toLowerCase()));
  if (parts.length < 2 || devices.size < parts.length) return;
  if (drafts.some((draft) => draft.meaning === 'volume' && !parts.includes(draft))) return;
  for (const draft of parts) {
    draft.meaning = 'volumePart';
    delete draft.isOutranked;
  }
}

const device =
  /(?<!\p{L})(?:pc|desktop|mobile?|tablet|smartphone)(?!\p{L})|모바일|태블릿|モバイル|スマホ|デスクトップ|移动|移動|桌面/iu;

/** Whether a table may have several columns of a figure that count: volumes by device. */
const isByPart = (meaning: Meaning): boolean => meaning !== 'trafficCost' && additiveFigures.has(meaning);

/** Whether a column has shares of a figure rather than the figure: "Traffic (%)". */
const isShare = ({ name }: Draft, meaning: Meaning): boolean => isByPart(meaning) && percentSign.test(name);

type Ranked = { readonly rank: number; readonly draft: Draft };

/**
 * Whether a column has a meaning rather than an earlier one: by its name, by its period, because keywords differ, or because it has numbers for
 * the competition where the other one has "Low" and "High".
 */
function isPreferred(one: Ranked, other: Ranked, meaning: Meaning): boolean {
  if (meaning === 'keyword') {
    const [own, others] = [one, other].map(({ draft }) => new Set(draft.values).size / draft.values.length);
    if (own! > mostlyDifferent && others! < mostlyEqual) return true;
    if (others! > mostlyDifferent && own! < mostlyEqual) return false;
  }
  if (meaning === 'competition') {
    const isNumeric = holdsNumbers(one.draft);
    if (isNumeric !== holdsNumbers(other.draft)) return isNumeric;
  }
  if (one.rank !== other.rank) return one.rank < other.rank;
  const [newest, newestOther] = [newestIn(one.draft.name), newestIn(other.draft.name)];
  return newestOther > 0 && newest > newestOther;
}

/** Shares of different values: keywords differ, and what they were found with or bid on repeats. */
const mostlyDifferent = 0.9;
const mostlyEqual = 0.5;

/** What a name suggests in its table: of three or more volumes of months, each is a month of the trend. */
function suggestionIn(drafts: readonly Draft[], draft: Draft): ReturnType<typeof suggestionOf> {
  const { name } = draft;
  const isMonth = monthOfColumn(name) && drafts.filter((draft) => monthOfColumn(draft.name)).length >= minMonths;
  if (isMonth) return { meaning: 'trendMonth', rank: 0 };
  if (isKey(draft) && shareOf(draft.values, isWebAddress) === 1) return { meaning: 'url', rank: 0 };
  if (isKey(draft) && areMarkets(draft)) return { meaning: 'country', rank: 0 };
  const ofDay = ofTrackedDay(drafts, name);
  if (ofDay) return ofDay;
  // The figures of clusters are not those of their main keywords.
  return suggestionOf(name) ?? (drafts.some(countsKeywords) ? undefined : suggestionByWords(name));
}

/** Whether a column is a dimension of an answer of Search Console, which has no names for them. */
const isKey = ({ name }: Draft): boolean => /^keys\.\d$/u.test(name);
/** `zzz` is no known country. */
const areMarkets = ({ values }: Draft): boolean =>
  values.every((value) => /^[a-z]{3}$/u.test(value) && (value === 'zzz' || marketOf(value) !== undefined));
const areDevices = ({ values }: Draft): boolean => values.every((value) => /^(?:desktop|mobile|tablet)$/iu.test(value));

const minMonths = 3;

/**
 * The position on the newest day, and on the one before, where a rank tracker has columns for each site and day, such as
 * "example.com_20260430" beside "example.com_20260430_landing". The first site is the one that is tracked.
 */
function ofTrackedDay(drafts: readonly Draft[], name: string): ReturnType<typeof suggestionOf> {
  if (!trackedDay.test(name)) return undefined;
  const found = drafts.map((draft) => trackedDay.exec(draft.name)).filter((one) => one !== null);
  const first = found[0]![1];
  if (!found.some(([, , , what]) => what === '_landing' || what === '_type')) return undefined;
  const [, site, day, what] = trackedDay.exec(name)!;
  const days = [...new Set(found.filter((one) => one[1] === first).map((one) => one[2]!))].sort().reverse();
  const age = site === first ? days.indexOf(day!) : -1;
  if (what === undefined && age === 0) return { meaning: 'position', rank: 0 };
  if (what === undefined && age === 1) return { meaning: 'previousPosition', rank: 0 };
  return what === '_landing' && age === 0 ? { meaning: 'url', rank: 0 } : { meaning: 'keep', rank: 0 };
}

const trackedDay = /^(.+)_(20\d{6})(_[a-z]+)?$/u;

/**
 * Whether a column that is called so holds the numbers of keywords of clusters, unlike keywords of digits, and tables of this
 * product, where each keyword is one.
 */
const countsKeywords = (draft: Draft): boolean =>
  draft.isNamed &&
  isKeywordName(draft.name) &&
  holdsNumbers(draft) &&
  !fits(draft, 'keyword') &&
  shareOf(draft.values, (value) => value === '1') < mostlyOnes;

const mostlyOnes = 0.5;

/** Whether a column of a month holds searches: its name says so, or it is one of several with numbers of that size. */
function areSearches(drafts: readonly Draft[], { name }: Draft): boolean {
  if (trendField(name) >= 0 || !monthOfName(name)) return true;
  const months = drafts.filter((draft) => monthOfColumn(draft.name));
  return (
    months.length >= minMonths &&
    months.some((draft) => draft.values.some((value) => Number(value.replaceAll(/\D/gu, '')) > 100))
  );
}

/**
 * Months whose names say no year are those of the trend if they follow one another, "May" to "April", or "April" back to "May". The last one
 * is the newest then, or the first one. Months that are only numbered count from the oldest on, or from the newest, which is asked.
 */
function suggestBareMonths(drafts: readonly Draft[], { isFirstMonthNewest }: Corrections, notes: Note[]): void {
  if (drafts.some(({ meaning }) => meaning === 'trend' || meaning === 'trendMonth')) return;
  const monthsBy = (monthOf: (name: string) => number | undefined) =>
    drafts.flatMap((draft, at) => {
      const month = draft.isNamed && draft.meaning === 'keep' ? monthOf(draft.name) : undefined;
      return month !== undefined && fits(draft, 'trendMonth') ? [{ draft, at, month }] : [];
    });
  const named = monthsBy(bareMonthOf);
  const months = named.length > 0 ? named : monthsBy((name) => monthNumberOf(name)?.number);
  const follows = (step: number) =>
    months.every((one, place) => {
      const before = months[place - 1];
      return !before || (one.at === before.at + 1 && (one.month - before.month + 12) % 12 === step);
    });
  const [forth, back] = [follows(1), follows(11)];
  const haveSearches = months.some(({ draft }) =>
    draft.values.some((value) => Number(value.replaceAll(/\D/gu, '')) > 100),
  );
  if (months.length < minMonths || months.length > 12 || !(forth || back) || !haveSearches) return;
  const first = months.at(forth ? 0 : -1)!.draft.name;
  const isBefore = monthNumberOf(first)?.isBefore;
  const isFirstNewest = named.length === 0 && (isBefore || (isFirstMonthNewest ?? false));
  for (const [place, { draft }] of months.entries()) {
    draft.meaning = 'trendMonth';
    draft.monthsBack = forth === isFirstNewest ? place : months.length - 1 - place;
  }
  if (isBefore === false) notes.push({ code: 'month-order', column: first, isNewest: isFirstNewest });
}

/** Months that a person chose in columns that are called otherwise stand in the order of the columns, from the oldest on, which is asked. */
function orderMonths(drafts: readonly Draft[], { isFirstMonthNewest = false }: Corrections, notes: Note[]): void {
  const months = drafts.filter(({ meaning }) => meaning === 'trendMonth');
  if (months.every(({ name, monthsBack }) => monthsBack !== undefined || monthOfColumn(name))) return;
  for (const [place, draft] of months.entries())
    draft.monthsBack = isFirstMonthNewest ? place : months.length - 1 - place;
  const others = notes.filter(({ code }) => code !== 'month-order');
  notes.splice(0, notes.length, ...others, {
    code: 'month-order',
    column: months[0]!.name,
    isNewest: isFirstMonthNewest,
  });
}

/** Whether a column beside others counts the rows: 1, 2, 3 and so on, or "1." and "2.". */
function countsRows({ values }: Draft, drafts: readonly Draft[]): boolean {
  const numbers = values.map((value) => (/^\d{1,7}[.)]?$/u.test(value) ? Number.parseInt(value, 10) : Number.NaN));
  return (
    drafts.length > 1 &&
    numbers.length >= minCounted &&
    numbers[0]! <= 1 &&
    numbers.every((number, row) => number === numbers[0]! + row)
  );
}

/** Fewer rows may count up by chance. */
const minCounted = 5;

/**
 * Whether a column before that of different keywords only counts them, whatever it is called: "Rank" of a list by volume. Beside addresses it
 * may be the positions at which they rank.
 */
function isNumberingOf(draft: Draft, drafts: readonly Draft[]): boolean {
  const keywords = drafts[drafts.indexOf(draft) + 1];
  return (
    keywords !== undefined &&
    isKeywordName(keywords.name) &&
    areDifferent(keywords.values) &&
    countsRows(draft, drafts) &&
    !drafts.some(({ values }) => values.some(isAddress))
  );
}

/** Without a column that is called so, keywords are the texts that differ most. */
function findKeywords(drafts: Draft[], notes: Note[]): void {
  // Its other texts say more about that.
  if (namesDimension(drafts[0]?.name ?? '')) return;
  if (drafts.some(({ meaning }) => meaning === 'keyword')) return;
  const isCandidate = (draft: Draft) =>
    draft.meaning === 'keep' &&
    levelRank(draft.name) === undefined &&
    !namesPlace(draft.name) &&
    draft.values.length > 0 &&
    shareOf(draft.values, hasLetter) >= 0.5 &&
    // "1K – 10K" has letters, too.
    shareThatFits(draft, 'volume') < minShare('volume') &&
    !(isKey(draft) && areDevices(draft));
  const candidates = drafts.filter((draft) => isCandidate(draft) && shareOf(draft.values, isAddress) < 0.8);
  const named = new Set(notes.map((note) => ('column' in note ? note.column : '')));
  const scores = candidates.map((draft) => ({
    draft,
    different: new Set(draft.values).size / draft.values.length,
    isNamed: /keyword/iu.test(draft.name) && !named.has(draft.name),
    words: draft.values.reduce((sum, value) => sum + value.split(/\s+/u).length, 0) / draft.values.length,
  }));
  scores.sort(
    (one, other) =>
      other.different - one.different || Number(other.isNamed) - Number(one.isNamed) || other.words - one.words,
  );
  const found = scores[0]?.draft ?? mainKeywords(drafts) ?? keywordsOfDigits(drafts);
  if (!found) return;
  found.meaning = 'keyword';
  const about = notes.findIndex((note) => note.code === 'summary-of-clusters' && note.column === found.name);
  if (about >= 0) notes.splice(about, 1);
}

/** Beside the numbers of keywords of clusters, their main keywords, which may also name groups of keywords: "Main keyword". */
const mainKeywords = (drafts: readonly Draft[]): Draft | undefined =>
  drafts.some(countsKeywords)
    ? drafts.find(
        ({ meaning, name, values }) =>
          meaning === 'keep' && /keyword/iu.test(name) && shareOf(values, hasLetter) >= 0.5 && areDifferent(values),
      )
    : undefined;

const areDifferent = (values: readonly string[]): boolean => new Set(values).size > mostlyDifferent * values.length;

/** Where no column has texts, digits are the keywords: in the column that is called so, or in the only one. */
function keywordsOfDigits(drafts: readonly Draft[]): Draft | undefined {
  const called = drafts.find(({ name, isNamed }) => isNamed && isKeywordName(name));
  const hasTopics = drafts.some(({ name, values }) => levelRank(name) !== undefined && areNames(values));
  if (called && countsKeywords(called) && hasTopics) return undefined;
  const [only, ...others] = drafts;
  const isList = only && others.length === 0 && shareOf(only.values, isWebAddress) < 0.8;
  return called ?? (isList ? only : undefined);
}

/**
 * In a table of several lists side by side, such as "Keyword EN, Volume EN, Keyword DE, Volume DE", the figures of the keywords
 * are those beside them.
 */
function keepOtherKeywords(drafts: Draft[], notes: Note[]): void {
  const isList = (draft: Draft) =>
    draft.meaning === 'keyword' ||
    (draft.meaning === 'keep' && draft.isNamed && fits(draft, 'keyword') && isKeywordName(withoutPlace(draft.name)));
  const starts = drafts.flatMap((draft, at) => (isList(draft) ? [at] : []));
  const own = drafts.findIndex(({ meaning }) => meaning === 'keyword');
  if (starts.length < 2 || !starts.includes(own)) return;
  const end = starts.find((at) => at > own) ?? drafts.length;
  const ownColumns = drafts.slice(own, end);
  const others = drafts.filter((_, at) => at > starts[0]! && (at < own || at >= end));
  const figureOf = (draft: Draft): Meaning | undefined => {
    const meaning = draft.meaning === 'keep' && draft.isNamed ? suggestionIn(drafts, draft)?.meaning : draft.meaning;
    return meaning && isFigure(meaning) && fits(draft, meaning) ? meaning : undefined;
  };
  const ofOthers = new Set(others.map(figureOf));
  // In reports of ads, the figures of search terms stand behind the keywords that were bid on.
  if (!ownColumns.some((draft) => figureOf(draft) && ofOthers.has(figureOf(draft)))) return;
  for (const draft of others) {
    if (!figureOf(draft)) continue;
    draft.meaning = 'keep';
    draft.isOutranked = true;
  }
  notes.push({ code: 'other-lists', columns: starts.filter((at) => at !== own).map((at) => drafts[at]!.name) });
  for (const draft of ownColumns) {
    const figure = figureOf(draft);
    if (figure && !drafts.some(({ meaning }) => meaning === figure)) draft.meaning = figure;
  }
}

/**
 * Lists side by side whose columns have no names that are known: texts that differ, with figures behind them as behind the keywords, behind
 * an empty column, or in a table that has nothing else; and further keywords of pages. One list is read.
 */
function noteOtherLists(drafts: readonly Draft[], notes: Note[]): void {
  const others = [
    ...drafts.filter((draft) => draft.meaning === 'keep' && namesFurther(draft.name)),
    ...listsBeside(drafts),
  ];
  if (others.length > 0) notes.push({ code: 'other-lists', columns: others.map(({ name }) => name) });
}

function listsBeside(drafts: readonly Draft[]): readonly Draft[] {
  const kinds = drafts.map(({ values }) =>
    values.length === 0 ? 'none' : shareOf(values, hasLetter) >= 0.5 ? 'text' : 'number',
  );
  const hasTextsOnly = kinds.every((kind) => kind !== 'number');
  const figuresBehind = (at: number): number => {
    const end = kinds.findIndex((kind, place) => place > at && kind !== 'number');
    return (end < 0 ? kinds.length : end) - at - 1;
  };
  const own = drafts.findIndex(({ meaning }) => meaning === 'keyword');
  if (own < 0 || (drafts[own]!.isNamed && suggestionOf(drafts[own]!.name))) return [];
  return drafts.filter(
    ({ meaning, name, values, isNamed }, at) =>
      meaning === 'keep' &&
      suggestionOf(name) === undefined &&
      kinds[at] === 'text' &&
      values.length >= minInList &&
      areDifferent(values) &&
      shareOf(values, isAddress) < 0.5 &&
      shareOf(values, (value) => value.split(/\s+/u).length <= wordsInList) >= 0.9 &&
      figuresBehind(at) === figuresBehind(own) &&
      // The first row of lists without figures may look like names.
      ((figuresBehind(own) > 0 && !isNamed) || kinds[Math.max(at, own) - 1] === 'none' || hasTextsOnly),
  );
}

/** Fewer texts differ by chance. */
const minInList = 3;
/** Longer texts are remarks. */
const wordsInList = 8;

/** A name without the language or country behind it: "Keyword EN", "Keyword (German)". */
const withoutPlace = (name: string): string => name.trim().replace(/\s(?:[A-Z]{2}|\(?\p{Lu}\p{Ll}{3,}\)?)$/u, '');

/**
 * Figures of all countries, where the file has none of one country: "Volume (Global)" is the volume then.
 */
function suggestGlobal(drafts: Draft[], notes: Note[]): void {
  const taken = new Set(drafts.map(({ meaning }) => meaning));
  const columns: string[] = [];
  for (const draft of drafts) {
    const meaning = draft.meaning === 'keep' ? globalSuggestionOf(draft.name)?.meaning : undefined;
    if (!meaning || taken.has(meaning) || !(isFigure(meaning) || meaning === 'competition') || !fits(draft, meaning))
      continue;
    draft.meaning = meaning;
    taken.add(meaning);
    columns.push(draft.name);
  }
  if (columns.length > 0) notes.push({ code: 'global-figures', columns });
}

/** Keywords with so many hosts have search results of anybody's pages, if that is at least this share of them. */
const minHosts = 3;
const minHostShare = 0.5;
/** From this share on, a person is asked. */
const someWithHosts = 0.1;

/**
 * Addresses that are search results: of most keywords there are several rows, with pages of several hosts. Pages of one's own
 * are on one host, or on few.
 */
function suggestResults(drafts: Draft[], { cells, corrections }: Table, notes: Note[]): void {
  const columnOf = (meaning: Meaning) => drafts.findIndex((draft) => draft.meaning === meaning);
  const [keyword, named, own] = [columnOf('keyword'), columnOf('resultUrl'), columnOf('url')];
  const url = named < 0 ? own : named;
  if (keyword < 0 || url < 0) return;
  const share = shareWithHosts(cells, keyword, url);
  if (named < 0 && share >= someWithHosts) notes.push({ code: 'results-guess', column: drafts[url]!.name });
  if (!(corrections.areResults ?? share >= minHostShare)) return;
  drafts[url]!.meaning = 'resultUrl';
  const position = drafts[columnOf('position')];
  // Where each row is a result, the position is its rank.
  if (position && columnOf('url') < 0 && columnOf('resultRank') < 0) position.meaning = 'resultRank';
}

/** Of the keywords, the share of those with addresses on several hosts. */
function shareWithHosts(cells: Table['cells'], keyword: number, url: number): number {
  const hosts = new Map<string, Set<string>>();
  for (const record of cells) {
    const text = record[keyword]?.trim().toLowerCase() ?? '';
    if (text === '') continue;
    const known = hosts.get(text) ?? new Set<string>();
    hosts.set(text, known);
    const host = pageOf(record[url] ?? '').split(/[/?]/u, 1)[0]!;
    if (host !== '') known.add(host);
  }
  const several = [...hosts.values()].filter(({ size }) => size >= minHosts).length;
  return hosts.size === 0 ? 0 : several / hosts.size;
}

/** Columns that are kept and are called so become levels. */
function findLevels(drafts: Draft[], { cells }: Table): void {
  const candidates: (LevelCandidate & { draft: Draft })[] = [];
  drafts.forEach((draft, at) => {
    if (draft.meaning !== 'keep' || !areNames(draft.values)) return;
    const isWrittenOnce = isFilledDown({ ...draft, meaning: 'level1' }, at, drafts, cells);
    candidates.push({ draft, name: draft.name, ...codesOf(cells, at), isWrittenOnce });
  });
  const levels = levelsAmong(candidates);
  for (const [depth, { draft }] of levels.entries()) draft.meaning = `level${depth + 1}` as Meaning;
}

function codesOf(cells: Table['cells'], at: number): { codes: Int32Array; values: number } {
  const numbers = new Map<string, number>();
  const codes = Int32Array.from(cells, (record) => {
    const text = record[at]?.trim() ?? '';
    if (!isKnown(text)) return -1;
    const code = numbers.get(text) ?? numbers.size;
    if (code === numbers.size) numbers.set(text, code);
    return code;
  });
  return { codes, values: numbers.size };
}

/** Takes what a person chose. A meaning that can exist once leaves the column that had it. */
function correct(drafts: Draft[], corrections: Readonly<Record<number, Meaning>>): void {
  for (const [at, meaning] of Object.entries(corrections)) {
    const draft = drafts[Number(at)];
    if (!draft) continue;
    if (!mayRepeat.has(meaning)) for (const other of drafts) if (other.meaning === meaning) other.meaning = 'keep';
    draft.meaning = meaning;
    const share = shareThatFits(draft, meaning);
    if (share < minShare(meaning)) draft.misfit = share;
  }
}

/** What a person would miss: keywords, or figures in columns whose names say nothing to us. */
function noteWhatIsMissing(drafts: readonly Draft[], notes: Note[]): void {
  const has = (...meanings: Meaning[]) => drafts.some(({ meaning }) => meanings.includes(meaning));
  if (!has('keyword')) notes.push({ code: 'no-keyword-column' });
  // A table of other things than keywords has other figures.
  if (notes.some(({ code }) => code === 'no-keyword-column' || code === 'summary-of-clusters')) return;
  const counting = drafts.find(
    (draft) =>
      draft.meaning === 'leaveOut' && suggestionOf(draft.name)?.meaning === 'position' && isNumberingOf(draft, drafts),
  );
  if (counting) notes.push({ code: 'counts-rows', column: counting.name });
  const unread = drafts.filter(
    (draft) =>
      draft.meaning === 'keep' &&
      (draft.isNamed || !drafts.some(({ isNamed }) => isNamed)) &&
      // Months that hold few searches may hold positions.
      (((draft.isOutranked ||
        levelRank(draft.name) !== undefined ||
        (suggestionOf(draft.name)?.meaning ?? 'trendMonth') === 'trendMonth') &&
        holdsNumbers(draft)) ||
        isOddFigure(draft)),
  );
  if (unread.length > 0) notes.push({ code: 'unread-figures', columns: unread.map(({ name }) => name) });
  if (drafts.length > 1 && !has('volume', 'volumeBound', 'volumePart', 'impressions'))
    notes.push({ code: 'no-volume' });
}

/** Whether a column is called like a figure, but has no numbers: "5 → 3", "hard". */
const isOddFigure = (draft: Draft): boolean => {
  const { name, values } = draft;
  return (
    isFigure(suggestionOf(name)?.meaning ?? 'keep') &&
    !percentSign.test(name) &&
    values.length > 0 &&
    !values.some(isAddress) &&
    !holdsNumbers(draft)
  );
};
