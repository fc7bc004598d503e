import { type PlanStatus, planStatuses } from './plan.ts';

/** 0 without a status, then 1 for an idea, up to 4 for what is live. */
export const statusRank = (status: PlanStatus | undefined): number =>
  status === undefined ? 0 : planStatuses.indexOf(status) + 1;

/** From this rank on, volume is covered: there is a page for it. */
export const coveredRank = statusRank('written');

/** Figures of the distinct keywords of a branch whose furthest status has a rank: of each rank, from 0 to 4. */
export type StatusFigures = readonly { readonly keywords: number; readonly volume: number }[];

/** The keywords of a branch with a known volume, and all of them. */
export type Coverage = {
  readonly keywords: number;
  readonly volumeKnown: number;
  readonly ofStatus: StatusFigures;
};

/**
 * The share of a branch that has a page, from 0 to 1: of its known volume, or of its keywords where the volume of fewer
 * than half of them is known. Undefined for a branch without keywords.
 */
export function coveredShare(
  coverage: Coverage,
): { readonly share: number; readonly of: 'volume' | 'keywords' } | undefined {
  return shareFrom(coverage, coveredRank);
}

/** As {@link coveredShare}, for keywords with a status of at least this rank. */
export function shareFrom(
  { keywords, volumeKnown, ofStatus }: Coverage,
  rank: number,
): { readonly share: number; readonly of: 'volume' | 'keywords' } | undefined {
  const all = sum(ofStatus.map(({ volume }) => volume));
  const from = ofStatus.slice(rank);
  if (2 * volumeKnown >= keywords && all > 0)
    return { share: sum(from.map(({ volume }) => volume)) / all, of: 'volume' };
  return keywords === 0 ? undefined : { share: sum(from.map((one) => one.keywords)) / keywords, of: 'keywords' };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
