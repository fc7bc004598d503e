import { maxPatternLength, trimmed, wordsOf } from '../find/text-query.ts';
import { canonicalAreas, readAreaPart, writeAreas } from './area-text.ts';
import {
  type CategoryPart,
  type Figure,
  type Filter,
  type FilterField,
  filterMetrics,
  type Intent,
  intents,
  type Known,
  noFilter,
  type RangePart,
  type TextPart,
} from './filter.ts';
import { canonicalMarks, type MarkParts, readMark, writeMarks } from './mark-text.ts';
import { canonicalPresets, readPreset, writePresets } from './preset-text.ts';
import { hasEnd, rangeText, readRange } from './range-text.ts';

/**
 * Writes a filter as a short text, for URLs and calls: `has-running shoes*not-kids*volume-100_*difficulty-_30`.
 *
 * Parts are joined by `*`, and a `*` in a text is doubled. A part is its kind, `-`, and its value; a kind with several
 * values is repeated for each. In a field name that is followed by something else, `-` is written as `.-` and `.` as
 * `..`. Apart from spaces, `URLSearchParams` leaves these characters unescaped.
 *
 * | Part | Condition |
 * |---|---|
 * | `has-TEXT` · `not-TEXT` | the name contains the text · does not contain it |
 * | `all-WORDS` · `notall-WORDS` | the name contains all of the words · does not |
 * | `any-WORDS` · `notany-WORDS` | the name contains any of the words · none of them |
 * | `regex-PATTERN` · `notregex-PATTERN` | the name matches the regular expression · does not |
 * | `type-TYPE` · `intent-commercial` | one of the types · one of the intents |
 * | `is-FIELD-VALUE` | one of the values of a category |
 * | `volume-FROM_TO`, likewise for each metric · `in-FIELD-FROM_TO` | a range; either end may be omitted |
 * | `known-volume` · `known-intent` · `knows-FIELD` | the value is known |
 * | `within-ADDRESS` · `outside-ADDRESS` | inside one of these branches · inside none of them |
 * | `depth-FROM_TO` · `branch-yes` · `branch-no` | levels below the root · whether the node has children |
 * | `words-FROM_TO` · `ask-de.en` | the number of words · the name is a question in one of the languages |
 * | `quick-VOLUME_DIFFICULTY` · `rising-PERCENT_VOLUME` | quick wins · rising searches |
 * | `brand-TERM,TERM` · `nonbrand-TERM,TERM` | branded · not; at most one of the two |
 * | `cluster-FIGURE-FROM_TO` · `pillar-FIGURE-FROM_TO` | a figure of the keyword's cluster or pillar |
 * | `area-LEVEL-X-Y-SCALES-CORNERS` · `score-LEVEL-FROM_TO-SCORE` | an area of two figures · a score; see `area-text.ts` |
 * | `plan-planned` · `change-new` · `warn-mixed` | one of the statuses · changes · warnings |
 * | `owner-NAME` · `content-TYPE` · `tag-TAG` · `due-FROM_TO` | one of these values in the plan; empty for none |
 * | `seen-TEXT` | which plan, earlier upload and judgements these are about |
 *
 * A single word is always written as `has` or `not`.
 *
 * The order of parts, values and characters is fixed, and there are no duplicates: equal filters give equal texts, so
 * the text can be a cache key. The empty text means no filter.
 */
export function writeFilter(filter: Filter): string {
  const written: string[] = [];
  const write = (kind: string, text: string) => written.push(`${kind}-${text.replaceAll('*', '**')}`);
  const { contains, excludes, texts } = canonicalTexts(filter);
  for (const text of contains) write('has', text);
  for (const text of excludes) write('not', text);
  for (const { mode, text, isIn } of texts) write(isIn ? mode : `not${mode}`, text);
  for (const type of unique(filter.types)) write('type', type);
  for (const intent of intents) if (filter.intents.includes(intent)) write('intent', intent);
  for (const { field, values } of byName(filter.categories, (part) => part.field)) {
    for (const value of unique(values)) write('is', `${escapeName(field)}-${value}`);
  }
  const ranges = filter.ranges.filter(hasEnd);
  for (const metric of filterMetrics) {
    const range = ranges.find(({ of }) => of === metric);
    if (range) write(metric, rangeText(range));
  }
  for (const range of byName(ranges, ({ of }) => of)) {
    if (isField(range.of)) write('in', `${escapeName(nameOf(range.of))}-${rangeText(range)}`);
  }
  const isNew = (known: Known) => filter.known.includes(known) && !ranges.some(({ of }) => of === known);
  for (const known of ['intent', ...filterMetrics] as const) if (isNew(known)) write('known', known);
  for (const known of unique(filter.known)) if (isField(known) && isNew(known)) write('knows', nameOf(known));
  for (const place of unique(filter.within)) write('within', place);
  for (const place of unique(filter.outside)) write('outside', place);
  if (filter.depth && hasEnd(filter.depth)) write('depth', rangeText(filter.depth));
  if (filter.hasChildren !== undefined) write('branch', filter.hasChildren ? 'yes' : 'no');
  writePresets(filter, write);
  writeAreas(filter, write);
  writeMarks(filter, write);
  return written.join('*');
}

