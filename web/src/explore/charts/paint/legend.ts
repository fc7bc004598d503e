import { shortFigure } from '../../format/figure-text.ts';
import { type ColourBy, isMarkColour, type SizeBy } from '../../model/encodings.ts';
import { fieldName, figuresOf, isFieldKey, isScoreKey, type Metric } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Colouring, categoricalColours, categoricalIndex, colourScale, intentNames } from './colour-scale.ts';
import { type MarkLook, markColour, paletteOf } from './colours.ts';
import type { MarkStep } from './mark-scales.ts';
import { stepsOfMarks } from './mark-scales.ts';
import { type ColourScale, firstIndex, neutralIndex, unknownIndex } from './value-steps.ts';

/** One line of the legend: a swatch and its meaning. */
export type LegendEntry = {
  /** A CSS colour. */
  readonly colour: string;
  /** Its index in the scale, for its pattern. */
  readonly index: number;
  readonly label: string;
  /** The sign that marks with this colour have as well. */
  readonly sign?: string;
  /** Whether the swatch is the hatched one for unknown values. */
  readonly unknown: boolean;
  /** Loaded row of the pillar that the entry represents, -1 for none. */
  readonly row: number;
  /**
   * How much of the whole tree has this colour, in the unit of `countUnit`: nodes for types and levels, otherwise what the
   * sizes stand for. Undefined if unknown.
   */
  readonly count: number | undefined;
  /** The name as written in the file, '' for unknown, the node ID of a pillar; undefined for a step of numbers. */
  readonly value?: string | undefined;
  /** The range of numbers: from the first (inclusive) to the second (exclusive). */
  readonly step?: { readonly from: number | undefined; readonly to: number | undefined };
};

/** What is known about the whole tree beyond its loaded part. */
export type Whole = {
  /** For a category of the file used as colour: the number of keywords with each of its values. */
  readonly counts?: readonly number[] | undefined;
  /** By intent or value of a category, in lower case: the sum of what the sizes stand for. */
  readonly sums?: ReadonlyMap<string, number> | undefined;
  /** Every pillar topic in pack order, regardless of filters. */
  readonly pillars?: readonly Pillar[] | undefined;
  /** What the sizes of marks stand for; keywords if omitted. */
  readonly sizeBy?: SizeBy;
  /** What swatches look like. They have the colours of the scale if omitted. */
  readonly marks?: MarkLook | undefined;
  /** Whether a filter excludes something: then names that no node has are listed too, so that they can be added. */
  readonly isCut?: boolean;
};

/** A pillar topic: its pack row, name and node ID. Strays are in the place of one. */
export type Pillar = {
  readonly node: number;
  readonly name: string;
  readonly address: string;
  readonly isStrays: boolean;
};

/** Names that no node has are not listed beyond this number. */
const maxListed = 24;

/** What the counts of a legend are: nodes, keywords, or the figure that sizes stand for, of which branches have sums. */
export function countUnit(tree: LoadedTree, colourBy: ColourBy, sizeBy: SizeBy): 'nodes' | Metric {
  if (colourBy === 'type' || colourBy === 'depth') return 'nodes';
  // Scores have no sums by value.
  const isSummed =
    colourBy === 'pillar' || (!isScoreKey(sizeBy) && (colourBy === 'intent' || isCategory(tree, colourBy)));
  if (!isSummed || sizeBy === 'equal') return 'keywords';
  return figuresOf(tree, sizeBy)?.rollUp === 'sum' ? sizeBy : 'keywords';
}

const isCategory = (tree: LoadedTree, colourBy: ColourBy): boolean =>
  isFieldKey(colourBy) && tree.field(fieldName(colourBy))?.kind === 'category';

