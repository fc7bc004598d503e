import {
  type AreaPart,
  type BranchFigure,
  type BranchLevel,
  type BranchPart,
  type BrandPart,
  type Filter,
  parentIn,
  type QuickPart,
  type Range,
  type RisingPart,
} from '../filter/filter.ts';
import { figureName, figureWord, isRate } from './figure-name.ts';
import { endText, type FilterPart, namedRange } from './filter-part.ts';

/** The conditions that the one-click chips and the group "Branches" write, and the number of words. */
export function presetPartsOf(filter: Filter, placeName: (address: string) => string): readonly FilterPart[] {
  const { words, questions, quick, rising, brand, branches, areas, scores } = filter;
  return [
    ...(words ? [{ text: wordsText(words), without: { ...filter, words: undefined } }] : []),
    ...(questions.length > 0
      ? [{ text: `Questions: ${languagesText(questions)}`, without: { ...filter, questions: [] } }]
      : []),
    ...(quick ? [{ text: `Quick wins: ${quickText(quick)}`, without: { ...filter, quick: undefined } }] : []),
    ...(rising ? [{ text: `Rising: ${risingText(rising)}`, without: { ...filter, rising: undefined } }] : []),
    ...(brand ? [{ text: brandText(brand), without: { ...filter, brand: undefined } }] : []),
    ...branches.map((part) => ({
      text: branchText(part),
      without: { ...filter, branches: branches.filter((other) => other !== part) },
    })),
    ...areas.map((part, nth) => ({
      text: numbered(areas.slice(0, nth + 1).map((one) => areaText(one, placeName))),
      without: { ...filter, areas: areas.filter((other) => other !== part) },
    })),
    ...scores.map((part) => ({
      text: namedRange(`${scoreLevels[part.level]} score`, part),
      without: { ...filter, scores: scores.filter((other) => other !== part) },
    })),
  ];
}

/** "Words 1 – 3", "Words at least 4" */
const wordsText = (range: Range): string => namedRange('Words', range);

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
  const least = from === undefined ? undefined : `at least ${endText(from)} %`;
  const most = to === undefined ? undefined : `at most ${endText(to)} %`;
  const joined = of === 'covered' ? name : `${name} for`;
  return `${joined} ${[least, most].filter((end) => end !== undefined).join(' and ')}`;
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

/** Whether a figure is stated in percent. */
export const isShare = (of: BranchFigure): boolean => of === 'covered' || of.startsWith('known.');

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
