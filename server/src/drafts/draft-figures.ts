import { addressesOf } from '@kc/cluster/draft/addresses';
import { lockedTopics } from '@kc/cluster/draft/context';
import { type DraftState, excluded } from '@kc/cluster/draft/draft-state';
import { reviewOf } from '@kc/cluster/draft/review';
import type { DraftCounts, DraftMarks } from '@kc/rules/draft-shapes';
import type { StoredDraft } from './stored-draft.ts';

/** Excluded keywords that are listed. The others are only counted. */
const listedExcluded = 1_000;

/**
 * The counts of a state. A keyword is a stray if the topic of strays, or one below it, holds it. Keywords that an update did not
 * find are not excluded ones.
 */
export function countsOf({ topics, topicOf, excludedFrom }: DraftState): DraftCounts {
  const counts = { keywords: 0, pillars: 0, clusters: 0, subtopics: 0, strays: 0, excluded: excludedFrom.size };
  for (const { kind } of topics) {
    if (kind === 'pillar_topic') counts.pillars++;
    else if (kind === 'cluster') counts.clusters++;
    else if (kind === 'subtopic') counts.subtopics++;
  }
  for (const topic of topicOf) {
    if (topic === excluded) continue;
    counts.keywords++;
    if (topics[topic]!.kind === 'stray') counts.strays++;
  }
  return counts;
}

/** What the outline of a state marks. Topics are named by their addresses in its pack. */
export function marksOf({ name, context }: StoredDraft, state: DraftState): DraftMarks {
  const { uncertain, new: added, clusters, gone } = reviewOf(context, state);
  const { texts } = context.list;
  const addresses = addressesOf(state, texts, name);
  const isLocked = lockedTopics(state);
  const addressesIf = (test: (topic: number) => boolean): string[] =>
    Array.from(state.topics.keys())
      .filter(test)
      .map((topic) => addresses.ofTopic(topic));
  const excluded = Array.from(state.excludedFrom.keys()).sort((one, other) => one - other);
  return {
    locked: addressesIf((topic) => isLocked[topic] === 1),
    new: addressesIf((topic) => state.topics[topic]!.isNew),
    rest: addressesIf((topic) => state.topics[topic]!.isRest === true),
    confidence: Object.fromEntries(
      state.topics.flatMap(({ confidence }, topic) =>
        Number.isNaN(confidence) ? [] : [[addresses.ofTopic(topic), confidence]],
      ),
    ),
    excluded: { total: excluded.length, keywords: excluded.slice(0, listedExcluded).map((keyword) => texts[keyword]!) },
    ...(context.update && {
      review: { uncertain: uncertain.length, new: added.length, clusters: clusters.length, gone: gone.length },
    }),
  };
}
