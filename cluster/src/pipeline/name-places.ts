import type { Graph } from '../communities/graph.ts';
import { confidenceOf } from '../hierarchy/pages.ts';
import { mainKeywords } from '../labels/main-keywords.ts';
import { termsOf, typicalKeywords } from '../labels/typical-phrases.ts';
import type { Words } from '../words/words.ts';
import type { Groups, KeywordList } from './keyword-list.ts';
import type { Places } from './places.ts';
import { type Draft, strayNameBeside, type TopicKind, type TopicTree, topicTreeOf } from './topic-tree.ts';

const mostTerms = 3;

/** The level of a tree: the part that each group is in, −1 for none, and what is above each part. */
type Level = { readonly kind: TopicKind; readonly of: Int32Array; readonly count: number; readonly above: Int32Array };

/**
 * Names the parts of a tree and builds it. All names are keywords.
 *
 * @param graph of the groups that confidence is measured on
 */
export function namePlaces(places: Places, groups: Groups, list: KeywordList, words: Words, graph: Graph): TopicTree {
  const drafts: Draft[] = [];
  const volumeOfGroup = new Float64Array(groups.texts.length);
  groups.of.forEach((group, keyword) => {
    volumeOfGroup[group]! += Number.isNaN(list.volume[keyword]!) ? 0 : list.volume[keyword]!;
  });
  /** The draft that each group is in on the level in progress, and at the end on its lowest one. */
  const draftOf = new Int32Array(groups.texts.length).fill(-1);
  for (const level of levelsOf(places)) {
    const named = namesOf(level, places, groups, volumeOfGroup, words);
    const terms =
      level.kind === 'pillar_topic' && places.pillarOf
        ? []
        : termsOf(level, groups.texts, groups.weight, words, mostTerms);
    const confidence = level.kind === 'pillar_topic' && places.pillarOf ? undefined : confidenceOf(graph, level);
    const volume = new Float64Array(level.count);
    const keywords = new Float64Array(level.count);
    level.of.forEach((part, group) => {
      if (part < 0) return;
      volume[part]! += volumeOfGroup[group]!;
      keywords[part]! += groups.weight[group]!;
    });
    const first = drafts.length;
    for (let part = 0; part < level.count; part++) {
      drafts.push({
        name: groups.texts[named[part]!]!,
        kind: level.kind,
        parent: level.above[part]!,
        confidence: Math.round(100 * (confidence?.[part] ?? Number.NaN)),
        terms: terms[part] ?? [],
        volume: volume[part]!,
        keywords: keywords[part]!,
      });
    }
    level.of.forEach((part, group) => {
      if (part >= 0) draftOf[group] = first + part;
    });
  }
  if (draftOf.includes(-1)) addStrays(drafts, draftOf);
  return topicTreeOf(
    drafts,
    groups.of.map((group) => draftOf[group]!),
    Float32Array.from(groups.of, (group) => places.similarity[group]!),
  );
}

function levelsOf({ cluster, clusters, subtopic, subtopics, pillarOf, pillars }: Places): Level[] {
  const levels: Level[] = [];
  const top = new Int32Array(Math.max(pillars, clusters)).fill(-1);
  if (pillarOf) {
    const of = cluster.map((one) => (one < 0 ? -1 : pillarOf[one]!));
    levels.push({ kind: 'pillar_topic', of, count: pillars, above: top });
  }
  levels.push({ kind: pillarOf ? 'cluster' : 'pillar_topic', of: cluster, count: clusters, above: pillarOf ?? top });
  if (!subtopic) return levels;
  const clusterOfSubtopic = new Int32Array(subtopics).fill(-1);
  subtopic.forEach((one, group) => {
    if (one >= 0) clusterOfSubtopic[one] = cluster[group]!;
  });
  const shift = pillarOf ? pillars : 0;
  // A cluster with one subtopic only would say the same twice.
  const siblings = new Int32Array(clusters);
  for (const one of clusterOfSubtopic) if (one >= 0) siblings[one]!++;
  const numbers = new Int32Array(subtopics).fill(-1);
  let count = 0;
  clusterOfSubtopic.forEach((one, part) => {
    if (one >= 0 && siblings[one]! > 1) numbers[part] = count++;
  });
  const above = new Int32Array(count);
  numbers.forEach((number, part) => {
    if (number >= 0) above[number] = shift + clusterOfSubtopic[part]!;
  });
  levels.push({ kind: 'subtopic', of: subtopic.map((one) => (one < 0 ? -1 : numbers[one]!)), count, above });
  return levels;
}

/** The row that each part of a level is called after. */
function namesOf(level: Level, places: Places, groups: Groups, volumeOfGroup: Float64Array, words: Words): Int32Array {
  const { pillarOf, cluster: of, clusters: count, similarity } = places;
  if (level.kind !== 'pillar_topic' || !pillarOf) return mainKeywords(level, similarity, groups);
  const typical = typicalKeywords(level, groups, groups.weight, words);
  const mainOfCluster = mainKeywords({ of, count }, similarity, groups);
  const heaviest = heaviestClusters(places, pillarOf, volumeOfGroup);
  return typical.map((row, pillar) => (row < 0 ? mainOfCluster[heaviest[pillar]!]! : row));
}

/** The cluster of each pillar topic that is searched for most; of equal ones the first. */
function heaviestClusters(places: Places, pillarOf: Int32Array, volumeOfGroup: Float64Array): Int32Array {
  const volume = new Float64Array(places.clusters);
  places.cluster.forEach((cluster, group) => {
    if (cluster >= 0) volume[cluster]! += volumeOfGroup[group]!;
  });
  const heaviest = new Int32Array(places.pillars).fill(-1);
  pillarOf.forEach((pillar, cluster) => {
    const best = heaviest[pillar]!;
    if (best < 0 || volume[cluster]! > volume[best]!) heaviest[pillar] = cluster;
  });
  return heaviest;
}

function addStrays(drafts: Draft[], draftOf: Int32Array): void {
  const name = strayNameBeside(drafts.filter(({ parent }) => parent < 0).map((draft) => draft.name));
  draftOf.forEach((draft, group) => {
    if (draft < 0) draftOf[group] = drafts.length;
  });
  drafts.push({ name, kind: 'stray', parent: -1, confidence: Number.NaN, terms: [], volume: 0, keywords: 0 });
}
