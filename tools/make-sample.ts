/**
 * The bundled sample: keyword research of a fictional garden shop.
 *
 * `node tools/make-sample.ts` writes `fixtures/sample/garden-shop.json` from `fixtures/sample/garden-shop.topics.txt`,
 * and a small excerpt, which the Upload tab offers, to `web/public/sample-keywords.json`. The phrases are our own and
 * the figures are drawn from a seeded generator: the same topics give the same bytes on every machine. The figures are
 * realistic: few phrases have most of the volume, some are unknown, and interest is seasonal.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Cluster, type Pillar, parseTopics, type SampleTree } from './sample-topics.ts';

const topicsFile = new URL('../fixtures/sample/garden-shop.topics.txt', import.meta.url);
export const sampleFile = new URL('../fixtures/sample/garden-shop.json', import.meta.url);
export const smallSampleFile = new URL('../web/public/sample-keywords.json', import.meta.url);

type Keyword = {
  keyword: string;
  search_volume: number | null;
  keyword_difficulty: number | null;
  cpc: number | null;
  intent: readonly string[];
  /** Interest by month, oldest first, 1 in the busiest month. */
  trend: readonly number[];
};
/** How much is searched in a subtopic, and how hard it is to rank there. */
type Market = Pick<Pillar, 'demand' | 'rivalry'>;
/** What the keywords of a cluster share. */
type Traits = {
  /** The month with the most searches, 1 to 12. */
  readonly peak: number;
  /** Added to keyword difficulty. */
  readonly rivalry: number;
  /** Growth of interest over the year: 0.2 means a fifth more in December than in January. */
  readonly growth: number;
  /** The seasonal share of interest, 0 to 1. */
  readonly seasonality: number;
};
/** `~` in `text` stands for the name of the subject. */
type Template = { readonly text: string; readonly intent: string };

/** The text of the sample file. Pure: the same topics give the same text. */
export function makeSample(topics: string): string {
  const random = mulberry32(20_260_401);
  // A separate generator, so that changing the market does not change the phrases.
  const market = mulberry32(8);
  const keywords = new Map<string, Keyword>();
  const leaves = (cluster: Cluster, { demand: marketDemand, rivalry }: Market): SampleTree[] => {
    const popularity = marketDemand * 6_000 * 10 ** (1.8 * random() - 1.2);
    const own = {
      rivalry: rivalry + spread(market, 8),
      growth: spread(market, 0.35),
      seasonality: 0.25 + 0.6 * market(),
    };
    return phrasesOf(cluster, random).map(({ text, intent }, rank) => {
      const demand = (popularity * (0.6 + 0.8 * random())) / (rank + 1) ** 1.15;
      if (!keywords.has(text))
        keywords.set(text, withFigures({ text, intent }, demand, { ...own, peak: cluster.peak }, random));
      return { name: text, type: 'keyword' };
    });
  };
  const branch = (pillar: Pillar): SampleTree => ({
    name: pillar.name,
    type: 'pillar_topic',
    children: pillar.subtopics.map((subtopic) => {
      const own = { demand: pillar.demand * (0.5 + market()), rivalry: pillar.rivalry + spread(market, 10) };
      return {
        name: subtopic.name,
        type: 'subtopic',
        children: subtopic.clusters.map((cluster) => ({
          name: cluster.name,
          type: 'cluster',
          children: leaves(cluster, own),
        })),
      };
    }),
  });
  const hierarchy = { name: 'Garden shop (sample data)', type: 'root', children: parseTopics(topics).map(branch) };
  const lines = [...keywords.values()].map((keyword) => JSON.stringify(keyword));
  return `{"keywords":[\n${lines.join(',\n')}\n],\n"hierarchy":${JSON.stringify(hierarchy)}}\n`;
}

const templates: Readonly<Record<Cluster['kind'], readonly Template[]>> = {
  product: [
    { text: '~', intent: 'commercial' },
    { text: 'best ~', intent: 'commercial' },
    { text: 'buy ~ online', intent: 'transactional' },
    { text: '~ sale', intent: 'transactional' },
    { text: 'cheap ~', intent: 'transactional' },
    { text: '~ near me', intent: 'transactional' },
    { text: '~ reviews', intent: 'commercial' },
    { text: '~ price', intent: 'commercial' },
    { text: 'second hand ~', intent: 'transactional' },
    { text: 'how to choose ~', intent: 'informational' },
  ],
  plant: [
    { text: '~', intent: 'informational' },
    { text: 'how to grow ~', intent: 'informational' },
    { text: 'when to plant ~', intent: 'informational' },
    { text: 'buy ~', intent: 'transactional' },
    { text: '~ care', intent: 'informational' },
    { text: 'best ~ varieties', intent: 'commercial' },
    { text: '~ for beginners', intent: 'informational' },
    { text: '~ problems', intent: 'informational' },
  ],
  task: [
    { text: '~', intent: 'informational' },
    { text: '~ tips', intent: 'informational' },
    { text: '~ mistakes', intent: 'informational' },
    { text: '~ advice', intent: 'informational' },
  ],
  abroad: [],
};

