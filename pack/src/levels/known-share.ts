import { type Intent, intents } from '../format/figures.ts';

/** What {@link knownShare} is computed from: figures of one row. */
export type KnownFigures = {
  /** Distinct keywords, and how many of them have a known volume. */
  readonly keywords: number;
  readonly volumeKnown: number;
  /** The sum of the known volumes; NaN if none is known. */
  readonly volume: number;
  /** How many keywords have a known value of the figure, and the sum of the known volumes of these. */
  readonly known: number;
  readonly knownVolume: number;
};

/** Below this share, a figure is hardly known: it describes too little of its row to be compared. */
export const hardlyKnownBelow = 0.2;

/** Whether a row's known share is counted in volume: its volume is known for at least half of its keywords. */
export const isWeighedByVolume = ({ keywords, volumeKnown, volume }: Omit<KnownFigures, 'known' | 'knownVolume'>) =>
  2 * volumeKnown >= keywords && volume > 0;

/**
 * How much of a row a figure is known for, 0 to 1: of the volume of its distinct keywords, or of their number where
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
 * The share that each intent has, everywhere: of the keywords whose intent is known, 0 to 1. A keyword with several intents counts
 * for each of them, so shares may add up to more than 1.
 *
 * @param counts the keywords with each intent, in the order of {@link intents}
 * @param known the keywords with at least one
 * @returns the largest first, without those that no keyword has
 */
export function intentShares(counts: ArrayLike<number>, known: number): IntentShare[] {
  return intents
    .map((intent, nth) => ({ intent, share: counts[nth]! / known }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share);
}
