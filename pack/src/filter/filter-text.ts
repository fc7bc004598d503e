import { maxPatternLength, trimmed, wordsOf } from '../find/text-query.ts';
import { isFigureKey } from '../levels/row-sort.ts';
import { changeNames } from '../vocabulary/changes.ts';
import { type Level, levels } from '../vocabulary/levels.ts';
import {
  type AreaLevel,
  type AreaPart,
  type BranchPart,
  type BrandPart,
  branchFigures,
  branchLevels,
  type CategoryPart,
  type ChangeMark,
  type Figure,
  type Filter,
  type FilterField,
  filterMetrics,
  type Intent,
  intents,
  type Known,
  maxCorners,
  noFilter,
  type PlanMark,
  type PlannedPart,
  parentIn,
  planMarks,
  plannedFields,
  type QuestionLanguage,
  type QuickPart,
  questionLanguages,
  type Range,
  type RangePart,
  type RisingPart,
  type ScorePart,
  type TextPart,
  type WarningMark,
  warningMarkKinds,
} from './filter.ts';

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

/** The parts of a filter that `filter-text.ts` leaves to this file. */
type PresetParts = Pick<Filter, 'words' | 'questions' | 'quick' | 'rising' | 'brand' | 'branches'>;

/** The maximum number of brand terms. */
export const maxBrandTerms = 50;

/** Writes each part by its kind and value, in a fixed order. */
function writePresets(filter: PresetParts, write: (kind: string, text: string) => void): void {
  const { words, questions, quick, rising, brand, branches } = canonicalPresets(filter);
  if (words) write('words', rangeText(words));
  if (questions.length > 0) write('ask', questions.join('.'));
  if (quick) write('quick', pairText(quick.volume, quick.difficulty));
  if (rising) write('rising', pairText(rising.percent, rising.volume));
  if (brand) write(brand.isIn ? 'brand' : 'nonbrand', brand.terms.join(','));
  for (const part of branches) write(part.level, `${part.of}-${rangeText(part)}`);
}

