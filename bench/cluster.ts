import { similarityGraph } from '../cluster/src/neighbours/neighbours.ts';
import type { ListSettings } from '../cluster/src/pipeline/cluster.ts';
import type { KeywordList } from '../cluster/src/pipeline/keyword-list.ts';
import { sharingGroups } from '../cluster/src/shared-urls/groups.ts';
import { sharedUrlGraph } from '../cluster/src/shared-urls/shared-url-graph.ts';
import { uploadJson } from '../cluster/src/write/upload-json.ts';
import { resultsOf } from '../pack/src/shared-urls/results.ts';
import { clusteringProcess } from '../server/src/clustering/clustering-memory.ts';
import { type BenchCase, type Contender, costOf } from './bench-case.ts';
import { dividingCase, operationCase } from './cluster/editing.ts';
import { type Gold, type GoldName, hasGold, placedSample, readGold, reportedSets, tuningSets } from './cluster/gold.ts';
import { kMeans } from './cluster/k-means.ts';
import { louvain } from './cluster/louvain.ts';
import { agreementOf } from './cluster/measures.ts';
import { namesCase } from './cluster/names.ts';
import { groundOf, topicsOfKind, treeOf } from './cluster/run-ours.ts';
import { madeSimilarCase, similarCase } from './cluster/similar.ts';
import { syntheticKeywords, syntheticResults } from './cluster/synthetic.ts';

/**
 * How well keywords are grouped, and what it costs. Quality: agreement with a known grouping, in percent, of the level
 * that the product calls a cluster; keywords without a cluster count as one group. `v`, `ami` and `ari` are explained in
 * `cluster/measures.ts`. Constants may be chosen on the tuning sets only. The data is not part of the repository, and
 * cases without theirs are left out.
 */
export const cases: readonly BenchCase[] = [
  ...[...tuningSets, ...reportedSets].filter(hasGold).map(qualityCase),
  // Of the other sets, nothing is put nowhere.
  ...(['add-to-website'] as const).filter(hasGold).map(pillarsCase),
  ...[...tuningSets, ...reportedSets].filter(hasGold).map(namesCase),
  ...[1e4, 1e5, 1e6].map(costCase),
  sharedUrlsCase(1e5),
  ...[1e4, 1e5].flatMap((keywords) => [dividingCase(keywords), operationCase(keywords)]),
  similarCase(1e4),
  ...[1e3, 1e5].map(madeSimilarCase),
];

/** Groups of the keywords of a list, by whatever means. */
type Grouping = (list: KeywordList) => Promise<Readonly<Record<string, Int32Array>>>;

function ours(choices: Partial<Omit<ListSettings, 'granularity'>> = {}, withEncoder = true): Grouping {
  return async (list) => {
    const tree = await treeOf(list, choices, withEncoder);
    return { cluster: topicsOfKind(tree, 'cluster'), pillar: topicsOfKind(tree, 'pillar_topic') };
  };
}

/** k-means on our vectors. @param groups how many it is told to find; by default as many as we find */
function byKMeans(language: string, groups?: number): Grouping {
  return async (list) => {
    const wanted = groups ?? new Set((await ours({ language })(list)).cluster).size;
    const ground = await groundOf(list, language);
    const found = kMeans(ground.vectors.page, wanted);
    return { cluster: ground.groups.of.map((group) => found[group]!) };
  };
}

/** Louvain on our graph. */
function byLouvain(language: string, resolution: number): Grouping {
  return async (list) => {
    const { groups, neighbours } = await groundOf(list, language);
    const found = await louvain(similarityGraph(neighbours.page), resolution);
    return { cluster: groups.of.map((group) => found[group]!) };
  };
}

function qualityCase(name: GoldName): BenchCase {
  const quality = (contender: string, grouping: (gold: Gold) => Grouping): Contender => ({
    name: contender,
    async measure() {
      const gold = readGold(name)!;
      const list = { texts: gold.keywords, volume: gold.volume };
      return costOf(async () => figuresOf(gold, await grouping(gold)(list)));
    },
  });
  return {
    name: `cluster/quality of ${name}`,
    rounds: 1,
    contenders: [
      quality('ours', ({ language }) => ours({ language })),
      ...[2, 3, 4, 5].map((seed) => quality(`ours, seed ${seed}`, ({ language }) => ours({ language, seed }))),
      quality('ours, short vectors', ({ language }) => ours({ language, force: { shortVectors: true } })),
      quality('ours, head and tail', ({ language }) => ours({ language, force: { tail: true } })),
      quality('TF-IDF alone', ({ language }) => ours({ language }, false)),
      quality('k-means, right number', (gold) => byKMeans(gold.language, new Set(gold.groups.cluster).size)),
      quality('k-means, our number', ({ language }) => byKMeans(language)),
      quality('graphology louvain, resolution 1', ({ language }) => byLouvain(language, 1)),
      quality('graphology louvain, resolution 10', ({ language }) => byLouvain(language, 10)),
    ],
  };
}

