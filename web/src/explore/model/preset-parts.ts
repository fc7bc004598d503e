import type {
  BranchFigure,
  BranchLevel,
  BranchPart,
  BrandPart,
  Filter,
  QuickPart,
  Range,
  RisingPart,
} from '@kc/pack/filter/filter';
import { lazily } from '../../ui/lazily.ts';
import { figureName, type Metric } from '../tree-data/figures.ts';
import { endText, type FilterPart, namedRange } from './filter-part.ts';

/** The conditions that the one-click chips and the group "Branches" write, and the number of words. */
export function presetPartsOf(filter: Filter): readonly FilterPart[] {
  const { words, questions, quick, rising, brand, branches } = filter;
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
  ];
}

/** "Words 1 – 3", "Words at least 4" */
const wordsText = (range: Range): string => namedRange('Words', range);

/** @param hasPositions whether the file has positions, so that a keyword in reach also counts */
export function quickText({ volume, difficulty }: QuickPart, hasPositions = false): string {
  const ease = `difficulty ≤ ${endText(difficulty)}`;
  return `volume ≥ ${endText(volume)}, ${hasPositions ? `${ease} or position 4–20` : ease}`;
}

export const risingText = ({ percent, volume }: RisingPart): string =>
  `growth ≥ ${endText(percent)} %, volume ≥ ${endText(volume)}`;

export function brandText({ isIn, terms }: BrandPart): string {
  const name = isIn ? 'Brand' : 'Non-brand';
  return terms.length === 0 ? name : `${name}: ${terms.join(', ')}`;
}

/** "English and German" */
export const languagesText = (codes: readonly string[]): string => listed().format(codes.map(languageName));
const listed = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

export const languageName = (code: string): string => languages().of(code) ?? code;
const languages = lazily(() => new Intl.DisplayNames('en', { type: 'language' }));

/** "Cluster volume at least 500", "Pillar difficulty known for at least 20 %" */
function branchText({ level, of, from, to }: BranchPart): string {
  const name = branchFigureName(level, of);
  if (!isShare(of)) return namedRange(name, { from, to });
  const least = from === undefined ? undefined : `at least ${endText(from)} %`;
  const most = to === undefined ? undefined : `at most ${endText(to)} %`;
  return `${name} for ${[least, most].filter((end) => end !== undefined).join(' and ')}`;
}

const isShare = (of: BranchFigure): boolean => of.startsWith('known.');

const levelNames = { cluster: 'Cluster', pillar: 'Pillar' } as const satisfies Record<BranchLevel, string>;

/** "Cluster volume", "Pillar CPC known" */
export function branchFigureName(level: BranchLevel, of: BranchFigure): string {
  const name = figureName((isShare(of) ? of.slice('known.'.length) : of) as Metric);
  const word = name === 'CPC' ? name : name.toLowerCase();
  return `${levelNames[level]} ${word}${isShare(of) ? ' known' : ''}`;
}