/** The parts of a text as read so far. */
type ReadPresets = { -readonly [K in keyof PresetParts]: PresetParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
function readPreset(read: ReadPresets, kind: string, text: string): boolean | undefined {
  const set = <K extends 'words' | 'quick' | 'rising' | 'brand'>(name: K, value: ReadPresets[K]): boolean => {
    if (read[name] !== undefined || value === undefined) return false;
    read[name] = value;
    return true;
  };
  switch (kind) {
    case 'words':
      return set('words', readRange(text));
    case 'ask':
      read.questions = [...read.questions, ...(text.split('.') as QuestionLanguage[])];
      return read.questions.every((language) => questionLanguages.includes(language));
    case 'quick':
      return set('quick', quickIn(text));
    case 'rising':
      return set('rising', risingIn(text));
    case 'brand':
    case 'nonbrand':
      return set('brand', brandIn(text, kind === 'brand'));
    case 'subtopic':
    case 'cluster':
    case 'pillar':
      return addBranch(read, kind, text);
    default:
      return undefined;
  }
}

function quickIn(text: string): QuickPart | undefined {
  const [volume, difficulty] = readPair(text) ?? [];
  return volume === undefined || difficulty === undefined ? undefined : { volume, difficulty };
}

function risingIn(text: string): RisingPart | undefined {
  const [percent, volume] = readPair(text) ?? [];
  return volume === undefined || percent === undefined ? undefined : { percent, volume };
}

function brandIn(text: string, isIn: boolean): BrandPart | undefined {
  const terms = termsIn(text);
  return terms.length > maxBrandTerms ? undefined : { isIn, terms };
}

/** The terms of a list with commas, each once and without blanks around it. */
export const termsIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').map((term) => term.replace(/\s+/gu, ' ').trim()))].filter((term) => term !== '');

function addBranch(read: ReadPresets, level: BranchPart['level'], text: string): boolean {
  const at = text.indexOf('-');
  const of = branchFigures.find((figure) => figure === text.slice(0, Math.max(0, at)));
  const range = readRange(text.slice(at + 1));
  if (!of || !range || read.branches.some((part) => part.level === level && part.of === of)) return false;
  read.branches = [...read.branches, { level, of, ...range }];
  return true;
}

/** The same parts in the order in which they are written, without duplicates and without those that say nothing. */
function canonicalPresets({ words, questions, quick, rising, brand, branches }: PresetParts): PresetParts {
  const rank = ({ level, of }: BranchPart) =>
    branchLevels.indexOf(level) * branchFigures.length + branchFigures.indexOf(of);
  return {
    words: words && hasEnd(words) ? words : undefined,
    questions: questionLanguages.filter((language) => questions.includes(language)),
    quick,
    rising,
    brand: brand && { isIn: brand.isIn, terms: [...termsIn(brand.terms.join(','))].sort() },
    branches: branches.filter(hasEnd).sort((one, other) => rank(one) - rank(other)),
  };
}

/** The parts of a filter that are written here. */
type AreaParts = Pick<Filter, 'areas' | 'scores'>;

const scaleNames = { even: false, log: true } as const;

/** Writes each part by its kind and value, in a fixed order. */
function writeAreas(filter: AreaParts, write: (kind: string, text: string) => void): void {
  const { areas, scores } = canonicalAreas(filter);
  for (const area of areas) write('area', areaText(area));
  for (const { level, score, ...range } of scores) write('score', `${level}-${rangeText(range)}-${score}`);
}

/** The parts of a text as read so far. */
type ReadAreas = { -readonly [K in keyof AreaParts]: AreaParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
function readAreaPart(read: ReadAreas, kind: string, text: string): boolean | undefined {
  if (kind === 'area') {
    const area = readArea(text);
    if (area) read.areas = [...read.areas, area];
    return area !== undefined;
  }
  if (kind !== 'score') return undefined;
  const score = readScorePart(text);
  if (!score || read.scores.some(({ level }) => level === score.level)) return false;
  read.scores = [...read.scores, score];
  return true;
}

/** `clusters-difficulty-volume-even.log-10_500_30_500_20_9000`: level, figures, scales, and the values of the corners. */
function areaText({ level, x, y, isLog, corners }: AreaPart): string {
  const scale = (isOne: boolean) => (isOne ? 'log' : 'even');
  const values = corners.flat().map(cornerText).join('_');
  return `${level}-${escaped(x)}-${escaped(y)}-${scale(isLog.x)}.${scale(isLog.y)}-${values}`;
}

function readArea(text: string): AreaPart | undefined {
  const found =
    /^([a-z]+(?:\.[0-9a-f]{16})?)-((?:\.[-.]|[^-.])+)-((?:\.[-.]|[^-.])+)-(even|log)\.(even|log)-(.+)$/su.exec(text);
  if (!found) return undefined;
  const [, name, x, y, across, up, list] = found as unknown as string[];
  const level = areaLevelOf(name!);
  const values = list!.split('_').map(numberIn);
  const figures = [unescaped(x!), unescaped(y!)];
  if (!level || values.some((value) => value === undefined) || !figures.every(isFigureKey)) return undefined;
  if (values.length % 2 === 1 || values.length < 6 || values.length > 2 * maxCorners) return undefined;
  return {
    level,
    x: figures[0]!,
    y: figures[1]!,
    isLog: { x: scaleNames[across as 'even'], y: scaleNames[up as 'even'] },
    corners: Array.from({ length: values.length / 2 }, (_, at) => [values[2 * at]!, values[2 * at + 1]!] as const),
  };
}

/** A formula has at most 500 characters. Whether it can be read is known later, by who loads what reads formulas. */
const scoreText = /^(?:branch|sum|mean|max)\..{1,520}$/su;

function readScorePart(text: string): ScorePart | undefined {
  const [, name, ends, score] = /^([a-z]+)-(.*?)-((?:branch|sum|mean|max)\..*)$/su.exec(text) ?? [];
  const [level, range] = [levelOf(name), readRange(ends ?? '')];
  return level && range && score !== undefined && scoreText.test(score) ? { level, ...range, score } : undefined;
}

const levelOf = (name: string | undefined): Level | undefined => levels.find((level) => level === name);
const areaLevelOf = (name: string): AreaLevel | undefined =>
  parentIn(name as AreaLevel) === undefined ? levelOf(name) : (name as AreaLevel);
const escaped = (name: string) => name.replaceAll(/[-.]/g, '.$&');
const unescaped = (name: string) => name.replaceAll(/\.([-.])/g, '$1');
const cornerText = (value: number) => String(value).replace('+', '');

function numberIn(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
}

/** The same parts in the order in which they are written, without duplicates and without those that say nothing. */
function canonicalAreas({ areas, scores }: AreaParts): AreaParts {
  const found = new Map(areas.map((area) => [areaText(area), area]));
  const rank = ({ level }: { readonly level: Level }) => levels.indexOf(level);
  return {
    areas: [...found.keys()].sort().map((text) => found.get(text)!),
    scores: scores.filter(hasEnd).sort((one, other) => rank(one) - rank(other)),
  };
}

/** Whether a point is in an area or on its edge. @param x, y not NaN */
export function isInArea({ corners, isLog }: Pick<AreaPart, 'corners' | 'isLog'>, x: number, y: number): boolean {
  const [px, py] = [placed(x, isLog.x), placed(y, isLog.y)];
  let isInside = false;
  for (let at = 0; at < corners.length; at++) {
    const [one, other] = [corners[at]!, corners[(at + 1) % corners.length]!];
    const [x0, y0] = [placed(one[0], isLog.x), placed(one[1], isLog.y)];
    const [x1, y1] = [placed(other[0], isLog.x), placed(other[1], isLog.y)];
    const isBeside =
      Math.min(x0, x1) <= px && px <= Math.max(x0, x1) && Math.min(y0, y1) <= py && py <= Math.max(y0, y1);
    if (isBeside && (x1 - x0) * (py - y0) === (y1 - y0) * (px - x0)) return true;
    if (y0 > py !== y1 > py && px < x0 + ((py - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
  }
  return isInside;
}

/** Where a value is on its axis. Below -1 there is no logarithm: such a value is left of all others. */
const placed = (value: number, isLog: boolean): number =>
  isLog ? (value > -1 ? Math.log10(value + 1) : Number.NEGATIVE_INFINITY) : value;

/** The parts of a filter about what is not in the file: the plan, an earlier upload, and warnings. */
type MarkParts = Pick<Filter, 'plan' | 'planned' | 'changes' | 'warnings' | 'seen'>;

/** Longer texts are refused: it holds two IDs and a few numbers. */
const maxSeenLength = 400;

type NodeMarks = Pick<Filter, 'plan' | 'planned' | 'changes' | 'warnings'>;
/** The conditions on branches, because one can be about what the plan covers. */
type WithBranches = Pick<Filter, 'branches'>;

/** Whether a filter says something about the marks of single nodes. */
export const hasNodeMarks = ({ plan, planned, changes, warnings }: NodeMarks): boolean =>
  plan.length + planned.length + changes.length + warnings.length > 0;

/** Whether a filter has a condition on how much of a branch the plan covers. */
export const asksForCovered = ({ branches }: WithBranches): boolean =>
  branches.some((part) => part.of === 'covered' && hasEnd(part));

/** Whether a filter depends on more than the file and its own text. */
export const hasMarks = (filter: NodeMarks & WithBranches): boolean => hasNodeMarks(filter) || asksForCovered(filter);

/**
 * What warnings are about under a filter: clusters are judged as they are before conditions on clusters, pillars and
 * warnings.
 */
export const beforeWarnings = (filter: Filter): Filter => ({ ...filter, branches: [], warnings: [] });

/** Writes one part for each value, in a fixed order, then what they are about. */
function writeMarks(filter: MarkParts & WithBranches, write: (kind: string, text: string) => void): void {
  const { plan, planned, changes, warnings, seen } = canonicalMarks(filter);
  for (const mark of plan) write('plan', mark);
  for (const { of, value } of planned) write(of, value);
  for (const mark of changes) write('change', mark);
  for (const mark of warnings) write('warn', mark);
  if (seen !== '') write('seen', seen);
}

/** The parts of a text as read so far. */
type ReadMarks = { -readonly [K in keyof MarkParts]: MarkParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
export function readMark(read: ReadMarks, kind: string, text: string): boolean | undefined {
  switch (kind) {
    case 'plan':
      read.plan = [...read.plan, text as PlanMark];
      return planMarks.includes(text as PlanMark);
    case 'owner':
    case 'content':
    case 'tag':
    case 'due':
      read.planned = [...read.planned, { of: kind, value: text }];
      return kind !== 'due' || months.test(text);
    case 'change':
      read.changes = [...read.changes, text as ChangeMark];
      return changeNames.includes(text as ChangeMark);
    case 'warn':
      read.warnings = [...read.warnings, text as WarningMark];
      return warningMarkKinds.includes(text as WarningMark);
    case 'seen':
      if (read.seen !== '' || text === '' || text.length > maxSeenLength) return false;
      read.seen = text;
      return true;
    default:
      return undefined;
  }
}

/** A range of months with at least one end, or nothing. */
const months = /^$|^(?!_$)(?:\d{4}-\d\d)?_(?:\d{4}-\d\d)?$/;

/** In the order in which they are written, without duplicates. Without marks, nothing is said about them. */
function canonicalMarks(filter: MarkParts & WithBranches): MarkParts {
  return {
    plan: planMarks.filter((mark) => filter.plan.includes(mark)),
    planned: plannedFields.flatMap((of) => {
      const values = filter.planned.filter((part) => part.of === of).map(({ value }) => value);
      return [...new Set(values)].sort().map((value): PlannedPart => ({ of, value }));
    }),
    changes: changeNames.filter((mark) => filter.changes.includes(mark)),
    warnings: warningMarkKinds.filter((mark) => filter.warnings.includes(mark)),
    seen: hasMarks(filter) ? filter.seen : '',
  };
}

/** "10_20", "_20" or "10_". */
export const rangeText = ({ from, to }: Range): string => `${numberText(from)}_${numberText(to)}`;

/** Removes the plus sign of an exponent, which URLs escape as three characters. */
const numberText = (end: number | undefined) => (end === undefined ? '' : String(end).replace('+', ''));

/** Undefined unless the text is a range with at least one end, in ascending order. */
function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?[\d.]+(?:e-?\d+)?)?_(-?[\d.]+(?:e-?\d+)?)?$/.exec(text) ?? [];
  const [from, to] = [first, last].map((end) => (end === undefined ? undefined : Number(end) + 0));
  if (from === undefined && to === undefined) return undefined;
  if ([from, to].some((end) => end !== undefined && !Number.isFinite(end))) return undefined;
  return from !== undefined && to !== undefined && from > to ? undefined : { from, to };
}

/** Two numbers that are no range: "20_50", in any order. */
const pairText = (one: number, other: number): string => rangeText({ from: one, to: other });

function readPair(text: string): readonly [number, number] | undefined {
  const [one, other] = text.split('_').map((part) => readRange(`${part}_`)?.from);
  return one === undefined || other === undefined || !/^[^_]+_[^_]+$/.test(text) ? undefined : [one, other];
}

export const hasEnd = ({ from, to }: Range): boolean => from !== undefined || to !== undefined;