/** Pillar topics of a list without what its authors put nowhere, and short enough to have pages as clusters. */
function pillarsCase(name: GoldName): BenchCase {
  return {
    name: `cluster/pillars of ${name}`,
    rounds: 1,
    contenders: [1, 2].map((seed) => ({
      name: seed === 1 ? 'ours' : `ours, seed ${seed}`,
      async measure() {
        const gold = placedSample(readGold(name)!, 5000);
        const list = { texts: gold.keywords, volume: gold.volume };
        return costOf(async () => figuresOf(gold, await ours({ language: gold.language, seed })(list)));
      },
    })),
  };
}

function figuresOf(gold: Gold, found: Readonly<Record<string, Int32Array>>): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [level, groups] of Object.entries(found)) {
    if (!gold.groups[level]) continue;
    const ofRow = gold.keywordOf.map((keyword) => groups[keyword]!);
    const { v, ami, ari } = agreementOf(ofRow, gold.groups[level]);
    const prefix = level === 'cluster' ? '' : `${level} `;
    figures[`${prefix}v`] = 100 * v;
    figures[`${prefix}ami`] = 100 * ami;
    figures[`${prefix}ari`] = 100 * ari;
    figures[`${prefix}groups`] = new Set(ofRow).size;
    if (level === 'cluster') figures.strayPercent = (100 * ofRow.filter((group) => group < 0).length) / ofRow.length;
  }
  return figures;
}

/** Everything from texts to the bytes of the upload. Peers only group; their vectors and neighbours are ours. */
function costCase(keywords: number): BenchCase {
  const list = () => {
    const { texts, volume } = syntheticKeywords(keywords);
    return { texts, volume };
  };
  const cost = (name: string, work: (list: KeywordList) => Promise<Record<string, number>>): Contender => ({
    name,
    measure: () => {
      const made = list();
      return costOf(() => work(made));
    },
  });
  const written = (withEncoder: boolean) => async (made: KeywordList) => {
    const tree = await treeOf(made, {}, withEncoder);
    let bytes = 0;
    const fields = [{ name: 'search_volume', values: made.volume }];
    for (const block of uploadJson({ ...made, name: 'synthetic', fields, tree, clustering: {} })) bytes += block.length;
    return { bytes, topics: tree.topics.length };
  };
  const grouped = (grouping: Grouping) => async (made: KeywordList) => ({
    topics: new Set((await grouping(made)).cluster).size,
  });
  return {
    name: `cluster/cost of ${keywords} keywords`,
    rounds: keywords > 1e5 ? 1 : 3,
    // As long as those that people import, with a few figures in each row.
    process: clusteringProcess(50 * keywords),
    contenders: [
      cost('ours', written(true)),
      cost('TF-IDF alone', written(false)),
      // Comparing each keyword with each centre takes hours for more.
      ...(keywords <= 1e4 ? [cost('k-means, 200 groups', grouped(byKMeans('en', 200)))] : []),
      ...(keywords <= 1e5 ? [cost('graphology louvain, resolution 10', grouped(byLouvain('en', 10)))] : []),
    ],
  };
}

/** All pairs of keywords that share URLs, and groups of all kinds. */
function sharedUrlsCase(keywords: number): BenchCase {
  const least = 3;
  return {
    name: `cluster/shared urls of ${keywords} keywords`,
    rounds: 3,
    contenders: [
      {
        name: 'ours, all pairs',
        measure: () => {
          const results = resultsOf(syntheticResults(keywords).lists);
          return costOf(async () => ({ pairs: sharedUrlGraph(results, least).to.length / 2 }));
        },
      },
      ...(['soft', 'moderate', 'hard', 'smart'] as const).map((sharing) => ({
        name: `ours, pairs and ${sharing} groups`,
        measure: () => {
          const { lists, intent } = syntheticResults(keywords);
          const results = resultsOf(lists);
          let groups: Int32Array = new Int32Array();
          return costOf(async () => {
            groups = sharingGroups(sharedUrlGraph(results, least), new Float64Array(keywords), sharing, 1);
            return {};
          }).then((figures) => ({ ...figures, ari: 100 * agreementOf(groups, intent).ari }));
        },
      })),
      {
        name: 'a map of pairs',
        measure: () => {
          const results = resultsOf(syntheticResults(keywords).lists);
          return costOf(async () => ({ pairs: pairsByMap(results, least) }));
        },
      },
    ],
  };
}

/** The obvious way: counts each pair of keywords of each URL. */
function pairsByMap({ offset, url }: ReturnType<typeof resultsOf>, least: number): number {
  const keywordsOf = new Map<number, number[]>();
  for (let keyword = 0; keyword + 1 < offset.length; keyword++) {
    for (let at = offset[keyword]!; at < offset[keyword + 1]!; at++) {
      const known = keywordsOf.get(url[at]!);
      if (known) known.push(keyword);
      else keywordsOf.set(url[at]!, [keyword]);
    }
  }
  const shared = new Map<number, number>();
  for (const keywords of keywordsOf.values()) {
    if (keywords.length > 200) continue;
    keywords.forEach((one, index) => {
      for (const other of keywords.slice(index + 1)) {
        const pair = one * offset.length + other;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
    });
  }
  return [...shared.values()].filter((count) => count >= least).length;
}