/** A cluster's phrases without duplicates, the most searched first. */
function phrasesOf(cluster: Cluster, random: () => number): Template[] {
  const own = cluster.phrases.map((text) => ({ text, intent: intentOf(text, cluster.kind) }));
  if (cluster.heads.length === 0) return own;
  const phrases = new Map<string, Template>();
  for (const [index, head] of cluster.heads.entries()) {
    for (const template of [...templates[cluster.kind], ...own]) {
      // The main name is used in almost every phrase, the other names only in some, as people search.
      if (template.text !== '~' && random() > (index === 0 ? 0.82 : 0.26)) continue;
      const text = template.text.replace('~', head);
      if (!phrases.has(text)) phrases.set(text, { text, intent: template.intent });
    }
  }
  return [...phrases.values()];
}

function intentOf(phrase: string, kind: Cluster['kind']): string {
  if (/^(how|what|when|why|where|can|is|are|does|do)\b/.test(phrase)) return 'informational';
  return kind === 'product' ? 'commercial' : 'informational';
}

/** A keyword with random figures, some of them unknown. `demand` is its monthly searches before rounding. */
function withFigures({ text, intent }: Template, demand: number, traits: Traits, random: () => number): Keyword {
  const volume = roundTo(demand, demand < 1_000 ? 10 : 100);
  const difficulty = Math.min(
    94,
    Math.max(1, Math.round(12 + 7 * Math.log10(demand + 1) + traits.rivalry + 18 * (random() - 0.5))),
  );
  const price = (intent === 'informational' ? 0.12 : intent === 'commercial' ? 0.62 : 0.95) * (0.4 + 1.8 * random());
  return {
    keyword: text,
    search_volume: random() < 0.09 ? null : volume,
    keyword_difficulty: random() < 0.12 ? null : difficulty,
    cpc: random() < 0.22 ? null : roundTo(price, 0.01),
    intent: random() < 0.05 ? [] : random() < 0.08 ? ['informational', 'commercial'] : [intent],
    trend: seasonal(traits, random),
  };
}

/** Twelve months, January first: a raised cosine around the peak and a yearly trend, 1 in the busiest month. */
function seasonal({ peak, growth, seasonality }: Traits, random: () => number): number[] {
  const months = Array.from({ length: 12 }, (_, month) => {
    const wave = (1 + Math.cos(((month + 1 - peak) * Math.PI) / 6)) / 2;
    return (1 - seasonality + seasonality * wave) * (1 + (growth * month) / 11) + 0.08 * random();
  });
  const busiest = Math.max(...months);
  return months.map((value) => roundTo(value / busiest, 0.01));
}

/** A random number between `-limit` and `limit`. */
const spread = (random: () => number, limit: number): number => limit * (2 * random() - 1);

/** The multiple of `step` nearest to a value. */
const roundTo = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(2));

/** Numbers in [0, 1) from a seed. Source: Tommy Ettinger's Mulberry32 (public domain, 2017). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const readTopics = (): string => readFileSync(topicsFile, 'utf8');

/**
 * A file for learning the format: the first two pillars of the sample, two subtopics of each, and so on, down to a few
 * keywords with their figures.
 */
export function makeSmallSample(sample: string): string {
  const { keywords, hierarchy } = JSON.parse(sample) as { keywords: Keyword[]; hierarchy: SampleTree };
  const names = new Set<string>();
  const cut = ({ children, ...node }: SampleTree): SampleTree => {
    if (!children) names.add(node.name);
    return children ? { ...node, children: children.slice(0, children[0]?.children ? 2 : 4).map(cut) } : node;
  };
  const tree = JSON.stringify(cut(hierarchy), null, 2).replaceAll('\n', '\n  ');
  const lines = keywords.filter(({ keyword }) => names.has(keyword)).map((keyword) => JSON.stringify(keyword));
  return `{\n  "keywords": [\n    ${lines.join(',\n    ')}\n  ],\n  "hierarchy": ${tree}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sample = makeSample(readTopics());
  writeFileSync(sampleFile, sample);
  writeFileSync(smallSampleFile, makeSmallSample(sample));
}
