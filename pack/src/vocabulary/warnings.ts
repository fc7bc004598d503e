/**
 * What can be wrong with a hierarchy, in the order of explanation.
 *
 * - `mixed`: a cluster whose keywords have no common intent.
 * - `url-clusters`: one URL that ranks for several clusters.
 * - `cluster-urls`: several URLs that rank for one cluster, or for one of its keywords.
 * - `results-apart`: a cluster whose keywords search engines answer with different pages.
 * - `results-alike`: two clusters that they answer with the same pages.
 * - `oversized`, `single`: a cluster with too many keywords, or with exactly one.
 * - `repeated`: a keyword that is in several clusters.
 * - `unplaced`: keywords that no node names.
 * - `unknown`: a cluster whose volume or difficulty is mostly unknown.
 */
export const warningKinds = [
  'mixed',
  'url-clusters',
  'cluster-urls',
  'results-apart',
  'results-alike',
  'oversized',
  'single',
  'repeated',
  'unplaced',
  'unknown',
] as const;
export type WarningKind = (typeof warningKinds)[number];

/** The limits from which on something is a warning. Shares are in percent. */
export type WarningThresholds = {
  /** A cluster with fewer keywords whose intent is known is never `mixed`. */
  readonly mixedKeywords: number;
  /** A cluster is `mixed` if no intent has at least this share. */
  readonly mixedShare: number;
  /** A URL counts as ranking for a keyword up to this position. */
  readonly position: number;
  /** A URL counts as ranking for a cluster if it ranks for at least this many of its keywords; at least 2. */
  readonly urlKeywords: number;
  /** A second URL counts if it ranks for at least this share of the cluster's keywords that have a URL. */
  readonly secondShare: number;
  /** Two keywords are answered alike if they share at least this many of their first ten search results. */
  readonly sharedUrls: number;
  /** A cluster is oversized above this number of keywords. */
  readonly oversized: number;
  /** A figure is mostly unknown below this known share. */
  readonly unknownShare: number;
};

export const defaultThresholds: WarningThresholds = {
  mixedKeywords: 5,
  mixedShare: 60,
  position: 20,
  urlKeywords: 2,
  secondShare: 20,
  sharedUrls: 3,
  oversized: 500,
  unknownShare: 20,
};

/** Why a file has no warnings of a kind: the data that it lacks. */
export const warningGaps = ['no-intent', 'no-urls', 'no-positions', 'no-results', 'no-figures'] as const;
export type WarningGap = (typeof warningGaps)[number];
