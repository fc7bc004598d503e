import { maxPatternLength, trimmed, wordsOf } from '../find/text-query.ts';
import { isFigureKey } from '../levels/row-sort.ts';
import { changeNames } from '../vocabulary/changes.ts';
import { type Level, levels } from '../vocabulary/choices.ts';
import {
  type AreaLevel,
  type AreaPart,
  type BranchPart,
  branchFigures,
  branchLevels,
  type Filter,
  type FilterField,
  filterMetrics,
  intents,
  type Known,
  maxCorners,
  noFilter,
  parentIn,
  planMarks,
  plannedFields,
  questionLanguages,
  type Range,
  type RangePart,
  type ScorePart,
  type StepRange,
  type TextPart,
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
 * | `volume-FROM_TO`, likewise for each metric · `in-FIELD-FROM_TO` | a range; either end may be omitted. `FROM__TO`: without TO itself |
 * | `known-volume` · `known-intent` · `knows-FIELD` | the value is known |
 * | `within-ADDRESS` · `outside-ADDRESS` | inside one of these branches · inside none of them |
 * | `depth-FROM_TO` · `branch-yes` · `branch-no` | levels below the root · whether the node has children |
 * | `words-FROM_TO` · `ask-de.en` | the number of words · the name is a question in one of the languages |
 * | `quick-VOLUME_DIFFICULTY` · `rising-PERCENT_VOLUME` | quick wins · rising searches |
 * | `brand-TERM,TERM` · `nonbrand-TERM,TERM` | branded · not; at most one of the two |
 * | `cluster-FIGURE-FROM_TO`, likewise `subtopic` and `pillar` | a figure of the keyword's cluster, subtopic or pillar |
 * | `area-LEVEL-X-Y-SCALES-CORNERS` · `score-LEVEL-FROM_TO-SCORE` | an area of two figures, see {@link areaText} · a score |
 * | `plan-planned` · `change-new` · `warn-mixed` | one of the statuses · changes · warnings |
 * | `owner-NAME` · `content-TYPE` · `tag-TAG` · `due-FROM_TO` | one of these values in the plan; empty for none |
 * | `seen-TEXT` | the versions of the plan, the earlier upload and the dismissed warnings that the two rows above and `covered` refer to |
 *
 * A single word is always written as `has` or `not`.
 *
 * The order of parts, values and characters is fixed, and there are no duplicates: equal filters give equal texts, so
 * the text can be a cache key. The empty text means no filter.
 */
export function writeFilter(filter: Filter): string {
  const written: string[] = [];
  for (const name of memberNames) {
    const { settled, write } = memberOf(name);
    for (const [kind, text] of write(settled(filter[name], filter)))
      written.push(`${kind}-${text.replaceAll('*', '**')}`);
  }
  return written.join('*');
}

/**
 * Parses a filter text with its parts in any order; `undefined` if it is invalid or longer than {@link
 * maxFilterLength}. The result is canonical: parsing the output of {@link writeFilter} for it gives the same filter.
 */
export function readFilter(text: string): Filter | undefined {
  if (text === '') return noFilter;
  if (text.length > maxFilterLength || /\p{Surrogate}/u.test(text)) return undefined;
  const read: Record<string, unknown> = { ...noFilter };
  for (const part of splitParts(text)) {
    const at = part.indexOf('-');
    const kind = part.slice(0, Math.max(0, at));
    const name = memberOfKind.get(kind);
    if (!name) return undefined;
    const value = memberOf(name).add(read[name], part.slice(at + 1), kind);
    if (value === undefined) return undefined;
    read[name] = value;
  }
  const filter = read as Filter;
  return Object.fromEntries(
    memberNames.map((name) => [name, memberOf(name).settled(filter[name], filter)]),
  ) as unknown as Filter;
}

/** Longer texts are refused, because the filter has to fit in a URL. */
export const maxFilterLength = 2000;

/** How a member of a filter is written and read. */
type Member<V> = {
  /** The kinds of its parts. */
  readonly kinds: readonly string[];
  /** The value with one more part; undefined if the part is invalid. */
  add(value: V, text: string, kind: string): V | undefined;
  /** The value in canonical form: sorted, without duplicates, and without conditions that have no effect. */
  settled(value: V, filter: Filter): V;
  /** The parts of a canonical value. */
  write(value: V): readonly (readonly [kind: string, text: string])[];
};

/** A member that is written as at most one part. */
function once<V>(
  kinds: readonly string[],
  read: (text: string, kind: string) => V | undefined,
  write: (value: V) => readonly [kind: string, text: string],
  settled: (value: V) => V | undefined = (value) => value,
): Member<V | undefined> {
  return {
    kinds,
    add: (value, text, kind) => (value === undefined ? read(text, kind) : undefined),
    settled: (value) => (value === undefined ? undefined : settled(value)),
    write: (value) => (value === undefined ? [] : [write(value)]),
  };
}

/** A member with several values, each of which is a part. */
function each<V>(
  kinds: readonly string[],
  read: (text: string, kind: string, others: readonly V[]) => V | undefined,
  write: (value: V) => readonly [kind: string, text: string],
  settled: (values: readonly V[], filter: Filter) => readonly V[],
): Member<readonly V[]> {
  return {
    kinds,
    add(values, text, kind) {
      const value = read(text, kind, values);
      return value === undefined ? undefined : [...values, value];
    },
    settled,
    write: (values) => values.map(write),
  };
}

/** A member with some of a fixed list of names, in the order of that list. */
const chosen = <N extends string>(kind: string, names: readonly N[]): Member<readonly N[]> =>
  each(
    [kind],
    (text) => names.find((name) => name === text),
    (name) => [kind, name],
    (some) => names.filter((name) => some.includes(name)),
  );

/** A member with several texts, in alphabetical order. */
const texts = (
  kind: string,
  read: (text: string) => string | undefined,
  settled: Member<readonly string[]>['settled'] = unique,
): Member<readonly string[]> => each([kind], read, (text) => [kind, text], settled);

/** The texts that names must, or must not, contain. Single words of other modes are moved here, because they mean the same in all modes. */
const phrases = (kind: string, isIn: boolean): Member<readonly string[]> =>
  texts(kind, someText, (all, filter) => {
    const words = filter.texts.filter((part) => part.isIn === isIn && isWord(part));
    return unique([...all.flatMap((text) => someText(text) ?? []), ...words.map(trimmed)]);
  });

const isWord = (part: TextPart) => part.mode !== 'regex' && wordsOf(part.text).length === 1;
const someText = (text: string): string | undefined => text.trim() || undefined;
const addressIn = (text: string): string | undefined => (/^[0-9a-f]{16}$/.test(text) ? text : undefined);
const kindOf = ({ mode, isIn }: TextPart) => (isIn ? mode : `not${mode}`);
const keyOf = (part: TextPart) => `${kindOf(part)}-${part.text}`;
const metrics = ['intent', ...filterMetrics] as const;

/** The members of a filter, in the order in which they are written. */
const members: { readonly [Name in keyof Filter]: Member<Filter[Name]> } = {
  contains: phrases('has', true),
  excludes: phrases('not', false),
  texts: each<TextPart>(
    ['all', 'any', 'notall', 'notany', 'regex', 'notregex'],
    (text, kind) => {
      const isIn = !kind.startsWith('not');
      const mode = (isIn ? kind : kind.slice('not'.length)) as TextPart['mode'];
      const isTooLong = mode === 'regex' && text.length > maxPatternLength;
      return isTooLong || trimmed({ mode, text }) === '' ? undefined : { mode, text, isIn };
    },
    (part) => [kindOf(part), part.text],
    (parts) => {
      const all = parts.map((part) => ({ ...part, text: trimmed(part) }));
      const own = all.filter((part) => part.text !== '' && !isWord(part));
      return byName([...new Map(own.map((part) => [keyOf(part), part])).values()], keyOf);
    },
  ),
  types: texts('type', (text) => text),
  intents: chosen('intent', intents),
  categories: {
    kinds: ['is'],
    add(parts, text) {
      const [field, value] = splitName(text) ?? [];
      if (field === undefined || value === undefined) return undefined;
      const values = parts.find((part) => part.field === field)?.values ?? [];
      return [...parts.filter((part) => part.field !== field), { field, values: [...values, value] }];
    },
    settled: (parts) =>
      byName(parts, ({ field }) => field).map(({ field, values }) => ({ field, values: unique(values) })),
    write: (parts) =>
      parts.flatMap(({ field, values }) => values.map((value) => ['is', `${escapeName(field)}-${value}`] as const)),
  },
  ranges: each<RangePart>(
    ['in', ...filterMetrics],
    (text, kind, others) => {
      const [field, ofField] = kind === 'in' ? (splitName(text) ?? []) : [];
      const of = kind === 'in' ? field && (`field:${field}` as const) : filterMetrics.find((name) => name === kind);
      const range = readStep(kind === 'in' ? (ofField ?? '') : text);
      return of && range && !others.some((other) => other.of === of) ? { of, ...range } : undefined;
    },
    ({ of, ...range }) =>
      isField(of) ? ['in', `${escapeName(nameOf(of))}-${rangeText(range)}`] : [of, rangeText(range)],
    (ranges) => {
      const found = ranges.filter(hasEnd);
      const ofMetrics = filterMetrics.flatMap((metric) => found.find(({ of }) => of === metric) ?? []);
      return [
        ...ofMetrics,
        ...byName(
          found.filter(({ of }) => isField(of)),
          ({ of }) => of,
        ),
      ];
    },
  ),
  known: each<Known>(
    ['known', 'knows'],
    (text, kind) => {
      if (kind === 'known') return metrics.find((name) => name === text);
      return text === '' ? undefined : `field:${text}`;
    },
    (known) => (isField(known) ? ['knows', nameOf(known)] : ['known', known]),
    (known, { ranges }) => {
      const ofRanges = ranges.filter(hasEnd).map(({ of }): Known => of);
      return [...metrics, ...unique(known.filter(isField))].filter(
        (one) => known.includes(one) && !ofRanges.includes(one),
      );
    },
  ),
  within: texts('within', addressIn),
  outside: texts('outside', addressIn),
  depth: once(['depth'], readRange, (range) => ['depth', rangeText(range)], ended),
  hasChildren: once<boolean>(
    ['branch'],
    (text) => (text === 'yes' || text === 'no' ? text === 'yes' : undefined),
    (has) => ['branch', has ? 'yes' : 'no'],
  ),
  words: once(['words'], readRange, (range) => ['words', rangeText(range)], ended),
  questions: {
    ...chosen('ask', questionLanguages),
    add(languages, text) {
      const named = text.split('.').map((code) => questionLanguages.find((language) => language === code));
      return named.includes(undefined) ? undefined : [...languages, ...named.flatMap((language) => language ?? [])];
    },
    write: (languages) => (languages.length > 0 ? [['ask', languages.join('.')]] : []),
  },
  quick: once(
    ['quick'],
    (text) => {
      const [volume, difficulty] = readPair(text) ?? [];
      return volume === undefined || difficulty === undefined ? undefined : { volume, difficulty };
    },
    ({ volume, difficulty }) => ['quick', pairText(volume, difficulty)],
  ),
  rising: once(
    ['rising'],
    (text) => {
      const [percent, volume] = readPair(text) ?? [];
      return volume === undefined || percent === undefined ? undefined : { percent, volume };
    },
    ({ percent, volume }) => ['rising', pairText(percent, volume)],
  ),
  brand: once(
    ['brand', 'nonbrand'],
    (text, kind) => {
      const terms = termsIn(text);
      return terms.length > maxBrandTerms ? undefined : { isIn: kind === 'brand', terms };
    },
    ({ isIn, terms }) => [isIn ? 'brand' : 'nonbrand', terms.join(',')],
    ({ isIn, terms }) => ({ isIn, terms: [...termsIn(terms.join(','))].sort() }),
  ),
  branches: each<BranchPart>(
    branchLevels,
    (text, kind, others) => {
      const at = Math.max(0, text.indexOf('-'));
      const level = branchLevels.find((name) => name === kind)!;
      const of = branchFigures.find((figure) => figure === text.slice(0, at));
      const range = readRange(text.slice(at + 1));
      if (!of || !range || others.some((part) => part.level === level && part.of === of)) return undefined;
      return { level, of, ...range };
    },
    ({ level, of, ...range }) => [level, `${of}-${rangeText(range)}`],
    (parts) => {
      const rank = ({ level, of }: BranchPart) =>
        branchLevels.indexOf(level) * branchFigures.length + branchFigures.indexOf(of);
      return parts.filter(hasEnd).sort((one, other) => rank(one) - rank(other));
    },
  ),
  areas: each<AreaPart>(
    ['area'],
    readArea,
    (area) => ['area', areaText(area)],
    (areas) => byName([...new Map(areas.map((area) => [areaText(area), area])).values()], areaText),
  ),
  scores: each<ScorePart>(
    ['score'],
    (text, _, others) => {
      const score = readScorePart(text);
      return score && others.some(({ level }) => level === score.level) ? undefined : score;
    },
    ({ level, score, ...range }) => ['score', `${level}-${rangeText(range)}-${score}`],
    (scores) => scores.filter(hasEnd).sort((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level)),
  ),
  plan: chosen('plan', planMarks),
  planned: each<Filter['planned'][number]>(
    plannedFields,
    (value, kind) => {
      const of = plannedFields.find((name) => name === kind)!;
      return of !== 'due' || months.test(value) ? { of, value } : undefined;
    },
    ({ of, value }) => [of, value],
    (parts) =>
      plannedFields.flatMap((of) =>
        unique(parts.filter((part) => part.of === of).map(({ value }) => value)).map((value) => ({ of, value })),
      ),
  ),
  changes: chosen('change', changeNames),
  warnings: chosen('warn', warningMarkKinds),
  // Without conditions on marks, their versions do not matter.
  seen: {
    kinds: ['seen'],
    add: (seen, text) => (seen !== '' || text === '' || text.length > maxSeenLength ? undefined : text),
    settled: (seen, filter) => (hasMarks(filter) ? seen : ''),
    write: (seen) => (seen === '' ? [] : [['seen', seen]]),
  },
};

const memberNames = Object.keys(members) as (keyof Filter)[];
const memberOf = (name: keyof Filter) => members[name] as Member<unknown>;
const memberOfKind: ReadonlyMap<string, keyof Filter> = new Map(
  memberNames.flatMap((name) => members[name].kinds.map((kind) => [kind, name] as const)),
);

/** The maximum number of brand terms. */
export const maxBrandTerms = 50;
/** The maximum length of `seen`, which holds two IDs and a few numbers. */
const maxSeenLength = 400;
/** Matches a range of months with at least one end, or the empty text. */
const months = /^$|^(?!_$)(?:\d{4}-\d\d)?_(?:\d{4}-\d\d)?$/;

/** The distinct terms of a comma-separated list, without white space around them. */
export const termsIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').map((term) => term.replace(/\s+/gu, ' ').trim()))].filter((term) => term !== '');

export const isField = (of: Known): of is FilterField => of.startsWith('field:');
/** The name of a field in the file. */
export const nameOf = (field: FilterField): string => field.slice('field:'.length);

/** Splits at single stars; a doubled star stands for one star of the text. */
function splitParts(text: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\*\*|\*|[^*]+/gu)) {
    if (piece === '*') parts.push('');
    else parts[parts.length - 1] += piece === '**' ? '*' : piece;
  }
  return parts;
}

