import { firstMonthValue } from '@kc/pack/season/season-name';
import type { CategoryField } from '@kc/pack/slice/slice';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Palette } from './colours.ts';
import { mix } from './colours.ts';
import { type ColourScale, firstIndex, neutralIndex, unknownIndex } from './value-steps.ts';

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
