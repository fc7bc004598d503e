import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { namesAt } from '../src/format/names-at.ts';
import { createIngest } from '../src/ingest.ts';
import type { Slice } from '../src/slice/slice.ts';
import { takeSlice } from '../src/slice/take-slice.ts';
import { checkPack } from '../src/write/pack-check.ts';
import { writePack } from '../src/write/pack-writer.ts';
import { arraySink, arraySource } from './support/trees.ts';

// Every figure of every node of real files, against a naive recomputation that shares no code with the product. A test run
// leaves out the longest files of the kinds that it has already; `npm run prove -- figures` compares all.
const { PROVE_RUNS } = process.env;
const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

type Entry = Readonly<Record<string, unknown>>;
type Node = Entry & { readonly name: string; readonly children?: readonly Node[] };
type Upload = { readonly keywords: readonly Entry[]; readonly hierarchy: Node };

const rowsOf = async (file: string, delimiter = ',', fromLine = 1): Promise<Record<string, string>[]> =>
  parse(await readFile(`${data}${file}`), {
    columns: true,
    // The last line or two of an export describe the export.
    relax_column_count: true,
    bom: true,
    delimiter,
    from_line: fromLine,
    quote: delimiter === ',',
  });

/** Unchanged rows below their groups. Groups are listed outermost first. */
async function groupedBy(file: string, groupsOf: (row: Record<string, string>) => readonly string[]): Promise<Upload> {
  const keywords = (await rowsOf(file)).filter((row) => Object.keys(row).length > 1);
  const root = branch('all');
  for (const row of keywords) below(root, groupsOf(row)).children.push({ name: row.Keyword! });
  return { keywords, hierarchy: root };
}

type Branch = Node & { readonly children: Node[] };
const branch = (name: string): Branch => ({ name, children: [] });

/** The branch at a path below another. Missing branches are added. */
function below(from: Branch, path: readonly string[]): Branch {
  let at = from;
  for (const name of path) {
    const known = at.children.find((child) => child.name === name) as Branch | undefined;
    const next = known ?? branch(name);
    if (!known) at.children.push(next);
    at = next;
  }
  return at;
}

const clusters = (row: Record<string, string>) => [row.GROUP!, row.CLUSTER!];
const firstWord = (row: Record<string, string>) => [row.Keyword!.trim().split(/\s+/)[0]!];

/** A taxonomy whose rows have a column for each level. */
async function tiers(file: string, fromLine = 1): Promise<Upload> {
  const root = branch('all');
  for (const row of await rowsOf(`iab-taxonomies/${file}`, '\t', fromLine)) {
    const path = Object.keys(row)
      .filter((column) => /^Tier \d$/.test(column))
      .map((column) => row[column]!.trim())
      .filter((name) => name !== '');
    if (path.length > 0) below(root, path);
  }
  return { keywords: [], hierarchy: root };
}

async function googleProducts(): Promise<Upload> {
  type Category = { id: number; parent_id: number | null; title: string };
  const rows: Category[] = JSON.parse(
    await readFile(`${data}google-product-taxonomy/google_products_categories.json`, 'utf8'),
  );
  const root = branch('all');
  const byId = new Map(rows.map((row) => [row.id, branch(row.title)]));
  for (const row of rows) (row.parent_id === null ? root : byId.get(row.parent_id)!).children.push(byId.get(row.id)!);
  return { keywords: [], hierarchy: root };
}

async function rankings(): Promise<Upload> {
  const keywords: Entry[] = JSON.parse(await readFile(`${data}serp-rankings/rankings.json`, 'utf8'));
  const names = new Set(keywords.map(({ keyword }) => keyword as string));
  return { keywords, hierarchy: { name: 'all', children: [...names].map((name) => ({ name })) } };
}

const upload = async (file: string): Promise<Upload> => ({
  keywords: [],
  ...JSON.parse(await readFile(`${data}${file}`, 'utf8')),
});

