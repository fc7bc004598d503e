import {
  type BranchPart,
  type BrandPart,
  branchFigures,
  branchLevels,
  type Filter,
  type QuickPart,
  type RisingPart,
} from './filter.ts';
import { type QuestionLanguage, questionLanguages } from './question-languages.ts';
import { hasEnd, pairText, rangeText, readPair, readRange } from './range-text.ts';

/** The parts of a filter that `filter-text.ts` leaves to this file. */
export type PresetParts = Pick<Filter, 'words' | 'questions' | 'quick' | 'rising' | 'brand' | 'branches'>;

/** The maximum number of brand terms. */
export const maxBrandTerms = 50;

/** Writes each part by its kind and value, in a fixed order. */
export function writePresets(filter: PresetParts, write: (kind: string, text: string) => void): void {
  const { words, questions, quick, rising, brand, branches } = canonicalPresets(filter);
  if (words) write('words', rangeText(words));
  if (questions.length > 0) write('ask', questions.join('.'));
  if (quick) write('quick', pairText(quick.volume, quick.difficulty));
  if (rising) write('rising', pairText(rising.percent, rising.volume));
  if (brand) write(brand.isIn ? 'brand' : 'nonbrand', brand.terms.join(','));
  for (const part of branches) write(part.level, `${part.of}-${rangeText(part)}`);
}

/** The parts of a text as read so far. */
type Read = { -readonly [K in keyof PresetParts]: PresetParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
export function readPreset(read: Read, kind: string, text: string): boolean | undefined {
  const set = <K extends 'words' | 'quick' | 'rising' | 'brand'>(name: K, value: Read[K]): boolean => {
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

function addBranch(read: Read, level: BranchPart['level'], text: string): boolean {
  const at = text.indexOf('-');
  const of = branchFigures.find((figure) => figure === text.slice(0, Math.max(0, at)));
  const range = readRange(text.slice(at + 1));
  if (!of || !range || read.branches.some((part) => part.level === level && part.of === of)) return false;
  read.branches = [...read.branches, { level, of, ...range }];
  return true;
}

/** The same parts in the order in which they are written, without duplicates and without those that say nothing. */
export function canonicalPresets({ words, questions, quick, rising, brand, branches }: PresetParts): PresetParts {
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
