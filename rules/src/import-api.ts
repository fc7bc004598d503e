import { presets } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import {
  type draftSettings,
  type ImportQuestion,
  importQuestions,
  languageCode,
  type listCorrections,
  marketCode,
} from './draft-shapes.ts';
import { limits } from './limits.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';

const delimiterNames = {
  tab: '\t',
  semicolon: ';',
  comma: ',',
  pipe: '|',
  columns: 'columns',
  lines: 'lines',
  figures: 'figures',
} as const;

const answer = z.enum(['yes', 'no']);
const isYes = (value: 'yes' | 'no' | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'yes';
const textOf = (max: number) => storableText({ min: 1, max });

/** The options of an import, as texts: the query of `PUT /api/imports/{id}`, or the file `import.json` of a folder. */
export const importOptions = z.strictObject({
  /** The name of the file, if the address does not end with it. */
  name: z.optional(textOf(limits.maxListNameLength)),
  /** Whose map it becomes; the requester's if absent. */
  userId: z.optional(id),
  /** What the file is; by its name if absent. */
  as: z.optional(z.enum(['list', 'hierarchy'])),
  /** What a new map is called; as the file, if absent. */
  title: z.optional(textOf(limits.maxDraftNameLength)),
  description: z.optional(storableText({ max: limits.maxDescriptionLength })),
  /** By the setting of the requester, if absent. */
  publish: z.optional(answer),
  /** Names of {@link importQuestions} whose guesses are right, with commas between them. */
  accept: z.optional(textOf(400)),
  encoding: z.optional(textOf(32)),
  delimiter: z.optional(z.enum(Object.keys(delimiterNames) as (keyof typeof delimiterNames)[])),
  /** The line of the header; 0 for none. */
  header: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
  sheet: z.optional(textOf(255)),
  /** Columns, counted from 1, with what they are: `1:keyword,4:volume`. */
  columns: z.optional(z.string().check(z.regex(/^\d{1,4}:\w{1,40}(,\d{1,4}:\w{1,40})*$/), z.maxLength(2000))),
  fillDown: z.optional(answer),
  zeroCpcUnknown: z.optional(answer),
  ctrPercent: z.optional(answer),
  thousands: z.optional(answer),
  dayFirst: z.optional(answer),
  firstMonthNewest: z.optional(answer),
  searchResults: z.optional(answer),
  market: z.optional(marketCode),
  language: z.optional(languageCode),
  grouping: z.optional(z.enum(['columns', 'none'])),
  preset: z.optional(z.enum(presets)),
});
/** The format of the options that have no list of values. */
export const optionForms = {
  header: 'the number of a line, or 0 for none',
  columns: 'the numbers of columns from 1 on, each once with what it is, such as 1:keyword,4:volume',
  market: 'two lower-case letters, such as us',
  language: 'the two letters of a language, such as en',
};
export type ImportOptions = z.infer<typeof importOptions>;

/** The corrections to the reading of a list that the options contain. */
export function correctionsOf(options: ImportOptions): z.infer<typeof listCorrections> {
  const { encoding, delimiter, header, sheet, columns, ...values } = options;
  const { fillDown, zeroCpcUnknown, ctrPercent, thousands, dayFirst, firstMonthNewest, searchResults } = values;
  const meanings = columns?.split(',').map((pair) => pair.split(':') as [string, string]);
  const corrections = {
    encoding,
    delimiter: delimiter && delimiterNames[delimiter],
    header: header === undefined ? undefined : Number(header),
    sheet,
    // A list that names no market is of this one; of several, it is the one whose rows are used.
    market: options.market,
    meanings: meanings && Object.fromEntries(meanings.map(([column, meaning]) => [Number(column) - 1, meaning])),
    fillsDown: isYes(fillDown),
    isZeroCpcUnknown: isYes(zeroCpcUnknown),
    isCtrPercent: isYes(ctrPercent),
    areThousands: isYes(thousands),
    isDayFirst: isYes(dayFirst),
    isFirstMonthNewest: isYes(firstMonthNewest),
    areResults: isYes(searchResults),
  };
  return Object.fromEntries(Object.entries(corrections).filter(([, value]) => value !== undefined));
}

/** The settings for clustering a list that the options contain. */
export const settingsOf = ({ market, language, grouping, preset }: ImportOptions): z.infer<typeof draftSettings> => ({
  preset: preset ?? 'balanced',
  grouping: grouping ?? 'columns',
  ...(market !== undefined && { market }),
  ...(language !== undefined && { language }),
});

/** The questions whose guesses are accepted; undefined if a name is none of a question. */
export function acceptedOf({ accept }: ImportOptions): readonly ImportQuestion[] | undefined {
  const names = (accept ?? '').split(',').map((name) => name.trim());
  const known = names.filter((name): name is ImportQuestion => importQuestions.some((question) => question === name));
  return known.length === names.filter((name) => name !== '').length ? known : undefined;
}

/** What a person wants of lists that programs and folders bring. */
const importSettings = z.strictObject({
  /** Whether a list of theirs is published by itself if nothing in it is a guess. Otherwise it stays a draft. */
  publishes: z.boolean(),
});
export type ImportSettings = z.infer<typeof importSettings>;

/** Imports by programs. The import itself is `PUT /api/imports/{id}`, whose body is the file: see `raw-routes.ts`. */
export const imports = {
  settings: route('GET', '/import-settings', { who: 'approved', scope: 'import' }).output(importSettings),
  changeSettings: route('PUT', '/import-settings', { who: 'approved', scope: 'import' })
    .input(importSettings)
    .output(importSettings),
};