const magic = (file: string) => () => groupedBy(`semrush-keyword-magic/${file}.csv`, firstWord);
const files: readonly (readonly [string, () => Promise<Upload>])[] = [
  ['add-to-website.json', () => upload('seed-shape-real/add-to-website.json')],
  ['WordNet', () => upload('wordnet-nouns/wordnet-3.1-nouns.hierarchy.json')],
  [
    '500-error, clustered',
    () => groupedBy('semrush-clustered/500-error_webmaster_clustered_v2_us_2026-04-22.csv', clusters),
  ],
  [
    'add-to-website, clustered',
    () => groupedBy('semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv', clusters),
  ],
  ['Keyword Magic, discourse', magic('discourse_broad-match_us_2026-05-01')],
  ['Keyword Magic, drupal', magic('drupal_broad-match_us_2026-04-30')],
  ['Keyword Magic, joomla', magic('joomla_broad-match_us_2026-04-30')],
  ['Keyword Magic, redmine', magic('redmine_broad-match_us_2026-05-01')],
  ['Keyword Magic, shop-script', magic('shop-script_broad-match_ru_2026-04-30')],
  [
    'Organic Positions',
    () => groupedBy('semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv', (row) => [row.URL!]),
  ],
  ['rankings', rankings],
  ['Google product taxonomy', googleProducts],
  ['IAB ad products', () => tiers('ad-product-taxonomy-2.0.tsv')],
  ['IAB audience', () => tiers('audience-taxonomy-1.1.tsv')],
  ['IAB content', () => tiers('content-taxonomy-3.1.tsv', 2)],
];

const long = new Set([
  'WordNet',
  'add-to-website, clustered',
  'Keyword Magic, discourse',
  'Keyword Magic, drupal',
  'Keyword Magic, joomla',
  'Keyword Magic, redmine',
]);
const chosen = PROVE_RUNS ? files : files.filter(([name]) => !long.has(name));

// Shows P14.11.
test.for(chosen)('every figure of %s equals that of the file', async ([, read], context) => {
  if (!existsSync(data)) return context.skip(`not on this machine: ${data}`);
  const file = await read();
  const shown = await shownOf(file);
  const { compared, differences } = compareAll(file, shown);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(compared).toBe(shown.slice.rows);
});

/** Compares every figure of every node. */
function compareAll(file: Upload, shown: Shown) {
  const expected = figuresOf(file);
  const differences: string[] = [];
  let compared = 0;
  // Children with the same name are told apart by their figures.
  const ofFile = (node: Node) => idOf(node.name, expected.get(node)!);
  const ofPack = (row: number) => idOf(shown.names[row]!, shownAt(shown, row));
  const compare = (node: Node, row: number, path: string) => {
    compared++;
    const [wanted, figures] = [expected.get(node)!, shownAt(shown, row)];
    for (const figure of Object.keys(wanted) as (keyof Figures)[]) {
      if (isSame(figures[figure], wanted[figure])) continue;
      differences.push(`${path}: ${figure} is ${figures[figure]}, not ${wanted[figure]}`);
    }
    const nodes = sortedBy(node.children ?? [], ofFile);
    const rows = sortedBy(shown.children[row]!, ofPack);
    for (let at = 0; at < Math.max(nodes.length, rows.length); at++) {
      const [child, childRow] = [nodes[at], rows[at]];
      const isPair = child && childRow !== undefined && child.name === shown.names[childRow];
      if (isPair) compare(child, childRow, `${path} › ${child.name}`);
      else differences.push(`${path}: ${childRow && shown.names[childRow]}, not ${child?.name}`);
    }
  };
  compare(file.hierarchy, 0, file.hierarchy.name);
  return { compared, differences };
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => [keyOf(item), item] as const);
  return keyed.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, item]) => item);
}

type Figures = {
  readonly keywords: number;
  readonly leaves: number;
  readonly volume: number;
  readonly volumeKnown: number;
  readonly difficulty: number;
  readonly difficultyKnown: number;
  readonly cpc: number;
  readonly cpcKnown: number;
  readonly intents: string;
};

const idOf = (name: string, { leaves, volume, keywords }: Figures) => `${name}\n${leaves} ${keywords} ${volume}`;

/** A pack stores means as 32-bit floats. */
function isSame(shown: number | string, wanted: number | string): boolean {
  if (typeof shown === 'string' || typeof wanted === 'string') return shown === wanted;
  if (Number.isNaN(wanted)) return Number.isNaN(shown);
  return Math.abs(shown - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted));
}

type Shown = { readonly slice: Slice; readonly names: readonly string[]; readonly children: readonly number[][] };

