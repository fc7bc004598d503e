import { codedNote, openNotes } from '@kc/cluster/lists/list-refusal';
import type { UpdateCounts } from '@kc/cluster/lists/plan-update';
import type { ReadFile, ReadLists } from '@kc/cluster/lists/read-lists';
import type { MapError, MapProblem } from '@kc/cluster/map/map-entries';
import type { AddedResults } from '@kc/cluster/map/map-results';
import type { KeywordMapFile } from '@kc/cluster/map/read-map';
import { type ImportQuestion, importQuestions, type ListCorrectionsShape } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';

type Warning = { readonly file: string; readonly warning: Refusal };

/** What a person should know about lists that were read, for each file. */
export function listWarnings({ files, repeated, report }: ReadLists): readonly Warning[] {
  return [
    ...files.flatMap(({ name, ...file }) => fileWarnings(file).map((warning) => ({ file: name, warning }))),
    ...repeated.map((name) => ({ file: name, warning: { code: 'list/twice', params: { name } } as const })),
    ...report.leftOut.map((column) => {
      // The column may be in several files; the first one stands for them.
      const file = files.find(({ reading }) => reading.columns.some(({ name }) => name === column)) ?? files[0]!;
      return { file: file.name, warning: { code: 'list/column-left-out', params: { column } } as const };
    }),
    ...severalCurrencies(files).map((warning) => ({ file: files[0]!.name, warning })),
  ];
}

/** That the costs of lists are in several currencies, if they are: a map has one column of each cost. */
function severalCurrencies(files: ReadLists['files']): readonly Refusal[] {
  const named = files.flatMap(({ reading }) => reading.columns.flatMap(({ currency }) => currency ?? []));
  const currencies = [...new Set(named.map((currency) => codesOfSigns[currency] ?? currency.toUpperCase()))];
  return currencies.length > 1
    ? [{ code: 'list/several-currencies', params: { currencies: currencies.join(', ') } }]
    : [];
}

/** Signs that stand for one currency only; "$" is taken for that of most tools. */
const codesOfSigns: Readonly<Record<string, string>> = {
  ...{
    $: 'USD',
    US$: 'USD',
    '€': 'EUR',
    '£': 'GBP',
    '₹': 'INR',
    '₩': 'KRW',
    '₴': 'UAH',
    '₺': 'TRY',
    '₫': 'VND',
    '₪': 'ILS',
  },
  ...{ '₽': 'RUB', руб: 'RUB', 'руб.': 'RUB', zł: 'PLN', Kč: 'CZK', Ft: 'HUF', lei: 'RON' },
};

/** What is a guess or missing in how lists were read, for people who saw no preview of them. */
export function readingNotes({ files, report: { markets }, market }: ReadLists): readonly Warning[] {
  const notes = files.flatMap(({ name, reading, report }) =>
    openNotes(reading, report)
      .filter(({ code }) => code !== 'summary-of-clusters')
      .map((note) => ({ file: name, warning: codedNote(note, reading.columns, report) as Refusal })),
  );
  const ofMarkets = { code: 'list/several-markets', params: { markets: markets.join(', ') } } as const;
  return markets.length > 1 && market === undefined ? [...notes, { file: files[0]!.name, warning: ofMarkets }] : notes;
}

/** A guess, with the text of the question for a person. */
export type Question = { readonly about: ImportQuestion; readonly text: Refusal };

/** The correction that answers the question of a note. */
const answers: Partial<Record<string, keyof ListCorrectionsShape>> = {
  'encoding-guess': 'encoding',
  'date-order': 'isDayFirst',
  'month-order': 'isFirstMonthNewest',
  'zero-cpc': 'isZeroCpcUnknown',
  'ctr-scale': 'isCtrPercent',
  'thousands-guess': 'areThousands',
  'filled-down': 'fillsDown',
  'group-rows': 'fillsDown',
  'group-lines': 'fillsDown',
  'header-guess': 'header',
  'results-guess': 'areResults',
  'other-sheets': 'sheet',
};

/** Guesses that no correction answers: they can be accepted. A corrected delimiter is no answer if it divides nothing. */
const hasNoAnswer: ReadonlySet<string> = new Set(['unsplit', 'groups-in-rows', 'hidden-rows', 'other-lists']);