/** The entries in the order of the scale; unknown last, and only if there are unknown values. */
export function legendFor(tree: LoadedTree, colouring: Colouring, whole: Whole = {}): readonly LegendEntry[] {
  if (tree.size === 0) return [];
  const baseScale = colourScale(tree, colouring);
  const entries = entriesOf(tree, colouring, whole, baseScale);
  if (!whole.marks) return entries;
  const drawn = markColour(
    baseScale.isSequential ? baseScale : lengthened(baseScale, colouring),
    colouring.theme,
    whole.marks,
  );
  return entries.map((one) => ({ ...one, colour: drawn(one.index) }));
}

/** With the colours of names that no node has. */
function lengthened(baseScale: ColourScale, { theme, isColourBlindSafe }: Colouring): ColourScale {
  const all = categoricalColours(paletteOf(theme, isColourBlindSafe));
  return { ...baseScale, colours: [...baseScale.colours, ...all.slice(baseScale.colours.length)] };
}

function entriesOf(
  tree: LoadedTree,
  colouring: Colouring,
  whole: Whole,
  baseScale: ColourScale,
): readonly LegendEntry[] {
  if (isMarkColour(colouring.colourBy)) {
    const steps = marks(tree, baseScale, stepsOfMarks[colouring.colourBy]);
    return colouring.colourBy === 'change' ? [...steps, ...straysOf(tree, baseScale)] : steps;
  }
  const listsMore = whole.isCut || colouring.colourBy === 'intent';
  const scale = listsMore && !baseScale.steps ? lengthened(baseScale, colouring) : baseScale;
  const entries = scale.steps
    ? stepsOf(colouring.colourBy as Metric, scale, scale.steps.bounds)
    : categories(tree, scale, colouring, whole);
  const rest = leftOut(tree, scale);
  if (!scale.indexOf.includes(unknownIndex)) return [...entries, ...rest];
  return [
    ...entries,
    { ...entry(scale, unknownIndex, 'Unknown'), unknown: true, value: scale.steps ? undefined : '' },
    ...rest,
  ];
}

/** Every step of a scale of marks, whether or not anything has it. */
function marks(tree: LoadedTree, scale: ColourScale, steps: readonly MarkStep[]): readonly LegendEntry[] {
  const listed = steps.map(({ label, sign, value }, i) => ({
    ...entry(scale, firstIndex + i, label),
    ...(sign !== '' && { sign }),
    ...(value !== undefined && { value }),
  }));
  const unknown = scale.indexOf.includes(unknownIndex)
    ? [{ ...entry(scale, unknownIndex, 'Unknown'), unknown: true }]
    : [];
  return [...listed, ...unknown, ...leftOut(tree, scale)];
}

function leftOut(tree: LoadedTree, scale: ColourScale): readonly LegendEntry[] {
  return tree.shape === tree ? [] : [{ ...entry(scale, neutralIndex, 'Left out by the filter'), unknown: true }];
}