/** The whole tree as the server describes it. */
async function shownOf(file: Upload): Promise<Shown> {
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(bytes);
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const slice = await takeSlice(pack, { node: 0, budget: pack.metadata.nodes, skip: 0 });
  const children: number[][] = Array.from({ length: slice.rows }, () => []);
  for (let row = 1; row < slice.rows; row++) children[slice.parent[row]!]!.push(row);
  return { slice, names: await namesAt(pack, slice.node), children };
}

function shownAt({ slice }: Shown, row: number): Figures {
  return {
    keywords: slice.keywords[row]!,
    leaves: slice.leaves[row]!,
    volume: slice.volume[row]!,
    volumeKnown: slice.volumeKnown[row]!,
    difficulty: slice.difficulty[row]!,
    difficultyKnown: slice.difficultyKnown[row]!,
    cpc: slice.cpc[row]!,
    cpcKnown: slice.cpcKnown[row]!,
    intents: slice.intent.subarray(4 * row, 4 * row + 4).join(' '),
  };
}

const intents = ['informational', 'navigational', 'commercial', 'transactional'];
const fields = {
  volume: ['search_volume', 'Search Volume', 'Volume'],
  difficulty: ['keyword_difficulty', 'Keyword Difficulty'],
  cpc: ['cpc', 'CPC', 'CPC (USD)'],
  intent: ['intent', 'Intent', 'Keyword Intents'],
};
type Keyword = {
  readonly key: string;
  readonly volume: number;
  readonly difficulty: number;
  readonly cpc: number;
  readonly intents: readonly boolean[];
};

const keyOf = (text: string) => text.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
const firstKnown = (entry: Entry, names: readonly string[]) =>
  names.map((name) => entry[name]).find((value) => value !== undefined && value !== '');
const numberOf = (entry: Entry, names: readonly string[]) => Number(firstKnown(entry, names) ?? Number.NaN);

/** The figures of a keyword: those of its node, otherwise the newest known ones of its entries. Intents add up. */
function keywordOf(node: Node, entries: readonly Entry[]): Keyword {
  const newest = entries.toSorted((a, b) => String(a.Timestamp ?? '').localeCompare(String(b.Timestamp ?? '')));
  const figure = (names: readonly string[]) =>
    [numberOf(node, names), ...newest.map((entry) => numberOf(entry, names)).reverse()].find(
      (value) => !Number.isNaN(value),
    ) ?? Number.NaN;
  const texts = [node, ...entries]
    .flatMap((entry) => firstKnown(entry, fields.intent) ?? [])
    .join()
    .toLowerCase();
  return {
    key: keyOf(node.name),
    volume: figure(fields.volume),
    difficulty: figure(fields.difficulty),
    cpc: figure(fields.cpc),
    intents: intents.map((intent) => texts.includes(intent)),
  };
}

/** The figures of every node by definition: those of the distinct keywords below it. */
function figuresOf({ keywords, hierarchy }: Upload): Map<Node, Figures> {
  const entries = new Map<string, Entry[]>();
  for (const entry of keywords) {
    const key = keyOf(String(entry.keyword ?? entry.Keyword));
    const listed = entries.get(key);
    if (listed) listed.push(entry);
    else entries.set(key, [entry]);
  }
  const figures = new Map<Node, Figures>();
  const leavesOf = (node: Node): Keyword[] => {
    const leaves = node.children?.length
      ? node.children.flatMap(leavesOf)
      : [keywordOf(node, entries.get(keyOf(node.name)) ?? [])];
    figures.set(node, summed(leaves));
    return leaves;
  };
  leavesOf(hierarchy);
  return figures;
}

function summed(leaves: readonly Keyword[]): Figures {
  const distinct = [...new Map(leaves.toReversed().map((leaf) => [leaf.key, leaf])).values()];
  const known = (figure: 'volume' | 'difficulty' | 'cpc') =>
    distinct.map((one) => one[figure]).filter((value) => !Number.isNaN(value));
  const sum = (values: readonly number[]) =>
    values.length === 0 ? Number.NaN : values.reduce((total, value) => total + value, 0);
  const mean = (values: readonly number[]) => sum(values) / values.length;
  return {
    keywords: distinct.length,
    leaves: leaves.length,
    volume: sum(known('volume')),
    volumeKnown: known('volume').length,
    difficulty: mean(known('difficulty')),
    difficultyKnown: known('difficulty').length,
    cpc: mean(known('cpc')),
    cpcKnown: known('cpc').length,
    intents: intents.map((_, kind) => distinct.filter((one) => one.intents[kind]).length).join(' '),
  };
}
