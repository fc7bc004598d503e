import type { HeldTree } from '../store/held-tree.ts';
import { mix, withLightness } from './colour.ts';
import type { ColourBy, Theme } from './paint.ts';
import { type Palette, palettes } from './palettes.ts';

/**
 * Which colour each row has, as an index into `colours`. Index 0 is for nodes that the scale says nothing of (the root,
 * between pillars); index 1 is for unknown values, which are hatched.
 */
export type ColourScale = {
  readonly colours: readonly string[];
  /** By row. */
  readonly indexOf: Uint8Array;
  /** Whether the colours stand for amounts: such marks keep them at full strength, and groups stay neutral. */
  readonly isSequential: boolean;
  /** Bounds between the steps of a sequential scale, ascending; one fewer than there are steps. */
  readonly bounds: readonly number[];
};

export const neutralIndex = 0;
export const unknownIndex = 1;
const firstIndex = 2;
/** Steps of the sequential scale. Source: design §1.3. */
export const sequentialSteps = 7;
/** Pillars with a colour of their own; later ones begin again. */
const pillarColours = 48;

const scales = new WeakMap<HeldTree, { key: string; scale: ColourScale }>();

/** Computed once for each version of a tree. */
export function colourScale(tree: HeldTree, colourBy: ColourBy, theme: Theme): ColourScale {
  const key = `${tree.version} ${colourBy} ${theme}`;
  const known = scales.get(tree);
  if (known?.key === key) return known.scale;
  const scale = makeScale(tree, colourBy, palettes[theme]);
  scales.set(tree, { key, scale });
  return scale;
}

function makeScale(tree: HeldTree, colourBy: ColourBy, palette: Palette): ColourScale {
  if (colourBy === 'difficulty') return sequential(tree, tree.difficulty, difficultyBounds, palette);
  if (colourBy === 'volume') return sequential(tree, tree.volume, magnitudeBounds(tree.volume, tree.size), palette);
  if (colourBy === 'cpc') return sequential(tree, tree.cpc, magnitudeBounds(tree.cpc, tree.size), palette);
  const category = categories[colourBy];
  const indexOf = new Uint8Array(tree.size);
  let last = firstIndex;
  for (let row = 0; row < tree.size; row++) {
    indexOf[row] = category(tree, row);
    last = Math.max(last, indexOf[row]!);
  }
  // Every colour has a dozen tones to be mixed: those that nothing wears are left out.
  const colours = categoricalColours(palette).slice(0, last + 1);
  return { colours, indexOf, isSequential: false, bounds: [] };
}

const categories: Readonly<Record<'pillar' | 'depth' | 'type' | 'intent', (tree: HeldTree, row: number) => number>> = {
  // Pillars are the first rows of the pack, the biggest first, so the colour never jumps as more is held.
  pillar: (tree, row) => {
    const pillar = tree.pillarOf(row);
    return pillar === -1 ? neutralIndex : firstIndex + ((tree.node[pillar]! - 1) % pillarColours);
  },
  depth: (tree, row) => (tree.depth[row] === 0 ? neutralIndex : firstIndex + ((tree.depth[row]! - 1) % pillarColours)),
  type: (tree, row) => firstIndex + (tree.type[row]! % pillarColours),
  intent: (tree, row) => {
    const intent = mainIntent(tree, row);
    return intent === -1 ? unknownIndex : firstIndex + intent;
  },
};

/** The intent of most keywords of a branch, in the order of `intentNames`; -1 when none is known. */
export function mainIntent(tree: HeldTree, row: number): number {
  let main = -1;
  let most = 0;
  for (let i = 0; i < intentNames.length; i++) {
    const count = tree.intent[row * 4 + i]!;
    if (count > most) [main, most] = [i, count];
  }
  return main;
}

export const intentNames = ['Informational', 'Navigational', 'Commercial', 'Transactional'] as const;

/** The 12 of the palette, then the colours between neighbours, then the same a little nearer to the canvas. */
function categoricalColours(palette: Palette): readonly string[] {
  const twelve = palette.categories;
  const between = twelve.map((colour, i) => mix(colour, twelve[(i + 1) % twelve.length]!, 0.5));
  const first = [...twelve, ...between];
  const paler = first.map((colour) => mix(colour, palette.canvas, 0.25));
  return [palette.neutral, palette.unknown, ...first, ...paler];
}

function sequential(
  tree: HeldTree,
  values: Float32Array | Float64Array,
  bounds: readonly number[],
  palette: Palette,
): ColourScale {
  const { hue, low, high } = palette.sequential;
  const steps = Array.from({ length: sequentialSteps }, (_, i) =>
    withLightness(hue, low + ((high - low) * i) / (sequentialSteps - 1)),
  );
  const indexOf = new Uint8Array(tree.size);
  for (let row = 0; row < tree.size; row++) {
    const value = values[row]!;
    indexOf[row] = Number.isNaN(value) ? unknownIndex : firstIndex + stepOf(value, bounds);
  }
  return { colours: [palette.neutral, palette.unknown, ...steps], indexOf, isSequential: true, bounds };
}

/** The number of bounds that a value reaches. */
export function stepOf(value: number, bounds: readonly number[]): number {
  let step = 0;
  while (step < bounds.length && value >= bounds[step]!) step++;
  return step;
}

/** Difficulty runs from 0 to 100 in the tools that measure it. */
const difficultyBounds = [15, 30, 45, 60, 75, 90];

/**
 * Bounds for amounts without an upper end: even steps of their order of magnitude, from the smallest to the biggest
 * known one above 0.
 */
function magnitudeBounds(values: Float32Array | Float64Array, size: number): readonly number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let row = 0; row < size; row++) {
    const value = values[row]!;
    if (value > 0 && value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return [];
  return Array.from({ length: sequentialSteps - 1 }, (_, i) => low * (high / low) ** ((i + 1) / sequentialSteps));
}
