import { fieldName, isFieldKey } from '../store/figures.ts';
import type { HeldTree } from '../store/held-tree.ts';
import {
  type Colouring,
  type ColourScale,
  colourScale,
  firstIndex,
  intentNames,
  neutralIndex,
  unknownIndex,
} from './colour-scale.ts';
import { compactFigure } from './compact-number.ts';

/** One line of the legend: a swatch and what it stands for. */
export type LegendEntry = {
  /** A CSS colour. */
  readonly colour: string;
  /** Its place in the scale, for its pattern. */
  readonly index: number;
  readonly label: string;
  /** Whether the swatch is the hatched one of unknown values. */
  readonly unknown: boolean;
  /** Held row of the pillar that the entry stands for, -1 for none. */
  readonly row: number;
  /** Keywords of the whole tree that the entry stands for; undefined where that is not known. */
  readonly keywords: number | undefined;
};

/**
 * What the colours stand for, in the order of the scale; unknown last, and only where something is.
 *
 * @param counts of a category of the file, the keywords of the whole tree that have each of its values
 */
export function legendFor(
  tree: HeldTree,
  colouring: Colouring,
  counts: readonly number[] | undefined = undefined,
): readonly LegendEntry[] {
  if (tree.size === 0) return [];
  const scale = colourScale(tree, colouring);
  const entries = scale.steps ? stepsOf(scale, scale.steps.bounds) : categories(tree, scale, colouring, counts);
  if (!scale.indexOf.includes(unknownIndex)) return entries;
  return [...entries, { ...entry(scale, unknownIndex, 'Unknown'), unknown: true }];
}

function categories(
  tree: HeldTree,
  scale: ColourScale,
  { colourBy }: Colouring,
  counts: readonly number[] | undefined,
): readonly LegendEntry[] {
  if (colourBy === 'pillar') {
    return Array.from(tree.children(tree.root), (row) => ({
      ...entry(scale, scale.indexOf[row]!, tree.name(row), tree.keywords[row]!),
      row,
    }));
  }
  const field = isFieldKey(colourBy) ? tree.field(fieldName(colourBy)) : undefined;
  if (field?.kind === 'category') {
    const values = field.values.map((label, value) => ({
      label,
      index: firstIndex + value - 1,
      keywords: counts?.[value],
    }));
    return values
      .slice(1)
      .filter(({ index, keywords }) => keywords !== 0 && index < scale.colours.length)
      .map(({ index, label, keywords }) => entry(scale, index, label, keywords));
  }
  const used = [...new Set(scale.indexOf)].filter((index) => index !== unknownIndex).sort((a, b) => a - b);
  if (colourBy === 'intent') {
    return used.map((index) =>
      entry(scale, index, intentNames[index - firstIndex] ?? '', tree.intent[index - firstIndex]),
    );
  }
  if (colourBy === 'type') return used.map((index) => entry(scale, index, tree.types[index - firstIndex] || 'No type'));
  if (colourBy !== 'depth') return [];
  return used.map((index) => entry(scale, index, index === neutralIndex ? 'Root' : `Level ${index - 1}`));
}

function stepsOf(scale: ColourScale, bounds: readonly number[]): readonly LegendEntry[] {
  return Array.from({ length: bounds.length + 1 }, (_, step) => {
    const [from, to] = [bounds[step - 1], bounds[step]];
    return entry(scale, step + firstIndex, rangeLabel(from, to));
  });
}

function rangeLabel(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return to === undefined ? 'All known' : `below ${compactFigure(to)}`;
  return to === undefined ? `${compactFigure(from)} and more` : `${compactFigure(from)} – ${compactFigure(to)}`;
}

function entry(scale: ColourScale, index: number, label: string, keywords?: number): LegendEntry {
  return { colour: scale.colours[index]!, index, label, unknown: false, row: -1, keywords };
}
