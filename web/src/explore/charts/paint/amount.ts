import { compactText } from '../../../ui/number-text.ts';
import { shortFigure } from '../../format/figure-text.ts';
import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Writer } from './text.ts';

/** A figure if it fits, otherwise none: a truncated figure would be a different figure. */
export const wholeAmount = (amount: string, writer: Writer, room: number): string =>
  writer.width(amount) <= room ? amount : '';

/**
 * The figure in a mark: the one that its size encodes, so that text and size agree. '' if it is unknown, and for a
 * single keyword. The keywords of a branch are its leaves if it has none; where a filter excludes some, the text also
 * shows the total.
 */
export function amountText(tree: LoadedTree, row: number, sizeBy: SizeBy): string {
  const figures = sizeBy === 'equal' ? undefined : figuresOf(tree, sizeBy);
  if (sizeBy !== 'equal' && figures && figures.rollUp !== 'count') {
    const value = figures.value[row]!;
    return Number.isNaN(value) ? '' : shortFigure(sizeBy, value);
  }
  if (tree.childCount[row] === 0 || tree.isLeftOut(row)) return '';
  const [kept, of] = [tree.keywords[row]!, tree.ofKeywords[row]!];
  if (kept !== of) return `${compactText(kept)} of ${compactText(of)}`;
  return compactText(kept || tree.leaves[row]!);
}
