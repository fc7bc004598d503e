import type { HeldTree } from '../store/held-tree.ts';
import {
  type ColourScale,
  colourScale,
  intentNames,
  neutralIndex,
  sequentialSteps,
  unknownIndex,
} from './colour-scale.ts';
import { compactCount } from './compact-number.ts';
import type { ColourBy, Theme } from './paint.ts';

/** One line of the legend: a swatch and what it stands for. */
export type LegendEntry = {
  /** A CSS colour. */
  readonly colour: string;
  readonly label: string;
  /** Whether the swatch is the hatched one of unknown values. */
  readonly unknown: boolean;
  /** Held row of the pillar that the entry stands for, -1 for none. */
  readonly row: number;
  /** Keywords that the entry stands for; undefined where that is not known. */
  readonly keywords: number | undefined;
};

/** What the colours stand for, in the order of the scale; unknown last, and only where something is. */
export function legendFor(tree: HeldTree, colourBy: ColourBy, theme: Theme): readonly LegendEntry[] {
  if (tree.size === 0) return [];
  const scale = colourScale(tree, colourBy, theme);
  const entries = scale.isSequential ? steps(scale) : categories(tree, scale, colourBy);
  const hasUnknown = scale.indexOf.includes(unknownIndex);
  return hasUnknown ? [...entries, { ...entry(scale, unknownIndex, 'Unknown'), unknown: true }] : entries;
}

function categories(tree: HeldTree, scale: ColourScale, colourBy: ColourBy): readonly LegendEntry[] {
  if (colourBy === 'pillar') {
    return Array.from(tree.children(tree.root), (row) => ({
      ...entry(scale, scale.indexOf[row]!, tree.name(row)),
      row,
      keywords: tree.keywords[row]!,
    }));
  }
  const label = (index: number): string => {
    if (colourBy === 'type') return tree.types[index - 2] || 'No type';
    if (colourBy === 'intent') return intentNames[index - 2] ?? '';
    return index === neutralIndex ? 'Root' : `Level ${index - 1}`;
  };
  const used = [...new Set(scale.indexOf)].filter((index) => index !== unknownIndex).sort((a, b) => a - b);
  return used.map((index) => entry(scale, index, label(index)));
}

function steps(scale: ColourScale): readonly LegendEntry[] {
  const { bounds } = scale;
  const count = Math.min(sequentialSteps, bounds.length + 1);
  return Array.from({ length: count }, (_, step) => {
    const [from, to] = [bounds[step - 1], bounds[step]];
    const label =
      from === undefined && to === undefined
        ? 'All known'
        : from === undefined
          ? `below ${rounded(to!)}`
          : to === undefined
            ? `${rounded(from)} and more`
            : `${rounded(from)} – ${rounded(to)}`;
    return entry(scale, step + 2, label);
  });
}

const rounded = (value: number) => (value < 10 ? value.toFixed(value < 1 ? 2 : 1) : compactCount(Math.round(value)));

function entry(scale: ColourScale, index: number, label: string): LegendEntry {
  return { colour: scale.colours[index]!, label, unknown: false, row: -1, keywords: undefined };
}
