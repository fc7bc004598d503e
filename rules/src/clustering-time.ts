import { type DraftStage, draftStages } from './draft.ts';

/** Milliseconds that each stage takes for a keyword, on one server. */
export type StageRates = Readonly<Record<DraftStage, number>>;

/** Until a server has clustered something: twice what was measured with 100,000 keywords. */
export const firstRates: StageRates = {
  read: 0.02,
  variants: 0.03,
  meaning: 0.6,
  neighbours: 0.45,
  clusters: 0.06,
  names: 0.02,
  write: 0.03,
};

/** How many of the last runs count. */
export const countedRuns = 20;
/** Shorter lists say how long a process takes to start, and little about keywords. */
export const minRunKeywords = 1_000;

/** What one run took: milliseconds by stage. A list with groups of its own has few stages. */
export type ClusteringTimes = {
  readonly keywords: number;
  readonly stages: Readonly<Partial<Record<DraftStage, number>>>;
};

/** The mean rates of some runs; those that are known from the start for a stage that none has had. */
export function ratesOf(runs: readonly ClusteringTimes[]): StageRates {
  const rate = (stage: DraftStage): number => {
    const had = runs.filter(({ stages }) => stages[stage] !== undefined);
    const keywords = had.reduce((sum, run) => sum + run.keywords, 0);
    return keywords === 0 ? firstRates[stage] : had.reduce((sum, { stages }) => sum + stages[stage]!, 0) / keywords;
  };
  return Object.fromEntries(draftStages.map((stage) => [stage, rate(stage)])) as StageRates;
}

/** What a list with all its groups needs: no model runs. */
const withoutModel: readonly DraftStage[] = ['read', 'variants', 'write'];

/** About how many seconds a list takes, in the steps of {@link inSteps}. */
export function secondsFor(rates: StageRates, keywords: number, isGrouped = false): number {
  const stages = isGrouped ? withoutModel : draftStages;
  return inSteps(stages.reduce((sum, stage) => sum + rates[stage], 0) * keywords);
}

/** Where the work on a list is. */
export type ClusteringPlace = {
  readonly stage: DraftStage;
  /** What the stage is done with, 0 to 1; undefined where it does not count. */
  readonly share: number | undefined;
  /** Since clustering began, and since the stage did. */
  readonly elapsedMs: number;
  readonly stageMs: number;
  /** Undefined until it is known that they have to be clustered: lists with all their groups skip most stages. */
  readonly keywords: number | undefined;
};

const minElapsedMs = 3_000;
/** A stage that counts is judged by its own speed once it has done this much. */
const minShare = 0.05;
/** A stage that takes more than this, as a multiple of what it should, makes every estimate wrong. */
const maxOverrun = 1.5;

/**
 * How many seconds clustering still takes.
 *
 * @returns `undefined` in the first seconds, and where there is nothing to estimate it by
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
 * The share of the work of clustering that is done, 0 to 1: each stage counts by the time that it takes by the last runs. A
 * stage that does not say how far it is moves on by its time, more slowly the longer it takes, and ends with the next one.
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

/** Seconds in steps of 5 below a minute, and of 60 above: an estimate is not more exact. */
function inSteps(ms: number): number {
  const seconds = ms / 1_000;
  const step = seconds < 57.5 ? 5 : 60;
  return Math.max(5, Math.round(seconds / step) * step);
}
