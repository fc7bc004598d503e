import type { BranchColumn, OptionalColumn } from './pack-format.ts';

/** Where a figure may be used: as a key of a sort, of a ranking of children, on an axis, in a range of a filter, and so on. */
export type FigureUse =
  | 'sort'
  /** Siblings can be put in its order. */
  | 'rank'
  /** A filter can have a range of it, a formula can name it, and every table that is exported has it. */
  | 'filter'
  /** Slices and sorts call it a field, and include it only on request. */
  | 'field'
  /** Its known share can be sorted by, and a page of a list includes it. */
  | 'share';

export type FigureFacts = {
  readonly name: string;
  /** Its values of single nodes: NaN, or no bit for intents, where it is unknown. Absent for what is counted. */
  readonly own?: OptionalColumn;
  /** Its value by branch; for how many distinct keywords of a branch it is known. */
  readonly ofBranch?: BranchColumn;
  readonly known?: BranchColumn;
  /** How a branch gets its value from its distinct keywords. */
  readonly statistic: 'count' | 'sum' | 'mean' | 'mean by volume' | 'own';
  readonly unit: 'keywords' | 'searches' | 'points' | 'money' | 'share' | 'rank' | 'levels';
  /** Less of it is better. */
  readonly isCost?: true;
  readonly uses: readonly FigureUse[];
};

/**
 * Every figure with standard columns. What can be done with it follows from here; the numeric fields of a file, scores and
 * peak months come in addition, under names that begin with `field:`. The order is that of tables and canonical texts.
 */
export const figures = {
  keywords: {
    name: 'Keywords',
    ofBranch: 'keywords',
    known: 'keywords',
    statistic: 'count',
    unit: 'keywords',
    uses: ['sort', 'rank'],
  },
  volume: {
    name: 'Volume',
    own: 'own_volume',
    ofBranch: 'volume',
    known: 'volume_known',
    statistic: 'sum',
    unit: 'searches',
    uses: ['sort', 'rank', 'filter'],
  },
  difficulty: {
    name: 'Difficulty',
    own: 'own_difficulty',
    ofBranch: 'difficulty',
    known: 'difficulty_known',
    statistic: 'mean',
    unit: 'points',
    isCost: true,
    uses: ['sort', 'rank', 'filter', 'share'],
  },
  difficulty_weighted: {
    name: 'Difficulty by volume',
    own: 'own_difficulty',
    ofBranch: 'difficulty_weighted',
    statistic: 'mean by volume',
    unit: 'points',
    uses: ['sort'],
  },
  cpc: {
    name: 'CPC',
    own: 'own_cpc',
    ofBranch: 'cpc',
    known: 'cpc_known',
    statistic: 'mean',
    unit: 'money',
    uses: ['sort', 'rank', 'filter', 'share'],
  },
  competition: {
    name: 'Competition',
    own: 'own_competition',
    ofBranch: 'competition',
    known: 'competition_known',
    statistic: 'mean',
    unit: 'share',
    isCost: true,
    uses: ['field', 'filter', 'share'],
  },
  position: {
    name: 'Position',
    own: 'own_position',
    ofBranch: 'position',
    known: 'position_known',
    statistic: 'mean',
    unit: 'rank',
    uses: ['field', 'filter', 'share'],
  },
  intent: {
    name: 'Intent',
    own: 'own_intent',
    known: 'intent_known',
    statistic: 'count',
    unit: 'keywords',
    uses: ['share'],
  },
  depth: { name: 'Level', statistic: 'own', unit: 'levels', uses: ['sort'] },
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

const byColumn = (of: 'ofBranch' | 'known') =>
  new Map<BranchColumn, FigureFor<'filter'>>(figuresFor('filter').map((name) => [figures[name][of], name]));

/** By branch column, the figure that it has the values of, and the one that it has the numbers of known values of. */
export const figureOfValues: ReadonlyMap<BranchColumn, FigureFor<'filter'>> = byColumn('ofBranch');
export const figureOfKnown: ReadonlyMap<BranchColumn, FigureFor<'filter'>> = byColumn('known');
/** The number of the intent that a branch column counts; -1 for none. */
export const intentIn = (column: BranchColumn): number => (intents as readonly BranchColumn[]).indexOf(column);