function escapeName(name: string): string {
  return name.replaceAll(/[-.]/g, '.$&');
}
const unescaped = (name: string) => name.replaceAll(/\.([-.])/g, '$1');

/** Splits a text into the name of a field and the rest. */
function splitName(text: string): [string, string] | undefined {
  const [, name, rest] = /^((?:\.[-.]|[^-.])+)-(.*)$/su.exec(text) ?? [];
  return name === undefined || rest === undefined ? undefined : [unescaped(name), rest];
}

function unique<T extends string>(some: readonly T[]): T[] {
  return [...new Set(some)].sort();
}

function byName<T>(parts: readonly T[], name: (part: T) => string): T[] {
  return [...parts].sort((one, other) => (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : 0));
}

const scaleNames = { even: false, log: true } as const;

/** `clusters-difficulty-volume-even.log-10_500_30_500_20_9000`: level, figures, scales, and the values of the corners. */
function areaText({ level, x, y, isLog, corners }: AreaPart): string {
  const scale = (isOne: boolean) => (isOne ? 'log' : 'even');
  const values = corners.flat().map(cornerText).join('_');
  return `${level}-${escapeName(x)}-${escapeName(y)}-${scale(isLog.x)}.${scale(isLog.y)}-${values}`;
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

/** A formula has at most 500 characters. Its syntax is not checked here, because the parser of formulas is loaded only when it is needed. */
const scoreText = /^(?:branch|sum|mean|max)\..{1,520}$/su;

function readScorePart(text: string): ScorePart | undefined {
  const [, name, ends, score] = /^([a-z]+)-(.*?)-((?:branch|sum|mean|max)\..*)$/su.exec(text) ?? [];
  const [level, range] = [levelOf(name), readRange(ends ?? '')];
  return level && range && score !== undefined && scoreText.test(score) ? { level, ...range, score } : undefined;
}

const levelOf = (name: string | undefined): Level | undefined => levels.find((level) => level === name);
const areaLevelOf = (name: string): AreaLevel | undefined =>
  parentIn(name as AreaLevel) === undefined ? levelOf(name) : (name as AreaLevel);
const cornerText = (value: number) => String(value).replace('+', '');

function numberIn(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
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

/** The position of a value on its axis. Values of -1 and below have no logarithm there, so they lie before all others. */
const placed = (value: number, isLog: boolean): number =>
  isLog ? (value > -1 ? Math.log10(value + 1) : Number.NEGATIVE_INFINITY) : value;

type NodeMarks = Pick<Filter, 'plan' | 'planned' | 'changes' | 'warnings'>;
/** The conditions on branches, because one can be about what the plan covers. */
type WithBranches = Pick<Filter, 'branches'>;

/** Whether a filter has conditions on the plan, changes or warnings of single nodes. */
export const hasNodeMarks = ({ plan, planned, changes, warnings }: NodeMarks): boolean =>
  plan.length + planned.length + changes.length + warnings.length > 0;

/** Whether a filter has a condition on how much of a branch the plan covers. */
export const hasCoveredCondition = ({ branches }: WithBranches): boolean =>
  branches.some((part) => part.of === 'covered' && hasEnd(part));

/** Whether a filter depends on more than the file and its own text. */
export const hasMarks = (filter: NodeMarks & WithBranches): boolean =>
  hasNodeMarks(filter) || hasCoveredCondition(filter);

/** The part of a filter that is applied before warnings are found: without the conditions on branches and on warnings. */
export const beforeWarnings = (filter: Filter): Filter => ({ ...filter, branches: [], warnings: [] });

/** "10_20", "_20" or "10_"; "10__20" without 20 itself. */
export const rangeText = ({ from, to, isBelow }: StepRange): string =>
  `${numberText(from)}_${isBelow && to !== undefined ? '_' : ''}${numberText(to)}`;

/** Removes the plus sign of an exponent, which URLs escape as three characters. */
const numberText = (end: number | undefined) => (end === undefined ? '' : String(end).replace('+', ''));

/** Reads {@link rangeText}; undefined if it is invalid, has no end, or its ends are in descending order. */
function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?[\d.]+(?:e-?\d+)?)?_(-?[\d.]+(?:e-?\d+)?)?$/.exec(text) ?? [];
  const [from, to] = [first, last].map((end) => (end === undefined ? undefined : Number(end) + 0));
  if (from === undefined && to === undefined) return undefined;
  if ([from, to].some((end) => end !== undefined && !Number.isFinite(end))) return undefined;
  return from !== undefined && to !== undefined && from > to ? undefined : { from, to };
}

/** The same where the end may be outside; such a range holds something only if its ends differ. */
function readStep(text: string): StepRange | undefined {
  const isBelow = /^[^_]*__./.test(text);
  const range = readRange(isBelow ? text.replace('__', '_') : text);
  if (!isBelow || !range) return range;
  return range.from === range.to ? undefined : { ...range, isBelow };
}

/** "20_50": two numbers that are not a range, so either may be greater. */
const pairText = (one: number, other: number): string => rangeText({ from: one, to: other });

function readPair(text: string): readonly [number, number] | undefined {
  const [one, other] = text.split('_').map((part) => readRange(`${part}_`)?.from);
  return one === undefined || other === undefined || !/^[^_]+_[^_]+$/.test(text) ? undefined : [one, other];
}

/** The range, if it has an end. */
function ended(range: Range): Range | undefined {
  return hasEnd(range) ? range : undefined;
}

export const hasEnd = ({ from, to }: Range): boolean => from !== undefined || to !== undefined;
