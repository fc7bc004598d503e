import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** Texts whose grouping is known. Repeated texts are one keyword, and every row of the file is scored. */
export type Gold = {
  readonly name: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly keywords: readonly string[];
  /** Monthly searches; NaN where the file has none. */
  readonly volume: Float64Array;
  /** The keyword of each row. */
  readonly keywordOf: Int32Array;
  /** The group of each row, by the name of the level. */
  readonly groups: Readonly<Record<string, Int32Array>>;
  /** What the authors called each group, by the name of the level. */
  readonly names: Readonly<Record<string, readonly string[]>>;
};

const folder = new URL('../../../shared/data/', import.meta.url);

type Source = {
  readonly path: string;
  readonly text: string;
  readonly volume?: string;
  /** ISO 639-1; English without one. */
  readonly language?: string;
  /** The columns of each level. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** Whether groups have names such as "AddToPlaylist". */
  readonly areNamesJoined?: boolean;
};

const sources = {
  banking77: { path: 'clustering-gold/banking77-test.csv', text: 'text', levels: { cluster: ['category'] } },
  hwu64: {
    path: 'clustering-gold/hwu64-sample.tsv',
    text: 'text',
    levels: { cluster: ['intent'], pillar: ['scenario'] },
  },
  'xsid-en': {
    path: 'clustering-gold/xsid-en.tsv',
    text: 'text',
    levels: { cluster: ['intent'] },
    areNamesJoined: true,
  },
  'xsid-de': {
    path: 'clustering-gold/xsid-de.tsv',
    text: 'text',
    language: 'de',
    levels: { cluster: ['intent'] },
    areNamesJoined: true,
  },
  'xsid-da': {
    path: 'clustering-gold/xsid-da.tsv',
    text: 'text',
    language: 'da',
    levels: { cluster: ['intent'] },
    areNamesJoined: true,
  },
  'add-to-website': {
    path: 'semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv',
    text: 'Keyword',
    volume: 'Volume',
    levels: { cluster: ['GROUP', 'CLUSTER'], pillar: ['GROUP'] },
  },
  '500-error': {
    path: 'semrush-clustered/500-error_webmaster_clustered_v2_us_2026-04-22.csv',
    text: 'Keyword',
    volume: 'Volume',
    levels: { cluster: ['GROUP', 'CLUSTER'], pillar: ['GROUP'] },
  },
} as const satisfies Readonly<Record<string, Source>>;

export type GoldName = keyof typeof sources;

/** Constants may be chosen on these. The others are only reported. */
export const tuningSets: readonly GoldName[] = ['banking77', 'hwu64', 'xsid-en', 'xsid-de', 'xsid-da'];
export const reportedSets: readonly GoldName[] = ['add-to-website', '500-error'];

export const hasGold = (name: GoldName): boolean => existsSync(new URL(sources[name].path, folder));

/** The data is not part of the repository; undefined without it. */
export function readGold(name: GoldName): Gold | undefined {
  const { path, text, volume, language = 'en', levels, areNamesJoined = false }: Source = sources[name];
  const file = new URL(path, folder);
  if (!existsSync(file)) return undefined;
  const isTabs = path.endsWith('.tsv');
  const rows: Record<string, string>[] = parse(readFileSync(file), {
    bom: true,
    columns: true,
    delimiter: isTabs ? '\t' : ',',
    quote: isTabs ? false : '"',
  });
  const numbers = new Map<string, number>();
  const volumes: number[] = [];
  const keywordOf = Int32Array.from(rows, (row) => {
    const keyword = row[text]!;
    if (!numbers.has(keyword)) {
      numbers.set(keyword, numbers.size);
      volumes.push(volume === undefined || row[volume] === '' ? Number.NaN : Number(row[volume]));
    }
    return numbers.get(keyword)!;
  });
  const paths = Object.entries(levels).map(
    ([level, columns]) => [level, rows.map((row) => columns.map((column) => row[column]).join('\n'))] as const,
  );
  return {
    name,
    language,
    keywords: [...numbers.keys()],
    volume: Float64Array.from(volumes),
    keywordOf,
    groups: Object.fromEntries(paths.map(([level, ofRow]) => [level, numbered(ofRow)])),
    names: Object.fromEntries(
      paths.map(([level, ofRow]) => [
        level,
        Array.from(new Set(ofRow), (path) => {
          const last = path.split('\n').at(-1)!;
          return areNamesJoined ? last.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ') : last;
        }),
      ]),
    ),
  };
}

/** Rows whose authors put them into no pillar topic. */
export const isOther = ({ names, groups }: Gold, row: number): boolean =>
  names.pillar?.[groups.pillar![row]!] === 'Other';

/** At most so many keywords of what the authors put into a pillar topic, evenly drawn. */
export function placedSample(gold: Gold, most: number): Gold {
  const seen = new Set<number>();
  const rows = [...gold.keywordOf.keys()].filter((row) => {
    const isFirst = !seen.has(gold.keywordOf[row]!);
    seen.add(gold.keywordOf[row]!);
    return isFirst && !isOther(gold, row);
  });
  const step = Math.max(1, rows.length / most);
  const drawn = Array.from({ length: Math.min(most, rows.length) }, (_, index) => rows[Math.floor(index * step)]!);
  return {
    ...gold,
    keywords: drawn.map((row) => gold.keywords[gold.keywordOf[row]!]!),
    volume: Float64Array.from(drawn, (row) => gold.volume[gold.keywordOf[row]!]!),
    keywordOf: Int32Array.from(drawn.keys()),
    groups: Object.fromEntries(
      Object.entries(gold.groups).map(([level, of]) => [level, Int32Array.from(drawn, (row) => of[row]!)]),
    ),
  };
}

function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(names, (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
}
