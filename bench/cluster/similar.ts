import { randomNumbers } from '../../cluster/src/communities/random.ts';
import { beginDraft, type DraftState } from '../../cluster/src/draft/draft-state.ts';
import { similarNodes } from '../../cluster/src/draft/similar-nodes.ts';
import { packed, type Vectors } from '../../cluster/src/features/vectors.ts';
import { centresOf } from '../../cluster/src/hierarchy/linkage.ts';
import { Nearest, product } from '../../cluster/src/neighbours/nearest.ts';
import { divide, listSettingsOf, prepareList } from '../../cluster/src/pipeline/cluster.ts';
import { neighbourCount } from '../../cluster/src/pipeline/list-neighbours.ts';
import type { PreparedList } from '../../cluster/src/pipeline/prepared-list.ts';
import { loadRowRoom } from '../../server/src/clustering/clustering-memory.ts';
import { type BenchCase, costOf } from '../bench-case.ts';
import { toolsOf } from './run-ours.ts';
import { syntheticKeywords } from './synthetic.ts';

type Ground = { readonly prepared: PreparedList; readonly state: DraftState };

/** The five most similar clusters of each cluster, and three keywords of each keyword, in a list that was clustered. */
export function similarCase(keywords: number): BenchCase {
  const ground = async (): Promise<Ground> => {
    const { texts, volume } = syntheticKeywords(keywords);
    const settings = listSettingsOf({ shape: 'pages', stop: 6 });
    const prepared = await prepareList({ texts, volume }, settings, await toolsOf());
    return { prepared, state: beginDraft(divide({ texts, volume }, prepared, settings), settings.stop) };
  };
  return caseOf(`cluster/similar clusters of ${keywords} keywords`, ground);
}

/** The same for so many made clusters of three keywords, in families of a dozen. */
export function madeSimilarCase(clusters: number): BenchCase {
  return caseOf(`cluster/similar, ${clusters} made clusters`, async () => madeGround(clusters), clusters <= 1e4);
}

function caseOf(name: string, ground: () => Promise<Ground>, withPeer = true): BenchCase {
  return {
    name,
    rounds: 3,
    contenders: [
      {
        name: 'ours',
        async measure() {
          const { prepared, state } = await ground();
          let found: Int32Array = new Int32Array(0);
          const cost = await costOf(async () => {
            found = similarNodes(prepared, state, loadRowRoom()).topics.to;
            return { clusters: clustersIn(state).length };
          });
          return { ...cost, ...(withPeer && { foundPercent: sharedWith(everyPair({ prepared, state }), found) }) };
        },
      },
      ...(withPeer
        ? [
            {
              name: 'every pair of clusters',
              async measure() {
                const made = await ground();
                return costOf(async () => ({ clusters: everyPair(made).length / 5 }));
              },
            },
          ]
        : []),
    ],
  };
}

const clustersIn = ({ topics }: DraftState): number[] =>
  [...topics.keys()].filter((topic) => topics[topic]!.kind === 'cluster');

/** By topic, its five most similar clusters, from all pairs. */
function everyPair({ prepared: { groups, neighbours }, state }: Ground): Int32Array {
  const { topics, topicOf } = state;
  const of = new Int32Array(groups.texts.length).fill(-1);
  groups.of.forEach((row, keyword) => {
    const topic = topicOf[keyword]!;
    if (of[row]! < 0 && topics[topic]?.kind === 'cluster') of[row] = topic;
  });
  const { values, dimensions } = centresOf(neighbours.topicVectors, of, topics.length);
  const nearest = new Nearest(topics.length, 5);
  const clusters = clustersIn(state);
  const length = dimensions - (dimensions % 4);
  for (const one of clusters)
    for (const other of clusters)
      if (one !== other && !topics[other]!.isRest)
        nearest.offer(one, other, product(values, one * dimensions, values, other * dimensions, length));
  return nearest.found().to;
}

/** Of what is nearest, how many percent are found. Clusters that ours finds too unlike to be named are left out. */
function sharedWith(exact: Int32Array, found: Int32Array): number {
  let [hits, all] = [0, 0];
  for (let topic = 0; topic < exact.length / 5; topic++) {
    const own = new Set(found.subarray(5 * topic, 5 * topic + 5));
    own.delete(-1);
    for (const one of exact.subarray(5 * topic, 5 * topic + own.size)) {
      all++;
      if (own.has(one)) hits++;
    }
  }
  return Math.round((1000 * hits) / all) / 10;
}

const perCluster = 3;
const family = 12;
const dimensions = 316;

/** A prepared list of clusters whose neighbours are in their families, with vectors as long as those of long lists. */
function madeGround(clusters: number): Ground {
  const random = randomNumbers(11);
  const rows = perCluster * clusters;
  const direction = () => Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const values = new Float32Array(rows * dimensions);
  let common = direction();
  for (let cluster = 0; cluster < clusters; cluster++) {
    if (cluster % family === 0) common = direction();
    const own = direction();
    for (let row = cluster * perCluster; row < (cluster + 1) * perCluster; row++)
      for (let at = 0; at < dimensions; at++)
        values[row * dimensions + at] = common[at]! + 0.7 * own[at]! + 0.2 * (random() - 0.5);
  }
  const vectors: Vectors<Int8Array> = packed({ values, dimensions });
  const perFamily = family * perCluster;
  const to = new Int32Array(rows * neighbourCount);
  for (let row = 0; row < rows; row++) {
    const first = row - (row % perFamily);
    for (let at = 0; at < neighbourCount; at++)
      to[row * neighbourCount + at] = Math.min(rows - 1, first + ((row - first + 1 + at * 2) % perFamily));
  }
  const page = { count: neighbourCount, to, similarity: new Float32Array(to.length).fill(0.5) };
  const texts = Array.from({ length: rows }, (_, row) => `keyword ${row}`);
  const topic = { kind: 'cluster' as const, parent: -1, confidence: Number.NaN, terms: [] };
  return {
    prepared: {
      groups: {
        of: Int32Array.from({ length: rows }, (_, row) => row),
        texts,
        volume: new Float64Array(rows).fill(1),
        weight: new Float64Array(rows).fill(1),
      },
      neighbours: { page, topic: page, pageVectors: vectors, topicVectors: vectors },
      shared: undefined,
    },
    state: beginDraft(
      {
        topics: Array.from({ length: clusters }, (_, cluster) => ({ ...topic, name: `cluster ${cluster}` })),
        topicOf: Int32Array.from({ length: rows }, (_, row) => Math.floor(row / perCluster)),
        similarity: new Float32Array(rows),
      },
      undefined,
    ),
  };
}
