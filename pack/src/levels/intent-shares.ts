import { type Intent, intents } from '../format/figures.ts';

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
