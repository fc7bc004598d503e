/**
 * node bench/make-upload.ts [variant] [megabytes]: writes an upload of about that size into
 * bench/.cache and prints its path. The same arguments give the same bytes on every machine.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { exporters } from './upload/exporters.ts';
import { type KeywordText, keywordTexts, type NameLanguage, words } from './upload/names.ts';
import { randomFrom, shuffled } from './upload/random-from.ts';

type Random = () => number;
type Variant = {
  /** Writes the entry of a keyword. */
  readonly entry: (keyword: string, random: Random) => string;
  /** English by default. */
  readonly names?: NameLanguage;
  /** Whether the hierarchy names the keywords in another order than the array. */
  readonly isShuffled?: boolean;
  /** Whether all keywords are children of one node. */
  readonly isWide?: boolean;
};

const asString: Variant['entry'] = (keyword) => `"${keyword}"`;
const asObject: Variant['entry'] = (keyword, random) => JSON.stringify(keywordEntry(keyword, random));
const asQuery: Variant['entry'] = (keyword, random) => JSON.stringify(exporters['search-console'](keyword, random));

const variants = {
  /** Bare keywords. */
  strings: { entry: asString },
  'strings-ascii': { entry: asString, names: 'ascii' },
  'strings-mixed': { entry: asString, names: 'mixed', isShuffled: true },
  /** With metrics, as in most files. */
  objects: { entry: asObject },
  /** With the ten pages of a search result as well. */
  serp: {
    entry: (keyword, random) =>
      JSON.stringify({ ...keywordEntry(keyword, random), serp: searchResults(keyword, random) }),
  },
  /** With metrics as text, as tools export them, and with columns of their own. */
  exports: { entry: (keyword, random) => JSON.stringify(exportedEntry(keyword, random)) },
  /** Names in other languages, in another order than the hierarchy. */
  'names-ascii-in-order': { entry: asObject, names: 'ascii' },
  'names-ascii': { entry: asObject, names: 'ascii', isShuffled: true },
  'names-german': { entry: asObject, names: 'german', isShuffled: true },
  'names-vietnamese': { entry: asObject, names: 'vietnamese', isShuffled: true },
  'names-japanese': { entry: asObject, names: 'japanese', isShuffled: true },
  'names-arabic': { entry: asObject, names: 'arabic', isShuffled: true },
  wide: { entry: asQuery, names: 'ascii', isShuffled: true, isWide: true },
  'wide-japanese': { entry: asQuery, names: 'japanese', isShuffled: true, isWide: true },
  'names-mixed': { entry: asObject, names: 'mixed', isShuffled: true },
} satisfies Record<string, Variant>;

/** The columns of one tool's exports. */
type Exporter = keyof typeof exporters;

export type UploadVariant = keyof typeof variants | `exporter-${Exporter}`;

const ofExporters = Object.entries(exporters).map(([name, entryOf]): [`exporter-${Exporter}`, Variant] => [
  `exporter-${name as Exporter}`,
  { entry: (keyword, random) => JSON.stringify(entryOf(keyword, random)), isShuffled: true },
]);

/** Names in several languages, the first one in ASCII and in the order of the hierarchy. */
export const namesVariants = (Object.keys(variants) as (keyof typeof variants)[]).filter((name) =>
  /^(names|strings)-/.test(name),
);
export const exporterVariants = ofExporters.map(([name]) => name);

const variantOf: ReadonlyMap<string, Variant> = new Map([...Object.entries<Variant>(variants), ...ofExporters]);

const cache = new URL('.cache/', import.meta.url);
/** Part of the file name: increase it whenever the bytes change. */
const generation = 1;

const keywordsPerCluster = 240;
const clustersPerPillar = 7;

