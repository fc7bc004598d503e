import type { TextQuery } from '../find/text-query.ts';
import { type FigureFor, figuresFor, type Intent, intents } from '../format/figures.ts';
import type { ChangeName } from '../vocabulary/changes.ts';
import { type Level, type MatchMode, type PointLevel, planStatuses } from '../vocabulary/choices.ts';
import { warningKinds } from '../vocabulary/warnings.ts';

/**
 * Selects a part of a tree: the keywords that satisfy every part of the filter, and every branch that contains
 * something selected.
 *
 * A filter is applied to each node that is a keyword or has no children. A group with children stays as long as
 * something in it does. The kept part is rolled up as if the file contained nothing else. The root always stays.
 *
 * - `contains`: the name contains each of these texts; `excludes`: it contains none of them. Case and accents are
 *   folded as in search; a text of several words must match as a whole.
 * - `texts`: the same for texts that match in another way; see `TextQuery`. The name matches those with `isIn`, and none
 *   of the others.
 * - `types`: the node or one of its ancestors has one of these types; the empty one means "no type".
 * - `intents`: the node has one of these.
 * - `categories`: the value of the field is one of these, or, for a set, any member is; the empty one means "unknown".
 * - `ranges`: the value of `of` is known and in the range, both ends included.
 * - `known`: the value is known, whatever it is.
 * - `within`: the node is in one of these branches, given by ID, or is its root; `outside`: it is in none. The ID of a
 *   missing node refers to an empty branch: `within` then keeps nothing, `outside` excludes nothing.
 * - `depth`: levels below the root, both ends included.
 * - `hasChildren`: whether the node has children in the file.
 * - `words`: the number of words in the name, both ends included; see `wordCounts`.
 * - `questions`: the name is a question in one of these languages; see `findQuestions`.
 * - `quick`: at least this volume, and at most this difficulty or a position in reach.
 * - `rising`: at least this volume, and a growth of at least this many percent; see `growthOf`.
 * - `brand`: with `isIn`, the name contains one of the terms as whole words or the file marks the keyword as branded;
 *   otherwise neither.
 * - `plan`: the status of the keyword in the plan is one of these: its own, otherwise that of the nearest branch around it.
 * - `planned`: a field of the keyword's entry in the plan, or else of the nearest planned branch around it, has one of these
 *   values; see {@link PlannedPart}. Each field that is named must.
 * - `changes`: since an earlier upload, the keyword has changed in one of these ways. It is `moved` or `renamed` with the
 *   branches around it, too.
 * - `warnings`: the keyword, or a branch around it, has an open warning of one of these kinds. Warnings are those about
 *   what the parts on keywords keep.
 * - `seen`: identifies the versions of the plan, the dismissed warnings and the earlier upload that these four parts and conditions on
 *   `covered` refer to, so that equal texts mean equal results. Opaque here; empty without such parts.
 * - `branches`: the cluster or pillar of the keyword has a figure in the range; see {@link BranchPart}.
 * - `areas`, `scores`: the keyword, its cluster or its pillar has two figures in an area, or a score in a range; see
 *   {@link AreaPart} and {@link ScorePart}.
 *
 * An empty list has no effect. A field or type that the file does not have matches no keyword.
 */
export type Filter = {
  readonly contains: readonly string[];
  readonly excludes: readonly string[];
  readonly texts: readonly TextPart[];
  readonly types: readonly string[];
  readonly intents: readonly Intent[];
  /** At most one per field. */
  readonly categories: readonly CategoryPart[];
  /** At most one per figure. */
  readonly ranges: readonly RangePart[];
  readonly known: readonly Known[];
  /** 16 hex digits each, as in links. */
  readonly within: readonly string[];
  readonly outside: readonly string[];
  readonly depth: Range | undefined;
  readonly hasChildren: boolean | undefined;
  readonly words: Range | undefined;
  readonly questions: readonly QuestionLanguage[];
  readonly quick: QuickPart | undefined;
  readonly rising: RisingPart | undefined;
  readonly brand: BrandPart | undefined;
  /** At most one per level and figure. */
  readonly branches: readonly BranchPart[];
  readonly areas: readonly AreaPart[];
  /** At most one per level. */
  readonly scores: readonly ScorePart[];
  readonly plan: readonly PlanMark[];
  readonly planned: readonly PlannedPart[];
  readonly changes: readonly ChangeMark[];
  readonly warnings: readonly WarningMark[];
  readonly seen: string;
};

/** The statuses of a plan in their order, then `none` for what is not planned. */
export const planMarks = [...planStatuses, 'none'] as const;
export type PlanMark = (typeof planMarks)[number];
/** The fields of an entry of a plan that a filter can be about: its owner, its type of content, its tags, and the month it is due. */
export const plannedFields = ['owner', 'content', 'tag', 'due'] as const;
/**
 * The empty value means that the field is not set. The value of `due` is a range of months such as `2026-12_2027-02`, both ends included;
 * either end may be missing.
 */
export type PlannedPart = { readonly of: (typeof plannedFields)[number]; readonly value: string };
/** Gone nodes are not in the later upload, so `gone` keeps nothing of it. */
export type ChangeMark = ChangeName;
/** The kinds of warnings that are about nodes. */
export const warningMarkKinds = warningKinds.filter((kind) => kind !== 'unplaced');
export type WarningMark = (typeof warningMarkKinds)[number];

export { type Intent, intents };

