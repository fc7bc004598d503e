import { type GroupTree, groupTree } from '../merge/grouping.ts';
import type { TextColumn } from '../merge/text-column.ts';
import {
  emptyTopic,
  insideGroup,
  type Topic,
  type TopicKind,
  type TopicTree,
  topicTreeOf,
} from '../pipeline/topic-tree.ts';

/** The kind of topic on each level of a grouping, from the top. */
const kinds: readonly TopicKind[] = ['pillar_topic', 'cluster', 'subtopic', 'subtopic'];

/**
 * Builds the tree of a grouping that a list came with. Keywords without a group are strays.
 *
 * @param levels columns from the top level down, at most four
 * @param volume by keyword; NaN where unknown
 * @param inner clusters the keywords of a group, if the grouping has only one level
 */
export function groupedTree(
  levels: readonly TextColumn[],
  volume: Float64Array,
  inner?: (group: number) => TopicTree,
): TopicTree {
  const groups = groupTree(levels, volume.length);
  const topics = groups.name.map((name, group) =>
    emptyTopic(name, kinds[groups.level[group]!]!, groups.parent[group]!),
  );
  const topicOf = groups.of.slice();
  const similarity = new Float32Array(volume.length).fill(Number.NaN);
  if (inner) {
    for (const [group, keywords] of membersOf(groups).entries())
      if (keywords.length > 0) addInside(topics, topicOf, similarity, group, keywords, inner(group));
  }
  return topicTreeOf({ topics, topicOf }, similarity, volume);
}

/** The keywords of each group that are in no group below it, ascending. */
export function membersOf({ of, name }: GroupTree): Int32Array[] {
  const members = name.map((): number[] => []);
  of.forEach((group, keyword) => {
    members[group]?.push(keyword);
  });
  return members.map((keywords) => Int32Array.from(keywords));
}

/** Adds the clusters of a tree below a group. Keywords in none of them stay in the group itself. */
function addInside(
  topics: Topic[],
  topicOf: Int32Array,
  similarity: Float32Array,
  group: number,
  keywords: Int32Array,
  tree: TopicTree,
): void {
  const inside = insideGroup(tree);
  if (inside.topics.length === 0) return;
  const added = new Map<number, number>();
  for (const { number, kind, above } of inside.topics)
    added.set(number, topics.push({ ...tree.topics[number]!, kind, parent: added.get(above) ?? group }) - 1);
  keywords.forEach((keyword, row) => {
    topicOf[keyword] = added.get(inside.topicOf[row]!) ?? group;
    similarity[keyword] = tree.similarity[row]!;
  });
}
