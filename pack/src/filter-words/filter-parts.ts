import {
  type AreaPart,
  type BranchFigure,
  type BranchLevel,
  type BranchPart,
  type BrandPart,
  type ChangeMark,
  type Figure,
  type Filter,
  isShare,
  type PlanMark,
  type PlannedPart,
  parentIn,
  plannedFields,
  type QuickPart,
  type Range,
  type RisingPart,
  type StepRange,
  type TextPart,
  type WarningMark,
} from '../filter/filter.ts';
import { monthText } from '../vocabulary/months.ts';
import { figureName, figureWord, isRate, typeWord } from './figure-name.ts';

/** One condition of a filter: its label, and the filter without it. */
type FilterPart = { readonly text: string; readonly without: Filter; readonly place?: string };

type ListName = { [Name in keyof Filter]: Filter[Name] extends readonly unknown[] ? Name : never }[keyof Filter];
type OneName = { [Name in keyof Filter]: undefined extends Filter[Name] ? Name : never }[keyof Filter];

/**
 * The conditions of a filter, as chips show them.
 *
 * @param placeName the name of the place with a node ID
 */
export function partsOf(filter: Filter, placeName: (address: string) => string = () => '…'): readonly FilterPart[] {
  /** A chip for each value of a list. */
  const each = <Name extends ListName>(name: Name, text: (value: Filter[Name][number], nth: number) => string) =>
    (filter[name] as readonly Filter[Name][number][]).map((value, nth): FilterPart => {
      const others = (filter[name] as readonly unknown[]).filter((other) => other !== value);
      return { text: text(value, nth), without: { ...filter, [name]: others } };
    });
  /** One chip for all values of a list. */
  const all = <Name extends ListName>(name: Name, text: (values: Filter[Name]) => string): FilterPart[] =>
    filter[name].length === 0 ? [] : [{ text: text(filter[name]), without: { ...filter, [name]: [] } }];
  const one = <Name extends OneName>(name: Name, text: (value: NonNullable<Filter[Name]>) => string): FilterPart[] => {
    const value = filter[name];
    return value === undefined ? [] : [{ text: text(value!), without: { ...filter, [name]: undefined } }];
  };
  const planned = plannedFields.flatMap((of): FilterPart[] => {
    const values = filter.planned.filter((part) => part.of === of).map(({ value }) => value);
    if (values.length === 0) return [];
    const words = values.map((value) => (of === 'due' ? dueText(value) : plannedWord(of, value)));
    const without = { ...filter, planned: filter.planned.filter((part) => part.of !== of) };
    return [{ text: `${plannedTitles[of]}: ${anyOf(words)}`, without }];
  });
  const areas = filter.areas.map((area) => areaText(area, placeName));
  return [
    ...each('contains', (text) => `Contains “${text}”`),
    ...each('excludes', (text) => `Without “${text}”`),
    ...each('texts', textPartText),
    ...all('types', (types) => `Type: ${anyOf(types.map(typeName))}`),
    ...all('intents', (intents) => `Intent: ${anyOf(intents)}`),
    ...each('categories', ({ field, values }) => `${figureName(`field:${field}`)}: ${anyOf(values.map(valueName))}`),
    ...each('ranges', (range) => rangeText(range.of, range)),
    ...each('known', (of) => `${of === 'intent' ? 'Intent' : filterName(of)} known`),
    ...all('within', (within) => `Only in: ${anyOf(within.map(placeName))}`),
    ...each('outside', (place) => `Hidden: ${placeName(place)}`).map((part, nth) => ({
      ...part,
      place: filter.outside[nth]!,
    })),
    ...one('depth', levelsText),
    ...one('hasChildren', (has) => (has ? 'With children' : 'Without children')),
    ...one('words', (range) => namedRange('Words', range)),
    ...all('questions', (languages) => `Questions: ${languagesText(languages)}`),
    ...one('quick', (quick) => `Quick wins: ${quickText(quick)}`),
    ...one('rising', (rising) => `Rising: ${risingText(rising)}`),
    ...one('brand', brandText),
    ...each('branches', branchText),
    ...each('areas', (_, nth) => numbered(areas.slice(0, nth + 1))),
    ...each('scores', ({ level, ...range }) => namedRange(`${scoreLevels[level]} score`, range)),
    ...all('plan', (marks) => `Plan: ${anyOf(marks.map((mark) => planMarkWords[mark]))}`),
    ...planned,
    ...all('changes', (marks) => `Change: ${anyOf(marks.map((mark) => changeMarkWords[mark]))}`),
    ...all('warnings', (marks) => `Warning: ${anyOf(marks.map((mark) => warningMarkWords[mark]))}`),
  ];
}