/** The path of an upload of this size, which is created if missing. `megabytes` of 10^6 bytes. */
export async function makeUpload(variant: UploadVariant, megabytes: number): Promise<string> {
  const path = fileURLToPath(new URL(`${variant}-${megabytes}mb-${generation}.json`, cache));
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const sample = [...uploadText(variant, 5000)].join('').length / 5000;
  const file = createWriteStream(`${path}.part`);
  for (const text of uploadText(variant, Math.round((megabytes * 1e6) / sample))) {
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  await rename(`${path}.part`, path);
  return path;
}

function* uploadText(variant: UploadVariant, keywords: number): Generator<string> {
  const { entry, names = 'latin', isShuffled = false, isWide = false } = variantOf.get(variant)!;
  const keywordText = keywordTexts[names];
  const order = isShuffled ? shuffled(keywords, 2) : undefined;
  yield '{"keywords":[';
  const random = randomFrom(1);
  for (let i = 0; i < keywords; i++) {
    const text = entry(keywordText(order?.[i] ?? i), random);
    yield i === 0 ? text : `,${text}`;
  }
  yield '],"hierarchy":{"name":"everything","type":"root","children":[';
  yield* isWide ? oneCluster(keywords, keywordText) : pillars(keywords, keywordText);
  yield ']}}';
}

function* oneCluster(keywords: number, keywordText: KeywordText): Generator<string> {
  yield '{"name":"all","type":"cluster","children":[';
  for (let i = 0; i < keywords; i++) yield `${i === 0 ? '' : ','}{"name":"${keywordText(i)}","type":"keyword"}`;
  yield ']}';
}

function* pillars(keywords: number, keywordText: KeywordText): Generator<string> {
  const perPillar = keywordsPerCluster * clustersPerPillar;
  for (let pillar = 0; pillar < keywords; pillar += perPillar) {
    yield `${pillar === 0 ? '' : ','}{"name":"${keywordText(pillar)} guide","type":"pillar_topic","children":[`;
    const end = Math.min(keywords, pillar + perPillar);
    for (let cluster = pillar; cluster < end; cluster += keywordsPerCluster) {
      yield `${cluster === pillar ? '' : ','}{"name":"${keywordText(cluster)} ideas","type":"cluster","children":[`;
      const leaves: string[] = [];
      for (let i = cluster; i < Math.min(end, cluster + keywordsPerCluster); i++) {
        leaves.push(`{"name":"${keywordText(i)}","type":"keyword"}`);
      }
      yield `${leaves.join()}]}`;
    }
    yield ']}';
  }
}

const intents = ['informational', 'navigational', 'commercial', 'transactional'];
const features = ['Sitelinks', 'AI Overview', 'Video', 'People also ask', 'Related searches', 'Featured snippet'];

/** An entry in the shape of real exports; one in ten has unknown metrics. */
function keywordEntry(keyword: string, random: () => number): object {
  const known = random() > 0.1;
  return {
    keyword,
    search_volume: known ? Math.floor(10 ** (1 + 4 * random())) : null,
    keyword_difficulty: known ? Math.floor(100 * random()) : null,
    cpc: known ? Math.floor(500 * random()) / 100 : null,
    competition: Math.floor(100 * random()) / 100,
    intent: [intents[Math.floor(4 * random())]],
    serp_features: features.filter(() => random() < 0.5),
    trend: Array.from({ length: 12 }, () => Math.floor(100 * random()) / 100),
  };
}

function searchResults(keyword: string, random: () => number): object[] {
  const of = (list: readonly string[]) => list[Math.floor(list.length * random())]!;
  return Array.from({ length: 10 }, (_, index) => {
    const site = `${of(words.latin.things)}-${of(words.latin.kinds)}`;
    return {
      position: index + 1,
      url: `https://www.${site}.example/${keyword.replaceAll(' ', '-')}?page=${Math.floor(1000 * random())}`,
      title: `${keyword} – ${site}`,
      snippet: `All about ${keyword}: "what", where and how, compared for you by ${site}.`,
    };
  });
}

/** Figures formatted for people; one in ten entries has unknown ones. */
function exportedEntry(keyword: string, random: () => number): object {
  const of = (list: readonly string[]) => list[Math.floor(list.length * random())]!;
  const known = random() > 0.1;
  const volume = 10 ** (1 + 4 * random());
  return {
    Keyword: keyword,
    Intent: `${intents[Math.floor(4 * random())]}, ${intents[Math.floor(4 * random())]}`,
    Volume: known ? figure(volume) : 'n/a',
    'Keyword Difficulty': known ? `${Math.floor(100 * random())}%` : '',
    'CPC (USD)': known ? `$${(5 * random()).toFixed(2)}` : '-',
    'Competitive Density': (Math.floor(100 * random()) / 100).toFixed(2),
    'Number of Results': figure(10 ** (4 + 5 * random())),
    'SERP Features': features.filter(() => random() < 0.5).join(', '),
    'Search Volume Range': volume < 1000 ? '10 – 1K' : '1K – 100K',
    Tags: of(words.latin.places).trim(),
  };
}

const figure = (value: number) => Math.floor(value).toLocaleString('en-US');

if (import.meta.main) {
  const variant = process.argv[2] ?? 'objects';
  if (!variantOf.has(variant)) throw new Error(`The variant is one of ${[...variantOf.keys()].join(', ')}`);
  console.log(await makeUpload(variant as UploadVariant, Number(process.argv[3] ?? 95)));
}
