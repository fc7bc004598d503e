/** The topic that has most of the weight of some votes. */
export type Winner = {
  readonly topic: string;
  /** Of all weight, 0 to 1. */
  readonly share: number;
  /** The mean of its voters. */
  readonly similarity: number;
};

/** Weighs votes by similarity. Of equal topics the one that was voted for first wins; undefined without votes. */
export function rankedShare(
  votes: readonly { readonly topic: string; readonly similarity: number }[],
): Winner | undefined {
  const weights = new Map<string, { weight: number; voters: number }>();
  for (const { topic, similarity } of votes) {
    const { weight, voters } = weights.get(topic) ?? { weight: 0, voters: 0 };
    weights.set(topic, { weight: weight + similarity, voters: voters + 1 });
  }
  const total = [...weights.values()].reduce((sum, { weight }) => sum + weight, 0);
  let best: Winner | undefined;
  for (const [topic, { weight, voters }] of weights)
    if (!best || weight / total > best.share) best = { topic, share: weight / total, similarity: weight / voters };
  return best;
}