/**
 * Parses a filter text with its parts in any order; `undefined` if it is invalid or longer than {@link
 * maxFilterLength}. The result is canonical: parsing the output of {@link writeFilter} for it gives the same filter.
 */
export function readFilter(text: string): Filter | undefined {
  if (text === '') return noFilter;
  if (text.length > maxFilterLength || /\p{Surrogate}/u.test(text)) return undefined;
  const read: Read = {
    ...noFilter,
    contains: [],
    excludes: [],
    texts: [],
    types: [],
    intents: [],
    categories: [],
    ranges: [],
    known: [],
    within: [],
    outside: [],
  };
  const categories = new Map<string, string[]>();
  for (const part of splitParts(text)) {
    const at = part.indexOf('-');
    if (at < 0 || !readPart(read, categories, part.slice(0, at), part.slice(at + 1))) return undefined;
  }
  const filter = { ...read, categories: [...categories].map(([field, values]) => ({ field, values })) };
  return canonical(filter);
}

/** Longer texts are refused, because the filter has to fit in a URL. */
export const maxFilterLength = 2000;

export const isField = (of: Known): of is FilterField => of.startsWith('field:');
/** The name of a field in the file. */
export const nameOf = (field: FilterField): string => field.slice('field:'.length);

/** The lists of `preset-text.ts`, `area-text.ts` and `mark-text.ts` are replaced, the others grow. */
type Read = {
  -readonly [K in keyof Filter]: K extends 'questions' | 'branches' | 'areas' | 'scores' | keyof MarkParts
    ? Filter[K]
    : Filter[K] extends readonly (infer T)[]
      ? T[]
      : Filter[K];
};

/** @returns whether the part is valid */
function readPart(read: Read, categories: Map<string, string[]>, kind: string, text: string): boolean {
  const add = <T>(list: T[], value: T | undefined): boolean => value !== undefined && list.push(value) > 0;
  switch (kind) {
    case 'has':
      return add(read.contains, trim(text) || undefined);
    case 'not':
      return add(read.excludes, trim(text) || undefined);
    case 'all':
    case 'any':
    case 'notall':
    case 'notany':
      return add(read.texts, textPart(kind, text));
    case 'regex':
    case 'notregex':
      return text.length <= maxPatternLength && add(read.texts, textPart(kind, text));
    case 'type':
      return add(read.types, text);
    case 'intent':
      return add(
        read.intents,
        intents.find((intent) => intent === text),
      );
    case 'is': {
      const [field, value] = splitName(text) ?? [];
      if (field === undefined || value === undefined) return false;
      const values = categories.get(field) ?? [];
      categories.set(field, values);
      return add(values, value);
    }
    case 'in': {
      const [field, range] = splitName(text) ?? [];
      return field !== undefined && range !== undefined && addRange(read.ranges, `field:${field}`, range);
    }
    case 'known':
      return add(
        read.known,
        (['intent', ...filterMetrics] as const).find((name) => name === text),
      );
    case 'knows':
      return add<Known>(read.known, text === '' ? undefined : `field:${text}`);
    case 'within':
    case 'outside':
      return add(read[kind], /^[0-9a-f]{16}$/.test(text) ? text : undefined);
    case 'depth':
      if (read.depth) return false;
      read.depth = readRange(text);
      return read.depth !== undefined;
    case 'branch':
      if (read.hasChildren !== undefined || (text !== 'yes' && text !== 'no')) return false;
      read.hasChildren = text === 'yes';
      return true;
    default: {
      const isValid = readPreset(read, kind, text) ?? readAreaPart(read, kind, text) ?? readMark(read, kind, text);
      if (isValid !== undefined) return isValid;
      const metric = filterMetrics.find((name) => name === kind);
      return metric !== undefined && addRange(read.ranges, metric, text);
    }
  }
}

