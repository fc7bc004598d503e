import { type Intent, intents } from '../format/figures.ts';

/** The figures of one row from which {@link knownShare} is computed. */
export type KnownFigures = {
  /** Distinct keywords, and how many of them have a known volume. */
  readonly keywords: number;
  readonly volumeKnown: number;
  /** The sum of the known volumes; NaN if none is known. */
  readonly volume: number;
  /** The number of keywords with a known value of the figure, and the sum of their known volumes. */
  readonly known: number;
  readonly knownVolume: number;
};

/** Below this share, a figure counts as hardly known: it describes too little of its row to be compared with others. */
export const hardlyKnownBelow = 0.2;

/** Whether a row's known share is a share of its volume, which must be known for at least half of its keywords and not 0. */
export const isWeighedByVolume = ({ keywords, volumeKnown, volume }: Omit<KnownFigures, 'known' | 'knownVolume'>) =>
  2 * volumeKnown >= keywords && volume > 0;

/**
 * The share of a row for which a figure is known, 0 to 1: of the volume of its distinct keywords, or of their number if
 * volumes are mostly unknown. NaN for a row without keywords.
 */
export function knownShare(figures: KnownFigures): number {
  if (figures.keywords === 0) return Number.NaN;
  if (isWeighedByVolume(figures)) return Math.min(1, figures.knownVolume / figures.volume);
  return figures.known / figures.keywords;
}

/** How a figure is marked: unknown, hardly known, partly known, or known for every keyword. */
type KnownMark = 'none' | 'hardly' | 'partly' | 'fully';

export function knownMark(figures: KnownFigures): KnownMark {
  if (figures.known === 0) return 'none';
  if (knownShare(figures) < hardlyKnownBelow) return 'hardly';
  return figures.known < figures.keywords ? 'partly' : 'fully';
}

/** In the order of the bits of `own_intent`. */
export const intentNames = intents;
export type IntentShare = { readonly intent: Intent; readonly share: number };

/**
 * Each intent's share of the keywords whose intent is known, 0 to 1. A keyword with several intents counts for each of them, so shares may
 * add up to more than 1.
 *
 * @param counts the number of keywords with each intent, in the order of {@link intents}
 * @param known the number of keywords with at least one intent
 * @returns the largest first, without those that no keyword has
 */
export function intentShares(counts: ArrayLike<number>, known: number): IntentShare[] {
  return intents
    .map((intent, nth) => ({ intent, share: counts[nth]! / known }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share);
}