/** Figures with a standard column. Every numeric field of the file can be used as well. */
export const filterMetrics = figuresFor('filter');
export type FilterMetric = FigureFor<'filter'>;
export type FilterField = `field:${string}`;
export type Figure = FilterMetric | FilterField;
/** The values that can be required to be known, including fields of any kind. */
export type Known = Figure | 'intent';

/** A missing end is open; at least one end is present. */
export type Range = { readonly from: number | undefined; readonly to: number | undefined };
/**
 * `to` is included unless `isBelow`: the steps of a colour scale share their limits, and each limit belongs to the step that
 * begins with it.
 */
export type StepRange = Range & { readonly isBelow?: true };
export type RangePart = StepRange & { readonly of: Figure };
/** Never a phrase, which is in `contains` or `excludes`. */
export type TextPart = TextQuery & { readonly mode: Exclude<MatchMode, 'phrase'>; readonly isIn: boolean };
type CategoryPart = { readonly field: string; readonly values: readonly string[] };
export type QuickPart = { readonly volume: number; readonly difficulty: number };
export type RisingPart = { readonly percent: number; readonly volume: number };
/** Terms contain no commas. Without terms, only the mark of the file counts. */
export type BrandPart = { readonly isIn: boolean; readonly terms: readonly string[] };

/**
 * A condition on the subtopic, the cluster or the pillar that a keyword is in. Keywords in a branch that fails it are removed, and so
 * are keywords that are in none.
 *
 * A keyword's subtopic and cluster are those of `topics`; its pillar is the child of the root that it is or that contains
 * it. The figures of subtopics are totals over the keywords that all parts on keywords keep; then those of clusters, and then those of pillars,
 * are totals over what is left. Conditions are not applied again: what remains of a branch may no longer satisfy them.
 *
 * Sums and means are those that the explorer shows for a branch. `known.FIGURE` is its known share in percent. `covered` is
 * the share of it that has a page according to the plan, in percent; see `coveredShares`.
 */
export type BranchPart = Range & { readonly level: BranchLevel; readonly of: BranchFigure };
export const branchLevels = ['subtopic', 'cluster', 'pillar'] as const;
export type BranchLevel = (typeof branchLevels)[number];

/** The level of conditions on the rows of a level; undefined for levels that have none, such as keywords. */
export const branchLevelOf = (level: PointLevel): BranchLevel | undefined =>
  branchLevels.find((one) => `${one}s` === level);
export const branchFigures = [
  'volume',
  'keywords',
  'difficulty',
  'cpc',
  'known.difficulty',
  'known.cpc',
  'covered',
] as const;
export type BranchFigure = (typeof branchFigures)[number];

/** Whether a figure is stated in percent. */
export const isShare = (of: BranchFigure): boolean => of === 'covered' || of.startsWith('known.');

/** A level, or the children of the branch with a node ID, as in `children.0123456789abcdef`. */
export type AreaLevel = Level | `children.${string}`;
/** The node ID of the branch; undefined for a level. */
export const parentIn = (level: AreaLevel): string | undefined => /^children\.(.*)$/s.exec(level)?.[1];

/** The node IDs of all branches that a filter names. */
export const placesIn = ({ within, outside, areas }: Pick<Filter, 'within' | 'outside' | 'areas'>): string[] => [
  ...within,
  ...outside,
  ...areas.flatMap(({ level }) => parentIn(level) ?? []),
];

/**
 * Two figures of a keyword, of its cluster or its pillar, or of the child of a branch that it is in, as a point in an area
 * that was drawn in the Opportunity chart. Figures are named like keys of a sort. A point on the edge is in the area; an
 * unknown figure is in none.
 *
 * Such parts are applied after all others: those on keywords, then on subtopics, clusters and pillars, then on children. Each of these levels
 * sees the totals over what the earlier ones left. Only keywords are kept.
 */
export type AreaPart = {
  readonly level: AreaLevel;
  readonly x: string;
  readonly y: string;
  /** Whether the edges are straight on a logarithmic axis, which shows the logarithm of the value plus 1. */
  readonly isLog: { readonly x: boolean; readonly y: boolean };
  /** Pairs of values of the two figures, 3 to {@link maxCorners}; the last corner is joined to the first. */
  readonly corners: readonly (readonly [x: number, y: number])[];
};
export const maxCorners = 24;

/** A range for a score of a keyword, its subtopic, cluster or pillar. Applied together with the areas of its level. @see pack/score */
export type ScorePart = Range & { readonly level: Level; readonly score: string };

export const noFilter: Filter = {
  contains: [],
  excludes: [],
  texts: [],
  types: [],
  intents: [],
  categories: [],
  ranges: [],
  known: [],
  within: [],
  outside: [],
  depth: undefined,
  hasChildren: undefined,
  words: undefined,
  questions: [],
  quick: undefined,
  rising: undefined,
  brand: undefined,
  branches: [],
  areas: [],
  scores: [],
  plan: [],
  changes: [],
  planned: [],
  warnings: [],
  seen: '',
};

/** The languages whose questions are recognised, as two-letter codes. */
export const questionLanguages = [
  'de',
  'en',
  'es',
  'fr',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'vi',
  'zh',
] as const;
export type QuestionLanguage = (typeof questionLanguages)[number];

/** The field in which a file marks branded keywords: a category of yes and no, or 1 and 0. */
export function brandField<F extends { readonly name: string; readonly kind: string }>(
  fields: readonly F[],
): F | undefined {
  return fields.find(({ name, kind }) => kind !== 'set' && /^(?:is[\s_-]*)?branded$/iu.test(name.trim()));
}
