import { isMarkColour } from '../../model/encodings.ts';
import { type Figures, fieldName, figuresOf, isFieldKey, isSeasonKey } from '../../tree-data/figures.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import { mix, type Palette, paletteOf, type ThreeColours, withLightness } from './colours.ts';
import { markScale, seasonScale } from './mark-scales.ts';
import type { Paint } from './painter.ts';
import {
  boundsOf,
  type ColourScale,
  difficultyBounds,
  firstIndex,
  neutralIndex,
  type StepBounds,
  stepCount,
  stepOf,
  unknownIndex,
} from './value-steps.ts';

/** What the colours encode, and which palette they come from. */
export type Colouring = Pick<Paint, 'colourBy' | 'steps' | 'theme' | 'isColourBlindSafe'>;

/** Number of names with a colour of their own; after that, colours repeat. */
const differentColours = 48;

const scales = new WeakMap<Content, { key: string; scale: ColourScale }>();

/** Computed once for each version of a tree's content. */
export function colourScale(tree: LoadedTree, colouring: Colouring): ColourScale {
  const { colourBy, steps, theme, isColourBlindSafe } = colouring;
  const key = [tree.version, theme, isColourBlindSafe === true, steps, colourBy].join(' ');
  const cached = scales.get(tree.content);
  if (cached?.key === key) return cached.scale;
  const scale = makeScale(tree, colouring, paletteOf(theme, isColourBlindSafe));
  if (tree.shape !== tree) neutralLeftOut(tree, scale);
  scales.set(tree.content, { key, scale });
  return scale;
}

function makeScale(tree: LoadedTree, { colourBy, steps }: Colouring, palette: Palette): ColourScale {
  switch (colourBy) {
    case 'pillar':
    case 'depth':
    case 'type':
    case 'intent':
      return categorical(tree, categories[colourBy], palette);
    case 'difficulty':
      return sequential(
        tree,
        tree.difficulty,
        difficultyBounds(tree.difficulty, tree.size),
        palette,
        throughMiddle(palette.difficulty),
      );
  }
  if (isMarkColour(colourBy)) return markScale(tree, colourBy, palette, sequentialColours(palette));
  const field = isFieldKey(colourBy) ? tree.field(fieldName(colourBy)) : undefined;
  if (field?.kind === 'category' && isSeasonKey(colourBy)) {
    return seasonScale(tree, field, palette);
  }
  if (field?.kind === 'category') {
    return categorical(tree, (_, row) => categoryIndex(field.value[row]!, field.known[row]!), palette);
  }
  const ofField = field?.kind === 'number' ? field.value : undefined;
  const all = isFieldKey(colourBy) ? ofField : figuresOf(tree, colourBy)?.value;
  if (!all) return categorical(tree, () => neutralIndex, palette);
  const values = withoutLeftOut(tree, all);
  const scale = sequential(tree, values, boundsOf(values, tree.size, steps), palette);
  // A value that is not loaded yet is not an unknown value.
  for (let row = 0; field && row < tree.size; row++) {
    if (field.known[row] === notLoaded) scale.indexOf[row] = neutralIndex;
  }
  return scale;
}

/** Unknown for rows that the filter excludes: they have no keywords left, which is not a value of the scale. */
const withoutLeftOut = (tree: LoadedTree, values: Figures['value']): Figures['value'] =>
  tree.hasLeftOut
    ? Float64Array.from({ length: tree.size }, (_, row) => (tree.isLeftOut(row) ? Number.NaN : values[row]!))
    : values;

/** A node that the filter excludes has no figure, which is not the same as unknown. */
function neutralLeftOut(tree: LoadedTree, { indexOf, isSequential }: ColourScale): void {
  for (let row = 0; row < tree.size; row++) {
    if (tree.isLeftOut(row) && (isSequential || indexOf[row] === unknownIndex)) indexOf[row] = neutralIndex;
  }
}

function categoryIndex(value: number, known: number): number {
  if (known === notLoaded) return neutralIndex;
  return known === 0 ? unknownIndex : categoricalIndex(value - 1);
}

