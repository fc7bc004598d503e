import type { BranchColumn } from './pack-format.ts';

/** Where a figure may be used: as a key of a sort, of a ranking of children, on an axis, in a range of a filter, and so on. */
type FigureUse =
  | 'sort'
  /** Siblings can be put in its order. */
  | 'rank'
  /** A filter can have a range of it, a formula can name it, and every table that is exported has it. */
  | 'filter'
  /** Slices and sorts call it a field, and include it only on request. */
  | 'field'
  /** Its known share can be sorted by, and a page of a list includes it. */
  | 'share';

type FigureFacts = {
  readonly name: string;
  /**
   * Where the values of single nodes are, NaN or no bit for unknown, in the column `own_` and this name; absent for what is
   * counted or not in the file.
   */
  readonly own?: 'volume' | 'difficulty' | 'cpc' | 'competition' | 'position' | 'intent';
  /** How a branch gets its value from its distinct keywords, which is in the column of the figure's name. */
  readonly statistic: 'count' | 'sum' | 'mean' | 'mean by volume' | 'own';
  /** Less of it is better. */
  readonly isCost?: true;
  readonly uses: readonly FigureUse[];
};

/**
 * Every figure with standard columns. What can be done with it follows from here; the numeric fields of a file, scores and
 * peak months come in addition, under names that begin with `field:`. The order is that of tables and canonical texts.
 */
export const figures = {
  keywords: { name: 'Keywords', statistic: 'count', uses: ['sort', 'rank'] },
  volume: { name: 'Volume', own: 'volume', statistic: 'sum', uses: ['sort', 'rank', 'filter'] },
  difficulty: {
    name: 'Difficulty',
    own: 'difficulty',
    statistic: 'mean',
    isCost: true,
    uses: ['sort', 'rank', 'filter', 'share'],
  },
  difficulty_weighted: {
    name: 'Difficulty by volume',
    own: 'difficulty',
    statistic: 'mean by volume',
    uses: ['sort'],
  },
  cpc: { name: 'CPC', own: 'cpc', statistic: 'mean', uses: ['sort', 'rank', 'filter', 'share'] },
  competition: {
    name: 'Competition',
    own: 'competition',
    statistic: 'mean',
    isCost: true,
    uses: ['field', 'filter', 'share'],
  },
  position: { name: 'Position', own: 'position', statistic: 'mean', uses: ['field', 'filter', 'share'] },
  intent: { name: 'Intent', own: 'intent', statistic: 'count', uses: ['share'] },
  depth: { name: 'Level', statistic: 'own', uses: ['sort'] },
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

/** The figure that a branch column has the numbers of known values of. */
const knownColumns = new Map<BranchColumn, FigureFor<'filter'>>(
  figuresFor('filter').map((name) => [`${name}_known`, name]),
);
export const figureOfKnown = (column: BranchColumn): FigureFor<'filter'> | undefined => knownColumns.get(column);
/** The number of the intent that a branch column counts; -1 for none. */
export const intentIn = (column: BranchColumn): number => (intents as readonly BranchColumn[]).indexOf(column);
