import { firstMonthValue } from '@kc/pack/season/season-name';
import { markFields } from '@kc/pack/slice/mark-fields';
import type { CategoryField } from '@kc/pack/slice/slice';
import type { MarkColour } from '../../model/encodings.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { mix, type Palette } from './colours.ts';
import { type ColourScale, firstIndex, neutralIndex, stepOf, unknownIndex } from './value-steps.ts';

// Scales of what is not in the file: a comparison with an earlier upload, and the plan.

/** One colour of such a scale: its name, the sign that marks have beside it, and what to filter by. */
export type MarkStep = { readonly label: string; readonly sign: string; readonly value?: string };

/** In percent of the earlier volume. A change that is exactly a bound belongs to the step further from 0, as in the list of changes. */
const volumeBounds = [-50, -20, 20, 100] as const;
export const changeSteps: readonly MarkStep[] = [
  { label: 'Volume −50 % and less', sign: '▼▼' },
  { label: '−50 % to −20 %', sign: '▼' },
  { label: 'About the same', sign: '' },
  { label: '+20 % to +100 %', sign: '▲' },
  { label: '+100 % and more', sign: '▲▲' },
  { label: 'New', sign: '+', value: 'new' },
  { label: 'Moved', sign: '→', value: 'moved' },
  { label: 'Renamed', sign: '✎', value: 'renamed' },
];
const newStep = 5;
/** From here on, the mark itself was moved or renamed. */
const movedStep = 6;

/** In the order of the ranks of a status. */
export const planSteps: readonly MarkStep[] = [
  { label: 'Not planned', sign: '', value: 'none' },
  { label: 'Idea', sign: '○', value: 'idea' },
  { label: 'Planned', sign: '◔', value: 'planned' },
  { label: 'Written', sign: '◑', value: 'written' },
  { label: 'Live', sign: '●', value: 'live' },
];

/** In percent; the ends are steps of their own. */
const coveredBounds = [1e-9, 20, 40, 60, 80, 100 - 1e-9] as const;
export const coveredSteps: readonly MarkStep[] = [
  { label: 'Not covered', sign: '' },
  { label: 'Below 20 %', sign: '' },
  { label: '20 % – 40 %', sign: '' },
  { label: '40 % – 60 %', sign: '' },
  { label: '60 % – 80 %', sign: '' },
  { label: '80 % and more', sign: '' },
  { label: 'All covered', sign: '' },
];

export const stepsOfMarks: Readonly<Record<MarkColour, readonly MarkStep[]>> = {
  change: changeSteps,
  plan: planSteps,
  covered: coveredSteps,
};

/** @param sequential the colours of a scale of amounts, from low to high */
export function markScale(
  tree: LoadedTree,
  colourBy: MarkColour,
  palette: Palette,
  sequential: readonly string[],
): ColourScale {
  if (colourBy === 'change') return changeScale(tree, palette);
  return colourBy === 'plan' ? planScale(tree, palette) : coveredScale(tree, palette, sequential);
}

function changeScale(tree: LoadedTree, palette: Palette): ColourScale {
  const { low, middle, high } = palette.diverging;
  const [violet, blue] = [palette.categories[0]!, palette.categories[1]!];
  const volumes = [low, mix(middle, low, 0.5), middle, mix(middle, high, 0.5), high];
  const kind = tree.markField(markFields.change);
  const [before, change] = [tree.markField(markFields.volumeBefore), tree.markField(markFields.volumeChange)];
  const value = (field: typeof before, row: number) => (field?.kind === 'number' ? field.value[row]! : Number.NaN);
  const indexOf = new Uint8Array(tree.size).fill(neutralIndex);
  for (let row = 1; row < tree.size && kind?.kind === 'category'; row++) {
    // Strays are no topic that could have grown; their keywords are.
    if (kind.known[row] === notLoaded || tree.isStrays(row)) continue;
    // Of an upload that is gone, nothing is known.
    indexOf[row] = changeIndex(kind.values[kind.value[row]!]!, value(before, row), value(change, row));
  }
  return {
    colours: [palette.neutral, palette.unknown, ...volumes, blue, violet, violet],
    indexOf,
    isSequential: true,
    steps: undefined,
    signs: [undefined, undefined, ...changeSteps.map(({ sign }) => sign || undefined)],
    outlinedFrom: firstIndex + movedStep,
  };
}

