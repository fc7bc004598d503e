import type { NamedTexts } from '../merge/keywords.ts';
import { type ClusterTools, cluster, listSettingsOf } from '../pipeline/cluster.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import type { Sharing } from '../shared-urls/groups.ts';
import { type ClusteredList, uploadJson } from '../write/upload-json.ts';
import { groupedTree } from './grouped-tree.ts';
import type { ReadLists } from './read-lists.ts';
import { addressesOf, uploadFieldsOf } from './upload-fields.ts';

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

/**
 * Makes a map of lists: pillar topics, clusters and keywords with their figures.
 *
 * @throws RangeError if a column that was chosen does not exist
 */
export async function makeMap(
  { keywords, report, files }: ReadLists,
  choices: MapChoices,
  tools: ClusterTools,
): Promise<KeywordMap> {
  const { name, grouping, results, ...rest } = choices;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const levels = levelsOf(keywords.texts, grouping);
  const urls = keywords.results && keywords.text.map((_, row) => addressesOf(keywords.results!, row));
  const byResults = results ?? (urls && isMostlyKnown(urls) ? defaultResults : undefined);
  const method: MapMethod = levels.length > 0 ? 'columns' : byResults ? 'results' : 'text';
  const settings = listSettingsOf({ ...rest, ...(byResults && { results: byResults }) });
  const tree =
    method === 'columns'
      ? groupedTree(levels, volume)
      : await cluster({ texts: keywords.text, volume, ...(urls && { urls }) }, settings, tools);
  const { pillars, clusters, strays } = countsOf(tree);
  const list: ClusteredList = {
    name,
    texts: keywords.text,
    fields: uploadFieldsOf({ ...keywords, texts: keywords.texts.filter((column) => !levels.includes(column)) }),
    volume,
    tree,
    clustering: {
      method,
      ...(method === 'columns' ? { levels: levels.map((level) => level.name) } : { settings }),
      ...(method !== 'columns' && { model: tools.encoder?.id ?? 'none' }),
      sources: files.map(({ name: file, reading, report: read }) => ({
        name: file,
        vendor: reading.vendor,
        rows: read.rows,
        unreadable: read.unreadable,
        footers: read.footers.length,
        ...(reading.market && { market: reading.market }),
        ...(reading.exported && { exported: reading.exported }),
      })),
      counts: { rows: report.rows, keywords: report.keywords, merged: report.repeats, strays },
    },
  };
  return { method, tree, pillars, clusters, strays, json: uploadJson(list) };
}

function levelsOf(texts: readonly NamedTexts[], grouping: MapChoices['grouping']): NamedTexts[] {
  if (grouping === 'none') return [];
  if (grouping === 'columns') {
    const levels = texts.filter(({ meaning }) => meaning.startsWith('level'));
    return levels.toSorted((one, other) => (one.meaning < other.meaning ? -1 : 1));
  }
  return grouping.map((wanted) => {
    const column = texts.find(({ name }) => name === wanted);
    if (!column) throw new RangeError(`There is no column "${wanted}" that can be a group`);
    return column;
  });
}

const isMostlyKnown = (urls: readonly (readonly string[])[]): boolean =>
  urls.filter(({ length }) => length >= enough.urls).length >= enough.share * urls.length;

function countsOf({ topics, topicOf }: TopicTree) {
  const of = (kind: string) => topics.filter((topic) => topic.kind === kind).length;
  const stray = topics.findIndex(({ kind }) => kind === 'stray');
  const strays = topicOf.reduce((sum, topic) => sum + Number(topic === stray), 0);
  return { pillars: of('pillar_topic'), clusters: of('cluster'), strays: stray < 0 ? 0 : strays };
}