function categorical(
  tree: LoadedTree,
  category: (tree: LoadedTree, row: number) => number,
  palette: Palette,
): ColourScale {
  const indexOf = new Uint8Array(tree.size);
  let last = firstIndex;
  for (let row = 0; row < tree.size; row++) {
    indexOf[row] = category(tree, row);
    last = Math.max(last, indexOf[row]!);
  }
  // Every colour has a dozen mixed tones, so unused colours are dropped.
  const colours = categoricalColours(palette).slice(0, last + 1);
  return { colours, indexOf, isSequential: false, steps: undefined };
}

/** The colour of the n-th of several names, counted from 0. */
export const categoricalIndex = (i: number): number => firstIndex + (i % differentColours);

type Category = 'pillar' | 'depth' | 'type' | 'intent';

const categories: Readonly<Record<Category, (tree: LoadedTree, row: number) => number>> = {
  // Pillars are the first rows of the pack, largest first, so colours stay the same as more rows load.
  pillar: (tree, row) => {
    const pillar = tree.pillarOf(row);
    // Strays are in no pillar, although they are in its place.
    return pillar === -1 || tree.isStrays(pillar) ? neutralIndex : categoricalIndex(tree.node[pillar]! - 1);
  },
  depth: (tree, row) => (tree.depth[row] === 0 ? neutralIndex : categoricalIndex(tree.depth[row]! - 1)),
  type: (tree, row) => categoricalIndex(tree.type[row]!),
  intent: (tree, row) => {
    const intent = mainIntent(tree, row);
    return intent === -1 ? unknownIndex : categoricalIndex(intent);
  },
};

/** The intent of most keywords in a branch, in the order of `intentNames`; -1 if none is known. */
function mainIntent(tree: LoadedTree, row: number): number {
  let main = -1;
  let max = 0;
  for (let i = 0; i < intentNames.length; i++) {
    const count = tree.intent[row * 4 + i]!;
    if (count > max) [main, max] = [i, count];
  }
  return main;
}

export const intentNames = ['Informational', 'Navigational', 'Commercial', 'Transactional'] as const;

/** The colour of the n-th of several names, counted from 0, the same in every chart, list and bar. */
export function colourAt(palette: Palette, i: number): string {
  return categoricalColours(palette)[categoricalIndex(i)]!;
}

const categoricals = new Map<Palette, readonly string[]>();

/**
 * The colours of the palette, then mixtures of neighbours, then the same colours slightly closer to the canvas, and so
 * on.
 */
export function categoricalColours(palette: Palette): readonly string[] {
  const cached = categoricals.get(palette);
  if (cached) return cached;
  const own = palette.categories;
  const between = own.map((colour, i) => mix(colour, own[(i + 1) % own.length]!, 0.5));
  const first = [...own, ...between];
  const paler = [0.25, 0.45].flatMap((share) => first.map((colour) => mix(colour, palette.canvas, share)));
  const colours = [palette.neutral, palette.unknown, ...[...first, ...paler].slice(0, differentColours)];
  categoricals.set(palette, colours);
  return colours;
}

function sequential(
  tree: LoadedTree,
  values: Figures['value'],
  steps: StepBounds,
  palette: Palette,
  colours = steps.isDiverging ? throughMiddle(palette.diverging) : sequentialColours(palette),
): ColourScale {
  const indexOf = new Uint8Array(tree.size);
  for (let row = 0; row < tree.size; row++) {
    const value = values[row]!;
    indexOf[row] = Number.isNaN(value) ? unknownIndex : firstIndex + stepOf(value, steps.bounds);
  }
  return { colours: [palette.neutral, palette.unknown, ...colours], indexOf, isSequential: true, steps };
}

function sequentialColours({ sequential: { hue, low, high } }: Palette): string[] {
  return Array.from({ length: stepCount }, (_, i) => withLightness(hue, low + ((high - low) * i) / (stepCount - 1)));
}

function throughMiddle({ low, middle, high }: ThreeColours): string[] {
  const half = (stepCount - 1) / 2;
  return Array.from({ length: stepCount }, (_, i) => mix(middle, i < half ? low : high, Math.abs(i - half) / half));
}
