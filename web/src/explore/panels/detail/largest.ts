import { isKnown } from '../../format/numbers.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

/** Children, the greatest figure first, and which figure that is. */
export type Largest = { readonly by: 'keywords' | 'volume'; readonly rows: readonly number[] };

/**
 * The children of a row with the greatest figure, unknown ones last, `count` at most.
 *
 * The figure is the keywords where that tells them apart. Keywords all have one, and children that are not held are
 * behind the held ones by volume only, the pack's order: then it is the volume, if any is known.
 */
export function largestOf(tree: LoadedTree, row: number, count: number): Largest {
  const children = tree.children(row).filter((child) => !tree.isLeftOut(child));
  const saysNothing = tree.tail(row).nodes > 0 || children.every((child) => tree.keywords[child]! <= 1);
  const by = saysNothing && children.some((child) => isKnown(tree.volume[child])) ? 'volume' : 'keywords';
  const figure = (child: number) => (isKnown(tree[by][child]) ? tree[by][child] : Number.NEGATIVE_INFINITY);
  const rows = Array.from(children).sort((one, other) => {
    const [a, b] = [figure(one), figure(other)];
    return a === b ? 0 : b - a;
  });
  return { by, rows: rows.slice(0, count) };
}