/** Above this share of unreadable rows somebody has to look. */
const unreadableShare = 0.05;

/**
 * The guesses in how lists were read, except for those that somebody has corrected already.
 *
 * @param corrections of each list
 * @param context `market`: the only one whose rows are used. `guessed`: the language, if it is a guess. `ofUpdate`: what is
 *   known about the lists as next month's of a map
 */
export function listQuestions(
  { files, report }: ReadLists,
  corrections: readonly ListCorrectionsShape[],
  context: {
    readonly market: string | undefined;
    readonly guessed: string | undefined;
    readonly ofUpdate: readonly Refusal[];
  },
): readonly Question[] {
  const isCorrected = (member: keyof ListCorrectionsShape): boolean =>
    corrections.every((one) => one[member] !== undefined);
  const questions: Question[] = [];
  const addQuestion = (text: Refusal): void => {
    const about = importQuestions.find((question) => text.code === `list/${question}`);
    if (about) questions.push({ about, text });
  };
  for (const { reading, report: rows } of files) {
    for (const note of openNotes(reading, rows)) {
      const answer = answers[note.code];
      if (hasNoAnswer.has(note.code) || (answer && !isCorrected(answer)))
        addQuestion(codedNote(note, reading.columns, rows) as Refusal);
    }
    const all = rows.rows + rows.unreadable;
    if (rows.unreadable > unreadableShare * all)
      addQuestion({ code: 'list/check-reading', params: { count: shown(rows.unreadable), rows: shown(all) } });
  }
  if (report.markets.length > 1 && context.market === undefined)
    addQuestion({ code: 'list/several-markets', params: { markets: report.markets.join(', ') } });
  for (const text of severalCurrencies(files)) addQuestion(text);
  if (context.guessed !== undefined)
    addQuestion({ code: 'list/language-guess', params: { language: context.guessed } });
  for (const text of context.ofUpdate) addQuestion(text);
  return questions;
}

/** What a person should know about next month's lists of a map. */
export function updateWarnings(
  { files }: ReadLists,
  map: Pick<KeywordMapFile, 'name' | 'texts'>,
  { kept, gone, lostVolumes, ...found }: UpdateCounts,
): readonly Refusal[] {
  const cut = files.find(({ report }) => report.cutAfter !== undefined)?.report.cutAfter;
  return [
    { code: 'list/updated', params: { kept, new: found.new, clusters: found.newClusters, gone } },
    ...(2 * lostVolumes > kept ? [{ code: 'list/lost-volumes', params: { count: lostVolumes } } as const] : []),
    ...(2 * gone > map.texts.length ? [{ code: 'list/other-list', params: { name: map.name } } as const] : []),
    ...(cut !== undefined && gone > 0
      ? [{ code: 'list/cut-update', params: { rows: shown(cut), gone: shown(gone) } } as const]
      : []),
  ];
}

/** What became of search results that were added to a map. */
export const resultsAdded = ({ added, unmatched, without }: AddedResults): Refusal => ({
  code: 'list/results-added',
  params: { added, unmatched, without },
});

function fileWarnings({ reading, report }: Omit<ReadFile, 'name'>): Refusal[] {
  const warnings: Refusal[] = [];
  if (report.unreadable > 0) {
    const params = { count: shown(report.unreadable), rows: shown(report.rows + report.unreadable) };
    warnings.push({ code: 'list/unreadable', params });
  }
  if (report.cutAfter !== undefined) warnings.push({ code: 'list/cut', params: { rows: shown(report.cutAfter) } });
  for (const note of reading.notes) if (note.code === 'summary-of-clusters') warnings.push(codedNote(note) as Refusal);
  return warnings;
}

const shown = (count: number): string => count.toLocaleString('en-US');

const codes = {
  'not-json': 'draft/map-not-json',
  'no-keywords': 'draft/map-no-keywords',
  'keyword-twice': 'draft/map-keyword-twice',
  'keyword-missing': 'draft/map-keyword-missing',
  'topic-figures': 'draft/map-topic-figures',
  'topic-twice': 'draft/map-topic-twice',
} as const satisfies Record<MapProblem, string>;

/** Why a map cannot be edited, as a code of the catalogue of texts. */
export const refusalOfMap = ({ what }: MapError): Refusal => ({ code: codes[what] });
