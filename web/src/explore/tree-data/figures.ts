import type { LoadedTree } from './loaded-tree.ts';

/** A field of the file, by its name there. */
export type FieldKey = `field:${string}`;

/** A figure that every node may have: what sizes, colours and axes can go by. */
export type Metric = 'keywords' | 'volume' | 'difficulty' | 'cpc' | FieldKey;

/** The figures of the held rows. Columns may be longer than the tree. */
export type Figures = {
  /** NaN where none is known. */
  readonly value: Uint32Array | Float32Array | Float64Array;
  /** Keywords of the branch of which it is known; undefined for their count itself. */
  readonly known: Uint32Array | undefined;
  /** What a branch has: how many keywords, or what the known values of its keywords add up to or are on average. */
  readonly rollUp: 'count' | 'sum' | 'mean';
};

const prefix = 'field:';

export const isFieldKey = (key: string): key is FieldKey => key.startsWith(prefix);
export const fieldKey = (name: string): FieldKey => `${prefix}${name}`;
export const fieldName = (key: FieldKey): string => key.slice(prefix.length);

/** Undefined for a field that is a category, or that some of the held rows do not have yet. */
export function figuresOf(tree: LoadedTree, metric: Metric): Figures | undefined {
  switch (metric) {
    case 'keywords':
      return { value: tree.keywords, known: undefined, rollUp: 'count' };
    case 'volume':
      return { value: tree.volume, known: tree.volumeKnown, rollUp: 'sum' };
    case 'difficulty':
      return { value: tree.difficulty, known: tree.difficultyKnown, rollUp: 'mean' };
    case 'cpc':
      return { value: tree.cpc, known: tree.cpcKnown, rollUp: 'mean' };
    default: {
      const field = tree.field(fieldName(metric));
      return field?.kind === 'number' && tree.isWhole(field.name) ? field : undefined;
    }
  }
}

/**
 * Whether a figure is known of any keyword of the whole visualization, whatever the filter. One that is not has no place in
 * tables, panels and menus. Fields of the file are listed only when they have values, so they always are.
 */
export function isKnownAnywhere({ wholeKnown }: LoadedTree, key: Metric | 'intent'): boolean {
  return isBuiltIn(key) ? wholeKnown[key] > 0 : true;
}

const isBuiltIn = (key: string): key is keyof LoadedTree['wholeKnown'] =>
  key === 'volume' || key === 'difficulty' || key === 'cpc' || key === 'intent';

const names: Readonly<Record<string, string>> = {
  keywords: 'Keywords',
  volume: 'Volume',
  difficulty: 'Difficulty',
  cpc: 'CPC',
  'field:competition': 'Competition',
  'field:position': 'Position',
  'field:serp_features': 'SERP features',
};

/** What a metric or a field is called: a field of the file as the file calls it. */
export const figureName = (key: Metric): string => names[key] ?? fieldName(key as FieldKey);

/** The same within a sentence. */
export function figureWord(key: Metric): string {
  const name = figureName(key);
  return key in names && key !== 'cpc' ? name.toLowerCase() : name;
}
