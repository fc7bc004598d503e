import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { compact, counted, exact } from './numbers.ts';

/** Whether a filter excludes some keywords of a branch. */
export const isCut = (tree: LoadedTree, row: number): boolean => tree.keywords[row] !== tree.ofKeywords[row];

/** The text for a node that the filter excludes: "left out by the filter, 27,640 keywords without it" */
export const leftOutText = (tree: LoadedTree, row: number): string =>
  `left out by the filter, ${counted(tree.ofKeywords[row]!, 'keyword')} without it`;

/** "27,640 keywords", or under a filter "1,204 of 27,640 keywords" */
export function keywordsOf(tree: LoadedTree, row: number): string {
  if (tree.isLeftOut(row)) return leftOutText(tree, row);
  const of = counted(tree.ofKeywords[row]!, 'keyword');
  return isCut(tree, row) ? `${exact(tree.keywords[row])} of ${of}` : of;
}

/** The number alone, short: "27.6K", "1.2K of 27.6K" */
export function compactKeywordsOf(tree: LoadedTree, row: number): string {
  const of = compact(tree.ofKeywords[row]);
  return isCut(tree, row) ? `${compact(tree.keywords[row])} of ${of}` : of;
}

/** The number alone, exact: "1,204 of 27,640" */
export function exactKeywordsOf(tree: LoadedTree, row: number): string {
  const of = exact(tree.ofKeywords[row]);
  return isCut(tree, row) ? `${exact(tree.keywords[row])} of ${of}` : of;
}