function changeIndex(kind: string, before: number, change: number): number {
  if (kind === 'new') return firstIndex + newStep;
  if (kind === 'moved') return firstIndex + movedStep;
  if (kind === 'renamed') return firstIndex + movedStep + 1;
  if (Number.isNaN(before) || Number.isNaN(change)) return unknownIndex;
  // What had no searches and has some now has grown by any percentage.
  const percent = change === 0 ? 0 : before === 0 ? Number.POSITIVE_INFINITY : (100 * change) / before;
  return firstIndex + volumeBounds.filter((bound) => (bound < 0 ? percent > bound : percent >= bound)).length;
}

function planScale(tree: LoadedTree, palette: Palette): ColourScale {
  const { categories, neutral, unknown } = palette;
  const status = tree.markField(markFields.status);
  const indexOf = new Uint8Array(tree.size).fill(neutralIndex);
  for (let row = 1; row < tree.size && status?.kind === 'category'; row++) {
    if (status.known[row] === notLoaded) continue;
    // The first value is that of a branch without keywords.
    const rank = status.value[row]! - 1;
    indexOf[row] = rank < 0 ? neutralIndex : firstIndex + rank;
  }
  return {
    colours: [neutral, unknown, neutral, categories[3]!, categories[1]!, categories[0]!, categories[2]!],
    indexOf,
    isSequential: false,
    steps: undefined,
    signs: [undefined, undefined, ...planSteps.map(({ sign }) => sign || undefined)],
  };
}

function coveredScale(tree: LoadedTree, palette: Palette, sequential: readonly string[]): ColourScale {
  const covered = tree.markField(markFields.covered);
  const indexOf = new Uint8Array(tree.size).fill(neutralIndex);
  for (let row = 1; row < tree.size && covered?.kind === 'number'; row++) {
    if (covered.known[row] === notLoaded) continue;
    const percent = covered.value[row]!;
    indexOf[row] = Number.isNaN(percent) ? unknownIndex : firstIndex + stepOf(percent, coveredBounds);
  }
  const colours = [palette.neutral, palette.unknown, ...sequential];
  return { colours, indexOf, isSequential: true, steps: undefined };
}

/**
 * January, April, July and October. Around the year the colours return to where they began, and get lighter towards July,
 * so that people with any kind of colour blindness can follow them.
 * Source: the hues of Masataka Okabe and Kei Ito, "Color Universal Design", 2008.
 */
const seasons = {
  dark: ['#3f78d8', '#56c4c9', '#f2dd4e', '#e0672f'],
  light: ['#1d4fa3', '#2a93a6', '#e5b91a', '#bd4a12'],
} as const;

export const seasonNote =
  'The month with the most searches of all keywords of a branch. No clear season: below 1.3 times the searches of an average month, or known for less than a fifth';

const monthsOfSeason = 3;

/** By month of the calendar. */
function monthColours(isDark: boolean): string[] {
  const anchors = seasons[isDark ? 'dark' : 'light'];
  return Array.from({ length: 12 }, (_, month) => {
    const season = Math.floor(month / monthsOfSeason);
    const next = anchors[(season + 1) % anchors.length]!;
    return mix(anchors[season]!, next, (month % monthsOfSeason) / monthsOfSeason);
  });
}

/**
 * Colours the months around the year. Marks have the first letters of their month as well, or its number where the file
 * does not say which month it is.
 *
 * @param field see `takeSeason`
 */
export function seasonScale(tree: LoadedTree, field: CategoryField, palette: Palette): ColourScale {
  const indexOf = new Uint8Array(tree.size).fill(neutralIndex);
  for (let row = 0; row < tree.size; row++) {
    if (field.known[row] === notLoaded) continue;
    const value = field.value[row]!;
    indexOf[row] = value === 0 ? unknownIndex : firstIndex + value - 1;
  }
  // A light ink is made for a dark canvas.
  const isDark = palette.ink === palette.lightInk;
  const months = field.values.slice(firstMonthValue);
  return {
    colours: [palette.neutral, palette.unknown, palette.neutral, ...monthColours(isDark)],
    indexOf,
    isSequential: false,
    steps: undefined,
    signs: [undefined, undefined, undefined, ...months.map(signOf)],
  };
}

/** "Mar" for "March", "3" for "Month 3 of 12". */
const signOf = (month: string): string => /\d+/.exec(month)?.[0] ?? month.slice(0, 3);
