import { centralityOf } from '../../cluster/src/hierarchy/linkage.ts';
import { type NamingWay, namesOf } from '../../cluster/src/labels/names.ts';
import { listWordsOf } from '../../cluster/src/labels/phrases.ts';
import { type Words, wordsOf } from '../../cluster/src/words/words.ts';
import { type BenchCase, costOf } from '../bench-case.ts';
import { type Gold, type GoldName, isOther, readGold } from './gold.ts';
import { groundOf } from './run-ours.ts';

/**
 * How well topics are named: those of a list whose authors named theirs, by the words that both names have. `f1` is the
 * mean of the harmonic means of precision and recall over the clusters, without stop words and inflection, in percent.
 * Keywords that the authors put into no group are left out.
 */
export function namesCase(name: GoldName): BenchCase {
  const ways: readonly NamingWay[] = ['phrase', 'keyword', 'seed-phrase'];
  return {
    name: `cluster/names of ${name}`,
    rounds: 1,
    contenders: ways.map((way) => ({
      name: way === 'phrase' ? 'ours' : `by ${way}`,
      async measure() {
        const named = await authored(readGold(name)!);
        const words = wordsOf(named.language);
        return costOf(async () => {
          const list = listWordsOf(named.texts, named.weight, words);
          const { names } = namesOf(named, named, list, words, way);
          return figuresOf(named, names, words);
        });
      },
    })),
  };
}

/** The topics of a list's authors, with their names. */
export type Authored = Awaited<ReturnType<typeof authored>>;

export async function authored(gold: Gold) {
  const [clusterOf, pillarOf] = [gold.groups.cluster!, gold.groups.pillar];
  const isNowhere = (row: number): boolean => isOther(gold, row) && gold.names.cluster![clusterOf[row]!] === 'Other';
  const rowOf = new Map<number, number>();
  gold.keywordOf.forEach((keyword, row) => {
    if (!rowOf.has(keyword) && !isNowhere(row)) rowOf.set(keyword, row);
  });
  const keywords = [...rowOf.keys()];
  const list = {
    texts: keywords.map((keyword) => gold.keywords[keyword]!),
    volume: Float64Array.from(keywords, (keyword) => gold.volume[keyword]!),
  };
  const pillars = gold.names.pillar?.length ?? 0;
  const parent: number[] = new Array(pillars + gold.names.cluster!.length).fill(-1);
  const lowest = Int32Array.from(keywords, (keyword) => pillars + clusterOf[rowOf.get(keyword)!]!);
  if (pillarOf) for (const row of rowOf.values()) parent[pillars + clusterOf[row]!] = pillarOf[row]!;
  // Topics without a keyword are left out.
  const used = new Set([...lowest, ...Array.from(lowest, (topic) => parent[topic]!)].filter((topic) => topic >= 0));
  const kept = [...parent.keys()].filter((topic) => used.has(topic));
  const place = new Map(kept.map((topic, index) => [topic, index]));
  const { groups, vectors } = await groundOf(list, gold.language);
  const topicOf = new Int32Array(groups.texts.length);
  const volume = new Float64Array(groups.texts.length);
  groups.of.forEach((group, row) => {
    if (groups.texts[group] === list.texts[row]) topicOf[group] = place.get(lowest[row]!)!;
    volume[group]! += Number.isNaN(list.volume[row]!) ? 0 : list.volume[row]!;
  });
  return {
    language: gold.language,
    texts: groups.texts,
    volume,
    weight: groups.weight,
    centrality: centralityOf(vectors.page, topicOf, kept.length),
    parent: kept.map((topic) => place.get(parent[topic]!) ?? -1),
    topicOf,
    /** Of each topic; undefined for the upper ones, whose names are no phrases of keywords. */
    authors: kept.map((topic) => [...(gold.names.pillar ?? []), ...gold.names.cluster!][topic]!),
    isCluster: kept.map((topic) => topic >= pillars),
  };
}

export function figuresOf(named: Authored, names: readonly string[], words: Words): Record<string, number> {
  const stems = (text: string) => new Set(words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem])));
  const clusters = names.flatMap((name, topic) => (named.isCluster[topic] ? [{ name, topic }] : []));
  const scores = clusters.map(({ name, topic }) => {
    const [own, theirs] = [stems(name), stems(plain(named.authors[topic]!))];
    const both = [...own].filter((stem) => theirs.has(stem)).length;
    return { f1: own.size + theirs.size === 0 ? 0 : (2 * both) / (own.size + theirs.size), hit: Number(both > 0) };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const likeAncestor = names.filter((name, topic) => name === names[named.parent[topic]!]).length;
  return {
    f1: 100 * mean(scores.map(({ f1 }) => f1)),
    hitPercent: 100 * mean(scores.map(({ hit }) => hit)),
    likeAncestorPercent: (100 * likeAncestor) / names.length,
    words: mean(clusters.map(({ name }) => name.split(' ').length)),
    topics: names.length,
  };
}

/** "alarm/cancel_alarm" and "Desktop/Dock" as words. */
const plain = (name: string): string => name.replaceAll(/[/>_,]/g, ' ');
