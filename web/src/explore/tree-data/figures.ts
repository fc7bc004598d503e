import { scoreTextIn } from '@kc/pack/score/score-name';
import { seasonOfField } from '@kc/pack/season/season-name';
import type { NumberField } from '@kc/pack/slice/slice';
import type { LoadedTree } from './loaded-tree.ts';

/** A field of the file, by its name in the file. */
export type FieldKey = `field:${string}`;

/** A figure that every node may have, for size, colour and axes. */
export type Metric = 'keywords' | 'volume' | 'difficulty' | 'cpc' | FieldKey;

/** The figures of the loaded rows. Columns may be longer than the tree. */
export type Figures = {
  /** NaN if unknown. */
  readonly value: Uint32Array | Float32Array | Float64Array;
  /** Number of keywords of the branch for which it is known; undefined for the number of keywords itself. */
  readonly known: Uint32Array | undefined;
  /** How a branch gets its figure: the number of keywords, the sum or mean of their known values, or its own first. */
  readonly rollUp: 'count' | NumberField['rollUp'];
};

const prefix = 'field:';

export const isFieldKey = (key: string): key is FieldKey => key.startsWith(prefix);
export const fieldKey = (name: string): FieldKey => `${prefix}${name}`;
export const fieldName = (key: FieldKey): string => key.slice(prefix.length);

/** Undefined for a category field, or if some loaded rows do not have the field yet. */
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
 * Whether a figure is known for any keyword of the whole visualization, regardless of the filter. If not, tables,
 * panels and menus omit it. Fields of the file are listed only if they have values, so for them it is always true.
 */
export function isKnownAnywhere({ wholeKnown }: LoadedTree, key: Metric | 'intent'): boolean {
  return isBuiltIn(key) ? wholeKnown[key] > 0 : true;
}

const isBuiltIn = (key: string): key is keyof LoadedTree['wholeKnown'] =>
  key === 'volume' || key === 'difficulty' || key === 'cpc' || key === 'intent';

/** Whether this is the score that the user defines by a formula, which is loaded like a field. */
export const isScoreKey = (key: string): boolean => isFieldKey(key) && scoreTextIn(fieldName(key)) !== undefined;

/** Whether this is the month of the most searches, which is loaded like a category of the file. */
export const isSeasonKey = (key: string): boolean => isFieldKey(key) && seasonOfField(fieldName(key)) !== undefined;
