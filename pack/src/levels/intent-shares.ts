export const intentNames = ['informational', 'navigational', 'commercial', 'transactional'] as const;
export type IntentName = (typeof intentNames)[number];
export type IntentShare = { readonly intent: IntentName; readonly share: number };

/**
 * The share that each intent has, everywhere: of the keywords whose intent is known, 0 to 1. A keyword with several intents counts
 * for each of them, so shares may add up to more than 1.
 *
 * @param counts the keywords with each intent, in the order of {@link intentNames}
 * @param known the keywords with at least one
 * @returns the largest first, without those that no keyword has
 */
export function intentShares(counts: ArrayLike<number>, known: number): IntentShare[] {
  return intentNames
    .map((intent, nth) => ({ intent, share: counts[nth]! / known }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share);
}
