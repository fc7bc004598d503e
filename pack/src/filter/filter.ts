/**
 * What is to be kept of a tree: the keywords for which every part holds, and every branch in which something is kept.
 *
 * A filter is asked of each node that is a keyword or has no children; never of a group with children, which stays as
 * long as something in it does. What is kept is rolled up as if the file held nothing else. The root always stays.
 *
 * - `contains`: each of these texts stands in the name, `excludes`: none does. Case and accents folded as in search;
 *   a text of several words is looked for as it stands.
 * - `types`: the node, or a branch that it stands in, has one of these types; the empty one is "no type".
 * - `intents`: it has one of these.
 * - `categories`: its value of the field is one of these, or of a set any member is; the empty one is "unknown".
 * - `ranges`: its value is known and lies there, both ends included.
 * - `known`: its value is known, whatever it is.
 * - `within`: it stands in one of these branches, by their addresses, or is one; `outside`: in none. An address that no node
 *   has is of an empty branch: what is within keeps nothing then, what is outside leaves nothing out.
 * - `depth`: levels below the root, both ends included.
 * - `hasChildren`: it has children in the file, or has none.
 *
 * An empty list asks for nothing, and a field or type that the file does not have is had by no keyword.
 */
export type Filter = {
  readonly contains: readonly string[];
  readonly excludes: readonly string[];
  readonly types: readonly string[];
  readonly intents: readonly Intent[];
  /** One for a field at most. */
  readonly categories: readonly CategoryPart[];
  /** One for a figure at most. */
  readonly ranges: readonly RangePart[];
  readonly known: readonly Known[];
  /** 16 hex digits each, as links have them. */
  readonly within: readonly string[];
  readonly outside: readonly string[];
  readonly depth: Range | undefined;
  readonly hasChildren: boolean | undefined;
};

/** The order of the bits of a pack's `own_intent`. */
export const intents = ['informational', 'navigational', 'commercial', 'transactional'] as const;
export type Intent = (typeof intents)[number];

/** Figures that have a column of their own; every numeric field of the file comes on top. */
export const filterMetrics = ['volume', 'difficulty', 'cpc', 'competition', 'position'] as const;
export type FilterMetric = (typeof filterMetrics)[number];
export type FilterField = `field:${string}`;
export type Figure = FilterMetric | FilterField;
/** What can be demanded to be known; a field may be of any kind. */
export type Known = Figure | 'intent';

/** An end that is not there is open; one of the two is there. */
export type Range = { readonly from: number | undefined; readonly to: number | undefined };
export type RangePart = Range & { readonly of: Figure };
export type CategoryPart = { readonly field: string; readonly values: readonly string[] };

export const noFilter: Filter = {
  contains: [],
  excludes: [],
  types: [],
  intents: [],
  categories: [],
  ranges: [],
  known: [],
  within: [],
  outside: [],
  depth: undefined,
  hasChildren: undefined,
};
