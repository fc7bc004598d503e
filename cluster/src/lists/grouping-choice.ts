import { minWithPillars } from '../hierarchy/settings.ts';
import { type Grouping, groupingByUrl, groupingOf, groupTree, type UrlGrouping } from '../merge/grouping.ts';
import type { Keywords } from '../merge/keywords.ts';
import { rankedAddresses } from '../merge/upload-fields.ts';
import { areNames } from '../read/levels.ts';
import type { ReadLists } from './read-lists.ts';

/**
 * How a list is to be grouped. `columns`: by its grouping columns, if it has some. `none`: by clustering. Or by the columns with these names, from
 * the top level down, or by the URLs of keywords.
 */
export type ChosenGrouping = 'columns' | 'none' | readonly string[] | { readonly url: UrlGrouping };

/** Thrown if a column was chosen as a level that the lists do not have. */
export class NoSuchColumnError extends Error {
  override readonly name = 'NoSuchColumnError';

  readonly column: string;

  constructor(column: string) {
    super(`There is no column "${column}" that can be a group`);
    this.column = column;
  }
}

/**
 * The grouping of lists that was chosen; undefined if none was, or the lists have none.
 *
 * @throws NoSuchColumnError
 */
export function groupingBy({ keywords }: ReadLists, chosen: ChosenGrouping): Grouping | undefined {
  const { texts, urls } = keywords;
  if (chosen === 'none') return undefined;
  if (chosen === 'columns') return groupingOf({ texts });
  if (isByUrl(chosen)) {
    if (!urls) throw new NoSuchColumnError('URL');
    return groupingByUrl(urls, chosen.url);
  }
  const missing = chosen.find((wanted) => !texts.some((column) => column.name === wanted));
  if (missing !== undefined) throw new NoSuchColumnError(missing);
  return groupingOf({ texts }, chosen);
}

const isByUrl = (chosen: ChosenGrouping): chosen is { readonly url: UrlGrouping } =>
  typeof chosen === 'object' && 'url' in chosen;

/** By default, search results decide if at least this share of the keywords has at least so many. */
const enough = { share: 0.5, urls: 3 } as const;

/** Whether most keywords have result URLs. @param urls by keyword */
export const haveEnoughResults = (urls: readonly (readonly string[])[]): boolean =>
  urls.filter(({ length }) => length >= enough.urls).length >= enough.share * urls.length;

/** A group on the top level, with some of the groups in it. */
export type PreviewBranch = {
  readonly name: string;
  readonly keywords: number;
  readonly children: readonly string[];
  /** How many other children there are. */
  readonly more: number;
};

/** What a grouping by columns would make of lists. */
export type GroupsPreview = {
  /** From the top down. `values`: how many different values there are. */
  readonly levels: readonly { readonly name: string; readonly values: number }[];
  readonly are: Grouping['are'];
  /** Whether pillar topics are found above the groups. */
  readonly hasPillarsAbove: boolean;
  readonly without: Grouping['without'];
  /** Groups that have no groups in them. */
  readonly groups: number;
  readonly branches: readonly PreviewBranch[];
};

/** The groupings that a person can choose from. */
export type GroupingChoices = {
  /** Columns that may be levels, in the order of the files. */
  readonly columns: readonly { readonly name: string; readonly values: number }[];
  /** Whether keywords have a page of their own that they can be grouped by. */
  readonly hasUrls: boolean;
  /** Whether most keywords have search results. */
  readonly hasResults: boolean;
};

const shownBranches = 3;
const shownChildren = 3;

export function previewGroups(lists: ReadLists, chosen: ChosenGrouping): GroupsPreview | undefined {
  const grouping = groupingBy(lists, chosen);
  if (!grouping) return undefined;
  const { levels, are, without } = grouping;
  const tree = groupTree(levels, lists.keywords.text.length);
  return {
    levels: levels.map(({ name, values }) => ({ name, values: values.length })),
    are,
    hasPillarsAbove: are === 'clusters' && tree.name.length >= minWithPillars,
    without,
    groups: tree.name.length - new Set(tree.parent.filter((parent) => parent >= 0)).size,
    branches: branchesOf(tree),
  };
}

export function groupingChoices({ texts, urls, results, text }: Keywords): GroupingChoices {
  const columns = texts.filter(
    ({ values, meaning }) => meaning !== 'language' && values.length >= 2 && areNames(values),
  );
  return {
    columns: columns.map(({ name, values }) => ({ name, values: values.length })),
    hasUrls: urls !== undefined && urls.url.length > 0,
    hasResults: text.length > 0 && results !== undefined && haveEnoughResults(rankedAddresses(results)),
  };
}

function branchesOf({ name, parent, of }: ReturnType<typeof groupTree>): PreviewBranch[] {
  const counts = new Uint32Array(name.length);
  for (const group of of) for (let at = group; at >= 0; at = parent[at]!) counts[at]!++;
  const groups = name.map((_, group) => group);
  const tops = groups.filter((group) => parent[group] === -1).slice(0, shownBranches);
  return tops.map((top) => {
    const children = groups.filter((group) => parent[group] === top);
    return {
      name: name[top]!,
      keywords: counts[top]!,
      children: children.slice(0, shownChildren).map((child) => name[child]!),
      more: Math.max(0, children.length - shownChildren),
    };
  });
}

/** The sums of figures that can be added, if some values are known. A person can compare them with those of the tool. */
export type FigureTotals = { readonly [Figure in (typeof summed)[number]]?: number };

const summed = ['volume', 'clicks', 'impressions'] as const;

export function totalsOf({ figures }: Keywords): FigureTotals {
  return Object.fromEntries(
    summed.flatMap((figure) => {
      const known = Array.from(figures[figure] ?? []).filter((value) => !Number.isNaN(value));
      return known.length === 0 ? [] : [[figure, known.reduce((sum, value) => sum + value, 0)]];
    }),
  );
}
