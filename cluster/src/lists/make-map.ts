import { type Grouping, groupingOf } from '../merge/grouping.ts';
import type { NamedTexts } from '../merge/keywords.ts';
import { rankedAddresses, uploadFields } from '../merge/upload-fields.ts';
import { type ClusterTools, cluster, listSettingsOf } from '../pipeline/cluster.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import type { Meaning } from '../read/reading.ts';
import type { Sharing } from '../shared-urls/groups.ts';
import { type ClusteredList, uploadJson } from '../write/upload-json.ts';
import { groupedTree } from './grouped-tree.ts';
import type { ReadLists } from './read-lists.ts';

/** What a person chooses. */
export type MapChoices = Omit<Parameters<typeof listSettingsOf>[0] & object, 'results' | 'forceTail'> & {
  /** The name of the root. */
  readonly name: string;
  /**
   * `columns`: by the grouping columns of the list, if it has some. `none`: never. Or the names of columns, from the top
   * level down.
   */
  readonly grouping: 'columns' | 'none' | readonly string[];
  /** By shared result URLs. By default if most keywords have some. */
  readonly results?: { readonly sharing: Sharing; readonly least: number; readonly perKeyword: number } | undefined;
};

/** How the keywords were grouped. */
export type MapMethod = 'columns' | 'results' | 'text';

export type KeywordMap = {
  readonly method: MapMethod;
  readonly tree: TopicTree;
  readonly pillars: number;
  readonly clusters: number;
  readonly strays: number;
  /** The upload, in blocks. */
  readonly json: Iterable<Uint8Array>;
};

/** Search results decide if at least this share of the keywords has at least so many. */
const enough = { share: 0.5, urls: 3 } as const;
const defaultResults = { sharing: 'smart', least: 3, perKeyword: 10 } as const;

/** A column was chosen as a level that the lists do not have. */
export class NoSuchColumnError extends Error {
  override readonly name = 'NoSuchColumnError';

  constructor(column: string) {
    super(`There is no column "${column}" that can be a group`);
  }
}

/**
 * Makes a map of lists: pillar topics, clusters and keywords with their figures.
 *
 * @param loadTools is called if keywords have to be clustered, and not if the lists have all groups
 * @throws NoSuchColumnError
 */
export async function makeMap(
  lists: ReadLists,
  choices: MapChoices,
  loadTools: () => Promise<ClusterTools>,
): Promise<KeywordMap> {
  const { keywords } = lists;
  const { grouping: chosen, results, name, ...rest } = choices;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const grouping = groupingBy(lists, chosen);
  const urls = grouping ? undefined : keywords.results && rankedAddresses(keywords.results);
  const byResults = grouping ? undefined : (results ?? (urls && isMostlyKnown(urls) ? defaultResults : undefined));
  const method: MapMethod = grouping ? 'columns' : byResults ? 'results' : 'text';
  const settings = listSettingsOf({ ...rest, ...(byResults && { results: byResults }) });
  const isComplete = grouping !== undefined && grouping.are !== 'pillar-topics';
  const tools = isComplete ? undefined : await loadTools();
  const clusterSome = tools && ((rows: Int32Array) => cluster(someOf(keywords.text, volume, rows), settings, tools));
  const tree = grouping
    ? await groupedTree(grouping.levels, volume, clusterSome)
    : await cluster({ texts: keywords.text, volume, ...(urls && { urls }) }, settings, tools!);
  const counts = countsOf(tree);
  const clustering = {
    method,
    ...(grouping && { levels: grouping.levels.map((level) => level.name) }),
    ...(tools && { settings, model: tools.encoder?.id ?? 'none' }),
    ...originOf(lists, counts.strays),
  };
  const taken = new Set<unknown>(grouping?.levels);
  // A column that could be a level and is none stays what is known about the keywords.
  const texts = keywords.texts.flatMap((column) =>
    taken.has(column) ? [] : [{ ...column, meaning: keptMeaning(column) }],
  );
  const fields = uploadFields({ ...keywords, texts });
  const list: ClusteredList = { name, texts: keywords.text, fields, volume, tree, clustering };
  return { method, tree, ...counts, json: uploadJson(list) };
}

function groupingBy({ keywords, files }: ReadLists, chosen: MapChoices['grouping']): Grouping | undefined {
  const { texts } = keywords;
  if (chosen === 'none') return undefined;
  // In the exports of known tools, only columns with the names of levels are some.
  if (chosen === 'columns')
    return groupingOf({ texts }, { usesUnnamed: files.every(({ reading }) => reading.vendor === 'table') });
  const missing = chosen.find((wanted) => !texts.some((column) => column.name === wanted));
  if (missing !== undefined) throw new NoSuchColumnError(missing);
  return groupingOf({ texts }, { chosen });
}

const keptMeaning = ({ meaning }: NamedTexts): Meaning => (meaning.startsWith('level') ? 'keep' : meaning);

/** Where the keywords come from. */
const originOf = ({ report, files }: ReadLists, strays: number) => ({
  sources: files.map(({ name, reading, report: read }) => ({
    name,
    vendor: reading.vendor,
    rows: read.rows,
    unreadable: read.unreadable,
    footers: read.footers.length,
    ...(reading.market && { market: reading.market }),
    ...(reading.exported && { exported: reading.exported }),
  })),
  counts: { rows: report.rows, keywords: report.keywords, merged: report.repeats, strays },
});

/** Keywords in file order. */
const someOf = (texts: readonly string[], volume: Float64Array, rows: Int32Array) => ({
  texts: Array.from(rows, (row) => texts[row]!),
  volume: Float64Array.from(rows, (row) => volume[row]!),
});

const isMostlyKnown = (urls: readonly (readonly string[])[]): boolean =>
  urls.filter(({ length }) => length >= enough.urls).length >= enough.share * urls.length;

function countsOf({ topics, topicOf }: TopicTree) {
  const of = (kind: string) => topics.filter((topic) => topic.kind === kind).length;
  const stray = topics.findIndex(({ kind }) => kind === 'stray');
  const strays = topicOf.reduce((sum, topic) => sum + Number(topic === stray), 0);
  return { pillars: of('pillar_topic'), clusters: of('cluster'), strays: stray < 0 ? 0 : strays };
}
