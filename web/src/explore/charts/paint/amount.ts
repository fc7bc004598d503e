import { compactFigure, compactText } from '../../../ui/number-text.ts';
import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Writer } from './text.ts';

/** A figure that fits, or none: a figure that is cut is another one. */
export const wholeAmount = (amount: string, writer: Writer, room: number): string =>
  writer.width(amount) <= room ? amount : '';

/**
 * The figure a mark carries: the one that its size shows, so that what is read and what is seen agree. '' where it is
 * unknown, and for a single keyword; keywords of a branch are its leaves where there are none, and say of how many they are
 * where a filter left some out.
 */
export function amountText(tree: LoadedTree, row: number, sizeBy: SizeBy): string {
  const figures = sizeBy === 'equal' ? undefined : figuresOf(tree, sizeBy);
  if (figures && figures.rollUp !== 'count') {
    const value = figures.value[row]!;
    return Number.isNaN(value) ? '' : compactFigure(value);
  }
  if (tree.childCount[row] === 0 || tree.isLeftOut(row)) return '';
  const [kept, of] = [tree.keywords[row]!, tree.ofKeywords[row]!];
  if (kept !== of) return `${compactText(kept)} of ${compactText(of)}`;
  return compactText(kept || tree.leaves[row]!);
}