/** "Volume 100 – 1,000", "Volume at least 100", "Volume at most 1,000", "Volume 100 to below 1,000", "Volume below 1,000" */
export function namedRange(name: string, { from, to, isBelow }: StepRange): string {
  if (isBelow && to !== undefined)
    return from === undefined ? `${name} below ${endText(to)}` : `${name} ${endText(from)} to below ${endText(to)}`;
  if (from === undefined) return `${name} at most ${endText(to)}`;
  if (to === undefined) return `${name} at least ${endText(from)}`;
  return from === to ? `${name} ${endText(from)}` : `${name} ${endText(from)} – ${endText(to)}`;
}

/** With the precision of the condition, so that the label states exactly what is kept. */
export function endText(end: number | undefined): string {
  precisely ??= new Intl.NumberFormat('en', { maximumSignificantDigits: 17 });
  return end === undefined ? '' : precisely.format(end);
}

/** The first format of a page costs more than ten milliseconds, so it is made when it is needed. */
let precisely: Intl.NumberFormat | undefined;

/** "a, b, or c" */
export function anyOf(texts: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(texts);
}

let either: Intl.ListFormat | undefined;

function textPartText({ mode, text, isIn }: TextPart): string {
  if (mode === 'regex') return `${isIn ? 'Matches' : 'Does not match'} /${text}/`;
  return `${isIn ? 'Contains' : 'Without'} ${mode} of “${text}”`;
}

/** The label of a figure that can be filtered by. */
export function filterName(of: Figure): string {
  return figureName(of === 'competition' || of === 'position' ? `field:${of}` : of);
}

/** "Volume 100 – 1,000", "Volume at least 100", "Volume at most 1,000" */
export const rangeText = (of: Figure, range: StepRange): string => namedRange(filterName(of), range);

function levelsText({ from, to }: Range): string {
  if (from === undefined) return `Down to level ${endText(to)}`;
  if (to === undefined) return `Level ${endText(from)} and deeper`;
  return from === to ? `Level ${endText(from)}` : `Levels ${endText(from)} – ${endText(to)}`;
}

export const typeName = (type: string): string => (type === '' ? 'no type' : typeWord(type));
export const valueName = (value: string): string => (value === '' ? 'unknown' : value);

/** @param hasPositions whether the file has positions, so that a keyword in reach also counts */
export function quickText({ volume, difficulty }: QuickPart, hasPositions = false): string {
  const ease = `difficulty ≤ ${endText(difficulty)}`;
  return `volume ≥ ${endText(volume)}${hasPositions ? ` and (${ease} or position 4–20)` : `, ${ease}`}`;
}

export const risingText = ({ percent, volume }: RisingPart): string =>
  `growth ≥ ${endText(percent)} %, volume ≥ ${endText(volume)}`;

export function brandText({ isIn, terms }: BrandPart): string {
  const name = isIn ? 'Brand' : 'Non-brand';
  return terms.length === 0 ? name : `${name}: ${terms.join(', ')}`;
}

/** "English and German" */
export function languagesText(codes: readonly string[]): string {
  listed ??= new Intl.ListFormat('en', { type: 'conjunction' });
  return listed.format(codes.map(languageName));
}

let listed: Intl.ListFormat | undefined;

export function languageName(code: string): string {
  languages ??= new Intl.DisplayNames('en', { type: 'language' });
  return languages.of(code) ?? code;
}

let languages: Intl.DisplayNames | undefined;

/** "Cluster volume at least 500", "Pillar difficulty known for at least 20 %", "Cluster covered at least 50 %" */
function branchText({ level, of, from, to }: BranchPart): string {
  const name = branchFigureName(level, of);
  if (!isShare(of)) return namedRange(name, { from, to });
  const lowerEnd = from === undefined ? undefined : `at least ${endText(from)} %`;
  const upperEnd = to === undefined ? undefined : `at most ${endText(to)} %`;
  const joined = of === 'covered' ? name : `${name} for`;
  return `${joined} ${[lowerEnd, upperEnd].filter((end) => end !== undefined).join(' and ')}`;
}

const scoreLevels = { keywords: 'Keyword', subtopics: 'Subtopic', clusters: 'Cluster', pillars: 'Pillar' } as const;

