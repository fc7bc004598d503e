import { type GroupTree, groupTree } from '../merge/grouping.ts';
import type { TextColumn } from '../merge/text-column.ts';
import {
  type Draft,
  insideGroup,
  strayNameBeside,
  type TopicKind,
  type TopicTree,
  topicTreeOf,
} from '../pipeline/topic-tree.ts';

/** What the levels of a grouping are, from the top. */
const kinds: readonly TopicKind[] = ['pillar_topic', 'cluster', 'subtopic', 'subtopic'];

/** A grouping inside one group: the tree of some keywords, whose numbers in the list are given. */
export type InnerTree = { readonly keywords: Int32Array; readonly tree: TopicTree };

/**
 * The tree of a grouping that a list already has. Keywords without a group are strays.
 *
 * @param levels columns from the top level down, at most four
 * @param volume by keyword; NaN where unknown
 * @param inner the clusters inside the groups of the top level, which then have no levels below
 */
export function groupedTree(
  levels: readonly TextColumn[],
  volume: Float64Array,
  inner?: (group: number) => TopicTree,
): TopicTree {
  const groups = groupTree(levels, volume.length);
  const drafts: Draft[] = groups.name.map((name, group) => ({
    ...emptyDraft(name, kinds[groups.level[group]!]!),
    parent: groups.parent[group]!,
  }));
  const draftOf = groups.of.slice();
  const similarity = new Float32Array(volume.length).fill(Number.NaN);
  if (inner) {
    for (const [group, keywords] of membersOf(groups).entries()) {
      if (keywords.length > 0) addInside(drafts, draftOf, similarity, group, { keywords, tree: inner(group) });
    }
  }
  if (draftOf.includes(-1)) {
    const name = strayNameBeside(drafts.filter(({ parent }) => parent < 0).map((draft) => draft.name));
    const strays = drafts.push(emptyDraft(name, 'stray')) - 1;
    draftOf.forEach((draft, keyword) => {
      if (draft < 0) draftOf[keyword] = strays;
    });
  }
  return topicTreeOf(counted(drafts, draftOf, volume), draftOf, similarity);
}

const emptyDraft = (name: string, kind: TopicKind): Draft => ({
  name,
  kind,
  parent: -1,
  confidence: Number.NaN,
  terms: [],
  volume: 0,
  keywords: 0,
});

/** The keywords of each group. */
export function membersOf({ of, name }: GroupTree): Int32Array[] {
  const members = name.map((): number[] => []);
  of.forEach((group, keyword) => {
    members[group]?.push(keyword);
  });
  return members.map((keywords) => Int32Array.from(keywords));
}

/** Adds the clusters of a tree below a group. What is in none of them stays in the group itself. */
function addInside(
  drafts: Draft[],
  draftOf: Int32Array,
  similarity: Float32Array,
  group: number,
  { keywords, tree }: InnerTree,
): void {
  const inside = insideGroup(tree);
  if (inside.topics.length === 0) return;
  const draftOfTopic = new Map<number, number>();
  for (const { number, kind, above } of inside.topics) {
    const parent = draftOfTopic.get(above) ?? group;
    draftOfTopic.set(number, drafts.push({ ...tree.topics[number]!, kind, parent, volume: 0, keywords: 0 }) - 1);
  }
  keywords.forEach((keyword, row) => {
    draftOf[keyword] = draftOfTopic.get(inside.topicOf[row]!) ?? group;
    similarity[keyword] = tree.similarity[row]!;
  });
}

/** The drafts with the volume and number of the keywords at and below them. */
function counted(drafts: readonly Draft[], draftOf: Int32Array, volume: Float64Array): Draft[] {
  const sums = drafts.map(() => ({ volume: 0, keywords: 0 }));
  draftOf.forEach((lowest, keyword) => {
    for (let draft = lowest; draft >= 0; draft = drafts[draft]!.parent) {
      sums[draft]!.keywords++;
      sums[draft]!.volume += Number.isNaN(volume[keyword]!) ? 0 : volume[keyword]!;
    }
  });
  return drafts.map((draft, number) => ({ ...draft, ...sums[number]! }));
}
