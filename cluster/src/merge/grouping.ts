import { areNames, levelsAmong } from '../read/levels.ts';
import { folderLevels, pageLevel } from './address-levels.ts';
import type { Keywords, NamedTexts } from './keywords.ts';
import type { Postings } from './postings.ts';
import type { TextColumn } from './text-column.ts';

/** Up to this many values of a single level are pillar topics, in which clusters are found; more are clusters. */
const maxPillars = 60;

/** By page, or by this many levels of folders. */
export type UrlGrouping = 'page' | 1 | 2 | 3;

/** A grouping that a list came with. */
export type Grouping = {
  /** From the top down, one to four. */
  readonly levels: readonly NamedTexts[];
  /** What the groups are: with several levels the whole tree, with one level pillar topics or clusters. */
  readonly are: 'tree' | 'pillar-topics' | 'clusters';
  /** Values that mean "no group", with the number of their keywords; the most frequent first. */
  readonly without: readonly { readonly value: string; readonly keywords: number }[];
};

/**
 * The grouping among the columns of a list; undefined if it has none.
 *
 * @param chosen the names of the columns that a person chose, from the top down
 */
export function groupingOf({ texts }: Pick<Keywords, 'texts'>, chosen?: readonly string[]): Grouping | undefined {
  const levels = chosen
    ? chosen.flatMap((name) => texts.find((column) => column.name === name) ?? [])
    : detectedLevels(texts);
  if (levels.length === 0) return undefined;
  return { levels, are: groupKindOf(levels), without: valuesWithoutGroup(levels) };
}

/** The grouping by the pages of keywords, which are clusters, or by this many levels of the folders of these pages. */
export function groupingByUrl(urls: Postings, by: UrlGrouping): Grouping {
  const named = (column: TextColumn, name: string): NamedTexts => ({ ...column, name, meaning: 'keep' });
  if (by === 'page') return { levels: [named(pageLevel(urls), 'Page')], are: 'clusters', without: [] };
  const folders = folderLevels(urls, by);
  const names = ['Host', 'Folder', 'Folder 2', 'Folder 3'].slice(folders.length > by ? 0 : 1);
  const levels = folders.map((column, at) => named(column, names[at]!));
  // Deeper folders may not exist.
  const known = levels.filter(({ values }) => values.length > 0);
  return { levels: known, are: groupKindOf(known), without: [] };
}

function groupKindOf([first, ...others]: readonly NamedTexts[]): Grouping['are'] {
  if (others.length > 0) return 'tree';
  return first!.values.length <= maxPillars ? 'pillar-topics' : 'clusters';
}

function detectedLevels(texts: readonly NamedTexts[]): NamedTexts[] {
  const candidates = texts
    .filter(({ meaning, values }) => meaning !== 'language' && areNames(values))
    .map((column) => ({ name: column.name, codes: column.codes, values: column.values.length, column }));
  return levelsAmong(candidates).map(({ column }) => column);
}

const noGroup =
  /^(?:others?|misc|miscellaneous|uncategori[sz]ed|unclustered|ungrouped|unassigned|\(not set\)|(?:zzz_)?no[_ ](?:cluster|group|topic))$/iu;

export const isNoGroup = (value: string): boolean => noGroup.test(value.trim());

function valuesWithoutGroup(levels: readonly NamedTexts[]): { value: string; keywords: number }[] {
  const found = new Map<string, number>();
  const { length } = levels[0]!.codes;
  for (let keyword = 0; keyword < length; keyword++) {
    const named = levels.map(({ values, codes }) => values[codes[keyword]!] ?? '').find(isNoGroup);
    if (named !== undefined) found.set(named, (found.get(named) ?? 0) + 1);
  }
  const counted = [...found].map(([value, keywords]) => ({ value, keywords }));
  return counted.sort((one, other) => other.keywords - one.keywords);
}

/** Groups as a tree, each after its parent, in the order in which they first appear. */
export type GroupTree = {
  readonly name: readonly string[];
  /** −1 at the top. */
  readonly parent: Int32Array;
  /** Index of the level that a group is a value of. */
  readonly level: Int32Array;
  /** By keyword, its innermost group; −1 for none. */
  readonly of: Int32Array;
};

/**
 * Builds the groups of some levels. Equal values below different groups are different groups. A keyword whose value is unknown on a level stays in
 * the group above.
 */
export function groupTree(levels: readonly TextColumn[], keywords: number): GroupTree {
  const name: string[] = [];
  const parent: number[] = [];
  const level: number[] = [];
  const children = new Map<string, number>();
  const groupOf = (over: number, depth: number, code: number): number => {
    const key = `${over} ${depth} ${code}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const group = name.push(levels[depth]!.values[code]!) - 1;
    parent.push(over);
    level.push(depth);
    children.set(key, group);
    return group;
  };
  const of = new Int32Array(keywords);
  for (let keyword = 0; keyword < keywords; keyword++) {
    let group = -1;
    for (const [depth, { codes }] of levels.entries()) {
      const code = codes[keyword]!;
      if (code >= 0) group = groupOf(group, depth, code);
    }
    of[keyword] = group;
  }
  return { name, parent: Int32Array.from(parent), level: Int32Array.from(level), of };
}