/** "Clusters with difficulty 0 – 30 and volume 500 – 9,000", or "Clusters in an area of difficulty and volume" */
function areaText({ level, x, y, corners }: AreaPart, placeName: (address: string) => string): string {
  const parent = parentIn(level);
  const name =
    parent === undefined ? level.charAt(0).toUpperCase() + level.slice(1) : `Children of ${placeName(parent)}`;
  const [across, up] = [figureWord(x), figureWord(y)];
  const ends = (of: 0 | 1): Range => {
    const values = corners.map((corner) => corner[of]);
    return { from: Math.min(...values), to: Math.max(...values) };
  };
  const [ofX, ofY] = [ends(0), ends(1)];
  const isCorner = ([a, b]: readonly [number, number]) =>
    (a === ofX.from || a === ofX.to) && (b === ofY.from || b === ofY.to);
  if (corners.length !== 4 || !corners.every(isCorner)) return `${name} in an area of ${across} and ${up}`;
  const rounded = (of: string, { from, to }: Range) =>
    isRate(of) ? `${roundly(100 * from!)} – ${roundly(100 * to!)} %` : `${roundly(from!)} – ${roundly(to!)}`;
  return `${name} with ${across} ${rounded(x, ofX)} and ${up} ${rounded(y, ofY)}`;
}

/** The last of some texts, with its number if it is not the first of its kind. */
function numbered(texts: readonly string[]): string {
  const text = texts.at(-1)!;
  const count = texts.filter((other) => other === text).length;
  return count === 1 ? text : `${text} (${count})`;
}

/** Corners are values of rows, with all their digits. */
function roundly(value: number): string {
  rounding ??= new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  return rounding.format(value);
}

let rounding: Intl.NumberFormat | undefined;

const levelNames = { subtopic: 'Subtopic', cluster: 'Cluster', pillar: 'Pillar' } as const satisfies Record<
  BranchLevel,
  string
>;

/** "Cluster volume", "Pillar CPC known", "Cluster covered" */
export function branchFigureName(level: BranchLevel, of: BranchFigure): string {
  if (of === 'covered') return `${levelNames[level]} covered`;
  const name = figureName(isShare(of) ? of.slice('known.'.length) : of);
  const word = name === 'CPC' ? name : name.toLowerCase();
  return `${levelNames[level]} ${word}${isShare(of) ? ' known' : ''}`;
}

export const planMarkWords: Readonly<Record<PlanMark, string>> = {
  idea: 'Idea',
  planned: 'Planned',
  written: 'Written',
  live: 'Live',
  none: 'Not planned',
};

export const plannedTitles: Readonly<Record<PlannedPart['of'], string>> = {
  owner: 'Plan owner',
  content: 'Plan content type',
  tag: 'Plan tag',
  due: 'Plan due',
};
const unsetWords: Readonly<Record<PlannedPart['of'], string>> = {
  owner: 'Nobody',
  content: 'None',
  tag: 'None',
  due: 'No month',
};

/** A value of a field of the plan; that of `due` is a range of months. */
export const plannedWord = (of: PlannedPart['of'], value: string): string => value || unsetWords[of];

/** "December 2026 – February 2027", "from December 2026", "until February 2027" */
export function dueText(value: string): string {
  const [from = '', to = ''] = value.split('_').map((month) => month && monthText(month));
  if (from === '' && to === '') return unsetWords.due;
  if (to === '') return `from ${from}`;
  if (from === '') return `until ${to}`;
  return from === to ? from : `${from} – ${to}`;
}

export const changeMarkWords: Readonly<Record<ChangeMark, string>> = {
  new: 'New',
  gone: 'Gone',
  moved: 'Moved',
  renamed: 'Renamed',
  'volume-up': 'Volume up',
  'volume-down': 'Volume down',
  easier: 'Easier',
  harder: 'Harder',
  'rank-up': 'Rank up',
  'rank-down': 'Rank down',
  'now-known': 'Now known',
  'no-longer-known': 'No longer known',
};

export const warningMarkWords: Readonly<Record<WarningMark, string>> = {
  mixed: 'Mixed intent',
  'url-clusters': 'One URL, several clusters',
  'cluster-urls': 'Several URLs, one cluster',
  'results-apart': 'Answered by different pages',
  'results-alike': 'Answered by the same pages',
  oversized: 'Oversized cluster',
  single: 'Single keyword',
  repeated: 'Repeated keyword',
  unknown: 'Mostly unknown',
};