function textPart(
  kind: 'regex' | 'notregex' | 'all' | 'notall' | 'any' | 'notany',
  text: string,
): TextPart | undefined {
  const isIn = !kind.startsWith('not');
  const mode = (isIn ? kind : kind.slice('not'.length)) as TextPart['mode'];
  return trimmed({ mode, text }) === '' ? undefined : { mode, text, isIn };
}

/** The conditions on names, sorted, with single words as phrases: all modes mean the same for them. */
function canonicalTexts(filter: Filter): Pick<Filter, 'contains' | 'excludes' | 'texts'> {
  const texts = filter.texts.map((part) => ({ ...part, text: trimmed(part) })).filter(({ text }) => isSome(text));
  const isWord = (part: TextPart) => part.mode !== 'regex' && wordsOf(part.text).length === 1;
  const words = (isIn: boolean) => texts.filter((part) => isWord(part) && part.isIn === isIn).map(({ text }) => text);
  const own = new Map(texts.filter((part) => !isWord(part)).map((part) => [partKey(part), part]));
  return {
    contains: unique([...filter.contains.map(trim).filter(isSome), ...words(true)]),
    excludes: unique([...filter.excludes.map(trim).filter(isSome), ...words(false)]),
    texts: byName([...own.values()], partKey),
  };
}

const partKey = ({ mode, text, isIn }: TextPart) => `${isIn ? '' : 'not'}${mode}-${text}`;

function addRange(ranges: RangePart[], of: Figure, text: string): boolean {
  const range = readRange(text);
  if (!range || ranges.some((other) => other.of === of)) return false;
  ranges.push({ of, ...range });
  return true;
}

/** Sorts a filter in the order of {@link writeFilter}. */
function canonical(filter: Filter): Filter {
  const metric = ({ of }: RangePart) => (filterMetrics as readonly Figure[]).indexOf(of);
  const rank = (range: RangePart) => (metric(range) < 0 ? filterMetrics.length : metric(range));
  const known = (['intent', ...filterMetrics] as Known[]).concat(unique(filter.known.filter(isField)));
  return {
    ...filter,
    ...canonicalTexts(filter),
    ...canonicalPresets(filter),
    ...canonicalAreas(filter),
    ...canonicalMarks(filter),
    types: unique(filter.types),
    intents: intents.filter((intent: Intent) => filter.intents.includes(intent)),
    categories: byName(filter.categories, (part: CategoryPart) => part.field).map(({ field, values }) => ({
      field,
      values: unique(values),
    })),
    ranges: byName(filter.ranges, ({ of }) => of).sort((one, other) => rank(one) - rank(other)),
    within: unique(filter.within),
    outside: unique(filter.outside),
    known: known.filter((name) => filter.known.includes(name) && !filter.ranges.some(({ of }) => of === name)),
  };
}

/** Splits at single stars; double ones are stars of the text. */
function splitParts(text: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\*\*|\*|[^*]+/gu)) {
    if (piece === '*') parts.push('');
    else parts[parts.length - 1] += piece === '**' ? '*' : piece;
  }
  return parts;
}

const escapeName = (name: string) => name.replaceAll(/[-.]/g, '.$&');

/** Splits a text into the name of a field and the rest. */
function splitName(text: string): [string, string] | undefined {
  const [, name, rest] = /^((?:\.[-.]|[^-.])+)-(.*)$/su.exec(text) ?? [];
  return name === undefined || rest === undefined ? undefined : [name.replaceAll(/\.([-.])/g, '$1'), rest];
}

const trim = (text: string) => text.trim();
const isSome = (text: string) => text !== '';
const unique = <T extends string>(texts: readonly T[]): T[] => [...new Set(texts)].sort();

function byName<T>(parts: readonly T[], name: (part: T) => string): T[] {
  return [...parts].sort((one, other) => (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : 0));
}
