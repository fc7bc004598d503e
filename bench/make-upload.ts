/**
 * node bench/make-upload.ts [strings|objects|serp|exports] [megabytes]: writes an upload of about that size into
 * bench/.cache and prints its path. The same arguments give the same bytes on every machine.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** How a variant writes the entry of a keyword. */
const entries = {
  /** The bare keyword. */
  strings: (keyword: string) => `"${keyword}"`,
  /** With metrics, as most files have them. */
  objects: (keyword: string, random: () => number) => JSON.stringify(keywordEntry(keyword, random)),
  /** With the ten pages that a search found, too. */
  serp: (keyword: string, random: () => number) =>
    JSON.stringify({ ...keywordEntry(keyword, random), serp: searchResults(keyword, random) }),
  /** With metrics as texts, as tables of tools have them, and with columns of their own. */
  exports: (keyword: string, random: () => number) => JSON.stringify(exportedEntry(keyword, random)),
};

export type UploadVariant = keyof typeof entries;

const cache = new URL('.cache/', import.meta.url);
/** Part of the file's name: to be raised whenever the bytes change. */
const generation = 1;

const keywordsPerCluster = 240;
const clustersPerPillar = 7;

/** Where an upload of this size lies, made first if it is not there. `megabytes` of 10^6 bytes. */
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
  yield '{"keywords":[';
  const random = randomFrom(1);
  for (let i = 0; i < keywords; i++) {
    const text = entries[variant](keywordText(i), random);
    yield i === 0 ? text : `,${text}`;
  }
  yield '],"hierarchy":{"name":"everything","type":"root","children":[';
  yield* pillars(keywords);
  yield ']}}';
}

function* pillars(keywords: number): Generator<string> {
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

const questions = ['', '', '', 'how to ', 'best ', 'cheap ', 'what is ', 'where to buy '];
const things = 'shoe lamp café tent boot garden chair kettle bicycle piano jacket drone camera window carpet'.split(
  ' ',
);
const kinds = 'red wooden small winter leather outdoor électrique modern vintage folding running kids giày'.split(' ');
const places = ['', '', ' near me', ' online', ' for beginners', ' in 2026', ' with free shipping', ' reviews'];

/** The same keyword for the same number; no two numbers share one. */
function keywordText(number: number): string {
  const random = randomFrom(number + 7);
  const of = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  return `${of(questions)}${of(kinds)} ${of(things)} ${number.toString(36)}${of(places)}`;
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
  return Array.from({ length: 10 }, (_, index) => {
    const site = `${things[Math.floor(things.length * random())]}-${kinds[Math.floor(kinds.length * random())]}`;
    return {
      position: index + 1,
      url: `https://www.${site}.example/${keyword.replaceAll(' ', '-')}?page=${Math.floor(1000 * random())}`,
      title: `${keyword} – ${site}`,
      snippet: `All about ${keyword}: "what", where and how, compared for you by ${site}.`,
    };
  });
}

/** Figures as people read them; one in ten entries has unknown ones. */
function exportedEntry(keyword: string, random: () => number): object {
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
    Tags: places[Math.floor(places.length * random())]!.trim(),
  };
}

const figure = (value: number) => Math.floor(value).toLocaleString('en-US');

/** Numbers from 0 up to 1. Source: Mulberry32 by Tommy Ettinger, public domain. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const variant = process.argv[2] ?? 'objects';
  if (!Object.hasOwn(entries, variant)) throw new Error(`The variant is one of ${Object.keys(entries).join(', ')}`);
  console.log(await makeUpload(variant as UploadVariant, Number(process.argv[3] ?? 95)));
}
