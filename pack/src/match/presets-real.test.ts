import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { readFilter } from '../filter/filter-text.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';

const real = new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url);

type Entry = {
  readonly keyword: string;
  readonly search_volume?: number | null;
  readonly keyword_difficulty?: number | null;
  readonly trend?: readonly number[];
};
type Node = { readonly name: string; readonly children?: readonly Node[] };
/** A keyword of the file. It has one place: pillar, cluster, keyword. */
type Plain = Entry & { readonly pillar: string; readonly cluster: string };

/** What can be asked of a keyword, as a filter text and as a naive test. */
type Part = { readonly text: string; readonly holds: (keyword: Plain) => boolean };
/** What can be asked of a cluster or pillar, given its keywords. */
type BranchPart = { readonly text: string; readonly holds: (keywords: readonly Plain[]) => boolean };

const questionWords =
  'who what when where why which whose how can could do does did is are was were will would should may might has have';
const firstWords = new Set(questionWords.split(' '));
const volumeOf = ({ search_volume }: Entry) => search_volume ?? -1;
/** In hundredths, because the file states hundredths, so that no sum is rounded. */
const hundredths = (months: readonly number[]) => months.reduce((sum, month) => sum + Math.round(100 * month), 0);

const parts: readonly Part[] = [
  {
    text: 'quick-50_30',
    holds: (one) => volumeOf(one) >= 50 && (one.keyword_difficulty ?? 101) <= 30,
  },
  {
    text: 'rising-20_50',
    holds: (one) => {
      const [before, newest] = [hundredths(one.trend?.slice(0, 9) ?? []), hundredths(one.trend?.slice(9) ?? [])];
      // (newest / 3) / (before / 9) - 1 >= 1 / 5
      return volumeOf(one) >= 50 && one.trend?.length === 12 && before > 0 && 15 * newest >= 6 * before;
    },
  },
  {
    text: 'ask-en',
    holds: ({ keyword }) => firstWords.has(keyword.trim().split(/\s+/)[0]!.toLowerCase()) || /[?？؟]\s*$/.test(keyword),
  },
  { text: 'brand-wix,godaddy', holds: ({ keyword }) => /\b(wix|godaddy)\b/i.test(keyword) },
  { text: 'nonbrand-wix,godaddy', holds: ({ keyword }) => !/\b(wix|godaddy)\b/i.test(keyword) },
  { text: 'words-_4', holds: ({ keyword }) => wordsIn(keyword) <= 4 },
  { text: 'has-website', holds: ({ keyword }) => keyword.toLowerCase().includes('website') },
];

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const wordsIn = (text: string) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;

const sumOf = (keywords: readonly Plain[]) => keywords.reduce((sum, one) => sum + (one.search_volume ?? 0), 0);
const knows = (keywords: readonly Plain[]) => keywords.filter((one) => typeof one.keyword_difficulty === 'number');
const meanOf = (keywords: readonly Plain[]) =>
  knows(keywords).reduce((sum, one) => sum + one.keyword_difficulty!, 0) / knows(keywords).length;
/** Volumes are known for all keywords of the file. */
const shareOf = (keywords: readonly Plain[]) =>
  sumOf(keywords) > 0 ? sumOf(knows(keywords)) / sumOf(keywords) : knows(keywords).length / keywords.length;

const branchParts: readonly BranchPart[] = [
  { text: 'volume-100_', holds: (keywords) => sumOf(keywords) >= 100 },
  { text: 'volume-500_20000', holds: (keywords) => sumOf(keywords) >= 500 && sumOf(keywords) <= 20_000 },
  { text: 'keywords-_200', holds: (keywords) => keywords.length <= 200 },
  { text: 'difficulty-_30', holds: (keywords) => Math.fround(meanOf(keywords)) <= 30 },
  { text: 'known.difficulty-20_', holds: (keywords) => shareOf(keywords) >= 0.2 },
];

function read() {
  const file = JSON.parse(readFileSync(real, 'utf8')) as { keywords: Entry[]; hierarchy: Node };
  const entries = new Map(file.keywords.map((entry) => [entry.keyword, entry]));
  const keywords = file.hierarchy.children!.flatMap((pillar) =>
    pillar.children!.flatMap((cluster) =>
      cluster.children!.map(
        ({ name }): Plain => ({
          ...entries.get(name)!,
          pillar: pillar.name,
          cluster: `${pillar.name} ${cluster.name}`,
        }),
      ),
    ),
  );
  return { file, keywords };
}

/** The three steps, by definition. */
function expected(
  all: readonly Plain[],
  keywordParts: readonly Part[],
  clusterParts: readonly BranchPart[],
  pillarParts: readonly BranchPart[],
): readonly Plain[] {
  const first = all.filter((one) => keywordParts.every(({ holds }) => holds(one)));
  const second = groupsOf(first, ({ cluster }) => cluster).filter((keywords) =>
    clusterParts.every(({ holds }) => holds(keywords)),
  );
  return groupsOf(second.flat(), ({ pillar }) => pillar)
    .filter((keywords) => pillarParts.every(({ holds }) => holds(keywords)))
    .flat();
}

function groupsOf(keywords: readonly Plain[], nameOf: (keyword: Plain) => string): readonly Plain[][] {
  const groups = new Map<string, Plain[]>();
  for (const one of keywords) {
    const group = groups.get(nameOf(one)) ?? [];
    group.push(one);
    groups.set(nameOf(one), group);
  }
  return [...groups.values()];
}

async function totals(pack: PackReader, text: string) {
  const kept = await filterPack(pack, readFilter(text)!);
  const volume = (await kept.column('volume'))[0]!;
  return { keywords: kept.kept.keywords[0]!, volume: Number.isNaN(volume) ? 0 : volume };
}

// Shows P15.23.
test.skipIf(!existsSync(real))(
  'every part and every combination keeps of a real file what the three steps keep (skipped without ../shared)',
  async () => {
    const { file, keywords } = read();
    const { pack } = await packOf(file.hierarchy, file.keywords as never);
    for (const [text, count, volume] of [
      ['quick-50_30', 158, 23_580],
      ['rising-20_50', 70, 10_140],
      ['ask-en', 15_967, 111_800],
      ['cluster-difficulty-_30*cluster-volume-500_', 18_586, 89_920],
    ] as const) {
      expect([text, await totals(pack, text)]).toEqual([text, { keywords: count, volume }]);
    }
    const chosen = (ofBranches: boolean) =>
      ofBranches ? fc.subarray([...branchParts], { maxLength: 2 }) : fc.constant([]);
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...parts], { maxLength: 3 }),
        chosen(true),
        chosen(true),
        async (one, two, three) => {
          // A filter has at most one condition for each figure of a level, and brand and non-brand exclude each other.
          fc.pre([two, three].every((some) => some.filter(({ text }) => text.startsWith('volume')).length < 2));
          fc.pre(one.filter(({ text }) => text.includes('brand')).length < 2);
          const text = [
            ...one.map((part) => part.text),
            ...two.map((part) => `cluster-${part.text}`),
            ...three.map((part) => `pillar-${part.text}`),
          ].join('*');
          const kept = expected(keywords, one, two, three);
          expect([text, await totals(pack, text)]).toEqual([text, { keywords: kept.length, volume: sumOf(kept) }]);
        },
      ),
      { numRuns: sampled(60), seed: 5 },
    );
  },
  120_000,
);