function categories(
  tree: LoadedTree,
  scale: ColourScale,
  { colourBy }: Colouring,
  { counts, sums, pillars, isCut, sizeBy = 'keywords' }: Whole,
): readonly LegendEntry[] {
  const unit = countUnit(tree, colourBy, sizeBy);
  /** In the unit of the sizes, which takes a moment to add up. */
  const countOf = (value: string, keywords: number | undefined) =>
    unit === 'keywords' ? keywords : sums?.get(value.toLowerCase());
  if (colourBy === 'pillar') {
    const amounts = unit === 'nodes' ? undefined : figuresOf(tree, unit)?.value;
    const all = pillars ?? loadedPillars(tree);
    // No pillar, so after all of them.
    return [...all.filter(({ isStrays }) => !isStrays), ...all.filter(({ isStrays }) => isStrays)].map(
      ({ node, name, address, isStrays }) => {
        const row = tree.rowOf(node);
        // The count of a pillar that is not loaded is unknown; other pillars without rows have nothing in the filter.
        const none = tree.tail(tree.root).nodes > 0 ? undefined : 0;
        const count = row === -1 ? none : amounts?.[row];
        const index = isStrays ? neutralIndex : categoricalIndex(node - 1);
        const label = isStrays ? straysLabel(name) : name;
        return { ...entry(scale, index, label, Number.isNaN(count) ? undefined : count), row, value: address };
      },
    );
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
      .map(({ index, label, count }) => {
        const sign = scale.signs?.[index];
        return { ...entry(scale, index, label, countOf(label, count)), ...(sign && { sign }), value: label };
      });
  }
  const names = colourBy === 'intent' ? intentNames : colourBy === 'type' ? tree.types : [];
  // An intent that is nowhere the most frequent one may still occur in some keywords.
  const occurs = (i: number) => isCut || (colourBy === 'intent' && tree.intent[i]! > 0);
  const listed = names.slice(0, maxListed).flatMap((_, i) => (occurs(i) ? firstIndex + i : []));
  const used = [...new Set([...scale.indexOf, ...listed])]
    .filter((index) => index !== unknownIndex)
    .sort((a, b) => a - b);
  if (colourBy === 'intent') {
    return used.map((index) => {
      const name = intentNames[index - firstIndex] ?? '';
      return {
        ...entry(scale, index, name, countOf(name, tree.intent[index - firstIndex])),
        value: name.toLowerCase(),
      };
    });
  }
  if (colourBy !== 'type' && colourBy !== 'depth') return [];
  const ofLevel = (index: number) => (index === neutralIndex ? 'Root' : `Level ${index - 1}`);
  const ofType = (index: number) => tree.types[index - firstIndex] || 'No type';
  const rows = tree.isComplete ? countRows(tree, scale) : undefined;
  return used.map((index) => ({
    ...entry(scale, index, colourBy === 'type' ? ofType(index) : ofLevel(index), rows?.[index]),
    value: colourBy === 'type' ? (tree.types[index - firstIndex] ?? '') : String(index - 1),
  }));
}

const straysLabel = (name: string): string => `${name} (no pillar)`;

/** The place of the strays, which is no pillar; none if there are none. */
function straysOf(tree: LoadedTree, scale: ColourScale): readonly LegendEntry[] {
  return loadedPillars(tree)
    .filter(({ isStrays }) => isStrays)
    .map(({ node, name }) => ({ ...entry(scale, neutralIndex, straysLabel(name)), row: tree.rowOf(node) }));
}

const loadedPillars = (tree: LoadedTree): readonly Pillar[] =>
  Array.from(tree.children(tree.root), (row) => ({
    node: tree.node[row]!,
    name: tree.name(row),
    address: tree.addressOf(row),
    isStrays: tree.isStrays(row),
  }));

/** Number of nodes of each colour, without those that a filter excludes. */
function countRows(tree: LoadedTree, { indexOf, colours }: ColourScale): Uint32Array {
  const rows = new Uint32Array(colours.length);
  for (const [row, index] of indexOf.entries()) if (!tree.isLeftOut(row)) rows[index]! += 1;
  return rows;
}

function stepsOf(of: Metric, scale: ColourScale, bounds: readonly number[]): readonly LegendEntry[] {
  return Array.from({ length: bounds.length + 1 }, (_, step) => {
    const [from, to] = [bounds[step - 1], bounds[step]];
    return { ...entry(scale, step + firstIndex, rangeLabel(of, from, to)), step: { from, to } };
  });
}

function rangeLabel(of: Metric, from: number | undefined, to: number | undefined): string {
  const short = (value: number) => shortFigure(of, value);
  if (from === undefined) return to === undefined ? 'All known' : `below ${short(to)}`;
  return to === undefined ? `${short(from)} and more` : `${short(from)} – ${short(to)}`;
}

function entry(scale: ColourScale, index: number, label: string, count?: number): LegendEntry {
  return { colour: scale.colours[index]!, index, label, unknown: false, row: -1, count };
}
