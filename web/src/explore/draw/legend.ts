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
  /** Keywords of the whole tree that the entry stands for, of types and levels nodes; undefined where that is not known. */
  readonly count: number | undefined;
};

/** What is known of the whole tree beyond the held part. */
export type Whole = {
  /** Of the category of the file that is coloured by, the keywords that have each of its values. */
  readonly counts?: readonly number[] | undefined;
  /** Nodes, the root counted. */
  readonly nodes?: number;
};

/** What the colours stand for, in the order of the scale; unknown last, and only where something is. */
export function legendFor(tree: HeldTree, colouring: Colouring, whole: Whole = {}): readonly LegendEntry[] {
  if (tree.size === 0) return [];
  const scale = colourScale(tree, colouring);
  const entries = scale.steps ? stepsOf(scale, scale.steps.bounds) : categories(tree, scale, colouring, whole);
  if (!scale.indexOf.includes(unknownIndex)) return entries;
  return [...entries, { ...entry(scale, unknownIndex, 'Unknown'), unknown: true }];
}

function categories(
  tree: HeldTree,
  scale: ColourScale,
  { colourBy }: Colouring,
  { counts, nodes }: Whole,
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
      count: counts?.[value],
    }));
    return values
      .slice(1)
      .filter(({ index, count }) => count !== 0 && index < scale.colours.length)
      .map(({ index, label, count }) => entry(scale, index, label, count));
  }
  const used = [...new Set(scale.indexOf)].filter((index) => index !== unknownIndex).sort((a, b) => a - b);
  if (colourBy === 'intent') {
    return used.map((index) =>
      entry(scale, index, intentNames[index - firstIndex] ?? '', tree.intent[index - firstIndex]),
    );
  }
  if (colourBy !== 'type' && colourBy !== 'depth') return [];
  const ofLevel = (index: number) => (index === neutralIndex ? 'Root' : `Level ${index - 1}`);
  const ofType = (index: number) => tree.types[index - firstIndex] || 'No type';
  const rows = tree.size === nodes ? countRows(scale) : undefined;
  return used.map((index) => entry(scale, index, colourBy === 'type' ? ofType(index) : ofLevel(index), rows?.[index]));
}

/** Nodes that wear each colour. */
function countRows({ indexOf, colours }: ColourScale): Uint32Array {
  const rows = new Uint32Array(colours.length);
  for (const index of indexOf) rows[index]! += 1;
  return rows;
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

function entry(scale: ColourScale, index: number, label: string, count?: number): LegendEntry {
  return { colour: scale.colours[index]!, index, label, unknown: false, row: -1, count };
}
