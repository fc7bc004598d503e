import { type DraftStage, draftStages } from './draft.ts';

/** Milliseconds per keyword that each stage takes on one server. */
export type StageRates = Readonly<Record<DraftStage, number>>;

/** The rates of a server that has not clustered anything yet: twice what was measured with 100,000 keywords. */
export const firstRates: StageRates = {
  read: 0.02,
  variants: 0.03,
  meaning: 0.6,
  neighbours: 0.45,
  clusters: 0.06,
  names: 0.02,
  write: 0.03,
};

/** The rates are the mean of this many runs, the last ones. */
export const countedRuns = 20;
/** Runs with fewer keywords are not remembered: they measure how long a process takes to start. */
export const minRunKeywords = 1_000;

/** How long each stage of one run took, in milliseconds. A list with groups of its own skips most stages. */
export type ClusteringTimes = {
  readonly keywords: number;
  readonly stages: Readonly<Partial<Record<DraftStage, number>>>;
};

/** The mean rates of some runs, weighted by their keywords; for a stage that none of them had, the {@link firstRates}. */
export function ratesOf(runs: readonly ClusteringTimes[]): StageRates {
  const rate = (stage: DraftStage): number => {
    const had = runs.filter(({ stages }) => stages[stage] !== undefined);
    const keywords = had.reduce((sum, run) => sum + run.keywords, 0);
    return keywords === 0 ? firstRates[stage] : had.reduce((sum, { stages }) => sum + stages[stage]!, 0) / keywords;
  };
  return Object.fromEntries(draftStages.map((stage) => [stage, rate(stage)])) as StageRates;
}

/** The stages of a list that brings all its groups: it needs no language model. */
const withoutModel: readonly DraftStage[] = ['read', 'variants', 'write'];

/** About how many seconds a list takes, rounded as {@link inSteps} does. @param isGrouped whether it brings all its groups */
export function secondsFor(rates: StageRates, keywords: number, isGrouped = false): number {
  const stages = isGrouped ? withoutModel : draftStages;
  return inSteps(stages.reduce((sum, stage) => sum + rates[stage], 0) * keywords);
}

/** How far the clustering of a list is. */
export type ClusteringPlace = {
  readonly stage: DraftStage;
  /** The share of the stage that is done, 0 to 1; undefined for a stage that does not report it. */
  readonly share: number | undefined;
  /** Milliseconds since clustering began, and since the stage did. */
  readonly elapsedMs: number;
  readonly stageMs: number;
  /** Undefined until it is known that they have to be clustered: lists with all their groups skip most stages. */
  readonly keywords: number | undefined;
};

const minElapsedMs = 3_000;
/** A stage that reports its share is estimated by its own speed once it has done this much. */
const minShare = 0.05;
/** A stage that has taken longer than this multiple of its expected time has no estimate any more. */
const maxOverrun = 1.5;

/**
 * About how many seconds clustering still takes, rounded as {@link inSteps} does.
 *
 * @returns `undefined` in the first seconds, before the keywords are counted, and for a stage that takes far too long
 */
export function clusteringSecondsLeft(rates: StageRates, place: ClusteringPlace): number | undefined {
  const { stage, share, elapsedMs, stageMs, keywords } = place;
  if (elapsedMs < minElapsedMs || keywords === undefined) return undefined;
  const later = draftStages.slice(draftStages.indexOf(stage) + 1).reduce((sum, next) => sum + rates[next], 0);
  const expected = rates[stage] * keywords;
  if (share !== undefined && share >= minShare) return inSteps((stageMs / share) * (1 - share) + later * keywords);
  if (stageMs > maxOverrun * expected) return undefined;
  return inSteps(Math.max(0, expected - stageMs) + later * keywords);
}

/**
 * The share of clustering that is done, 0 to 1. Each stage has the share of the time that it took in the last runs. A stage that does not
 * report its share advances with time, ever more slowly, and reaches its end only when the next stage begins.
 */
export function clusteredShare(
  rates: StageRates,
  { stage, share, stageMs, keywords }: Omit<ClusteringPlace, 'elapsedMs'>,
): number {
  const all = draftStages.reduce((sum, one) => sum + rates[one], 0);
  const earlier = draftStages.slice(0, draftStages.indexOf(stage)).reduce((sum, one) => sum + rates[one], 0);
  const expected = rates[stage] * (keywords ?? 0);
  const byTime = expected > 0 ? 1 - Math.exp(-stageMs / expected) : 0;
  return all === 0 ? 0 : (earlier + rates[stage] * Math.min(1, Math.max(0, share ?? byTime))) / all;
}

/** Rounds milliseconds to steps of 5 seconds below a minute and of 60 above, because estimates are no more exact. @returns seconds, at least 5 */
function inSteps(ms: number): number {
  const seconds = ms / 1_000;
  const step = seconds < 57.5 ? 5 : 60;
  return Math.max(5, Math.round(seconds / step) * step);
}
