import type { NamedTexts } from '../merge/keywords.ts';
import { type Draft, strayName, type TopicKind, type TopicTree, topicTreeOf } from '../pipeline/topic-tree.ts';

/** What the levels of a grouping are, from the top. */
const kinds: readonly TopicKind[] = ['pillar_topic', 'cluster', 'subtopic', 'subtopic'];

/**
 * The tree of a grouping that a list already has. A keyword with an empty level stays at the level above it; one with
 * nothing on the first level is a stray.
 *
 * @param levels columns from the top level down, at most four
 * @param volume by keyword; NaN where unknown
 */
export function groupedTree(levels: readonly NamedTexts[], volume: Float64Array): TopicTree {
  const drafts: (Draft & { volume: number; keywords: number })[] = [];
  const numberOfPath = new Map<string, number>();
  const topicOf = (parent: number, kind: TopicKind, name: string): number => {
    const path = `${parent}/${name}`;
    const known = numberOfPath.get(path);
    if (known !== undefined) return known;
    numberOfPath.set(path, drafts.length);
    return drafts.push({ name, kind, parent, confidence: Number.NaN, terms: [], volume: 0, keywords: 0 }) - 1;
  };
  const draftOf = Int32Array.from(volume, (searches, keyword) => {
    let topic = -1;
    for (const [depth, { codes, values }] of levels.entries()) {
      const code = codes[keyword]!;
      if (code < 0) break;
      topic = topicOf(topic, kinds[depth]!, values[code]!);
      count(drafts[topic]!, searches);
    }
    if (topic >= 0) return topic;
    topic = topicOf(-1, 'stray', strayName);
    count(drafts[topic]!, searches);
    return topic;
  });
  return topicTreeOf(drafts, draftOf, new Float32Array(volume.length).fill(Number.NaN));
}

function count(draft: { volume: number; keywords: number }, searches: number): void {
  draft.keywords++;
  if (!Number.isNaN(searches)) draft.volume += searches;
}
