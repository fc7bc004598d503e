import type { BranchColumn } from './pack-format.ts';

/** Where a figure may be used. */
type FigureUse =
  /** As a key that rows are sorted by, as an axis of a plot, or as the size of its points. */
  | 'sort'
  /** To order siblings. */
  | 'rank'
  /** As a range of a filter, as a name in a formula, and as a column of every exported table. */
  | 'filter'
  /** Slices and sorts treat it like a field of the file: its name begins with `field:`, and slices include it only on request. */
  | 'field'
  /** Rows can be sorted by its known share, which pages of lists include. */
  | 'share';

type FigureFacts = {
  readonly name: string;
  /**
   * Nodes' own values are in the column `own_` plus this name; unknown is NaN, for the intent no bit. Absent for figures that are counted or
   * follow from the tree.
   */
  readonly own?: 'volume' | 'difficulty' | 'cpc' | 'competition' | 'position' | 'intent';
  /** Lower values are better. */
  readonly isCost?: true;
  readonly uses: readonly FigureUse[];
};

/**
 * Every figure with standard columns. The numeric fields of a file, scores and peak months come in addition, under names that begin with
 * `field:`. Tables and canonical texts keep this order.
 */
export const figures = {
  keywords: { name: 'Keywords', uses: ['sort', 'rank'] },
  volume: { name: 'Volume', own: 'volume', uses: ['sort', 'rank', 'filter'] },
  difficulty: { name: 'Difficulty', own: 'difficulty', isCost: true, uses: ['sort', 'rank', 'filter', 'share'] },
  difficulty_weighted: { name: 'Difficulty by volume', own: 'difficulty', uses: ['sort'] },
  cpc: { name: 'CPC', own: 'cpc', uses: ['sort', 'rank', 'filter', 'share'] },
  competition: { name: 'Competition', own: 'competition', isCost: true, uses: ['field', 'filter', 'share'] },
  position: { name: 'Position', own: 'position', uses: ['field', 'filter', 'share'] },
  intent: { name: 'Intent', own: 'intent', uses: ['share'] },
  depth: { name: 'Level', uses: ['sort'] },
} as const satisfies Readonly<Record<string, FigureFacts>>;

export type Figure = keyof typeof figures;
export type FigureFor<U extends FigureUse> = {
  [F in Figure]: U extends (typeof figures)[F]['uses'][number] ? F : never;
}[Figure];

/** The figures with a use, in their order. */
export const figuresFor = <U extends FigureUse>(use: U): readonly FigureFor<U>[] =>
  (Object.keys(figures) as Figure[]).filter((name): name is FigureFor<U> =>
    (figures[name].uses as readonly FigureUse[]).includes(use),
  );

/** In the order of the bits of `own_intent`; each is also a branch column, which counts the keywords that have it. */
export const intents = ['informational', 'navigational', 'commercial', 'transactional'] as const;
export type Intent = (typeof intents)[number];

/** For each branch column that counts known values, the figure that they are values of. */
const knownColumns = new Map<BranchColumn, FigureFor<'filter'>>(
  figuresFor('filter').map((name) => [`${name}_known`, name]),
);
export const figureOfKnown = (column: BranchColumn): FigureFor<'filter'> | undefined => knownColumns.get(column);
/** The number of the intent that a branch column counts; -1 for none. */
export const intentIn = (column: BranchColumn): number => (intents as readonly BranchColumn[]).indexOf(column);
