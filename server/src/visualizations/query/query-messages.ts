import type { PackCounts } from './open-packs.ts';
import type { PackQueries } from './pack-queries.ts';

export type Question = Exclude<keyof PackQueries, 'close'>;
/** The argument of a query, with its signal, which cannot be sent to another thread. */
export type QueryParams<Q extends Question> = Parameters<PackQueries[Q]>[0] & {
  readonly signal?: AbortSignal | undefined;
};
export type Answer<Q extends Question> = Awaited<ReturnType<PackQueries[Q]>>;

/** All queries. The compiler reports one that is missing here. */
export const questions = Object.keys({
  slice: true,
  rows: true,
  points: true,
  density: true,
  selectionTotals: true,
  fields: true,
  node: true,
  keywords: true,
  members: true,
  notInHierarchy: true,
  notInHierarchyKeyword: true,
  locate: true,
  placesTo: true,
  search: true,
  patternProblem: true,
  keptPath: true,
  histogram: true,
  checkScore: true,
  changes: true,
  change: true,
  beginExport: true,
  beginHandover: true,
  nextPart: true,
  endExport: true,
  planFacts: true,
  movedKeywords: true,
  planPlaces: true,
  planTotals: true,
  planFigures: true,
  planLinks: true,
  planSuggestions: true,
  changedEntries: true,
  warningSummary: true,
  warningPage: true,
  nodeWarnings: true,
  warningMarks: true,
  nodePath: true,
  hasMarks: true,
  keepMarks: true,
} satisfies Record<Question, true>) as readonly Question[];

/** A clock that the threads of a process share, in milliseconds. */
export const sharedClock = (): number => performance.timeOrigin + performance.now();

/** A call of {@link PackQueries}, on its way into the thread. */
export type QueryCall =
  /** `sentAt`: milliseconds since 1970, with fractions. */
  | { readonly call: number; readonly question: Question; readonly params: object; readonly sentAt: number }
  /** The client that made this call has disconnected. */
  | { readonly abort: number };

/** The response to a call, which had waited for so many milliseconds when the thread began with it; or a notification. */
export type QueryAnswer =
  | ({ readonly call: number; readonly waited: number } & QueryOutcome)
  /** A pack was opened or closed. */
  | { readonly packs: PackCounts };

export type QueryOutcome =
  | { readonly value: unknown }
  /** The key of a stored object that a record refers to and that does not exist. */
  | { readonly missing: string }
  /** The key of marks that the query names and that are not there. */
  | { readonly noMarks: string }
  /** Why the storage could not be reached. */
  | { readonly unavailable: string }
  | { readonly error: Error };
