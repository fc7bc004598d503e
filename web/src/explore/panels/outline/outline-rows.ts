import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

/** A row of the outline: a node, or a placeholder for children that are not loaded. */
export type OutlineRow =
  | {
      readonly kind: 'node';
      /** Its row of the loaded tree. */
      readonly row: number;
      /** From 1, which is the top of the outline. */
      readonly level: number;
      /** Its place among its siblings, from 1, and their number, those that are not loaded included. */
      readonly position: number;
      readonly of: number;
    }
  /** The children of `row` that are not loaded: how many they are, and their level. */
  | { readonly kind: 'more'; readonly row: number; readonly level: number; readonly nodes: number };

/** The indentation per level in pixels. It shrinks at depths where names would have no space, then stops. */
const step = { px: 14, levels: 5 };
const smallStep = { px: 4, levels: 10 };

/**
 * The indentation of a level in pixels, 0 at level 1. Where levels look the same, `aria-level` still tells them apart.
 */
export function indentOf(level: number): number {
  const steps = Math.min(level - 1, step.levels);
  return steps * step.px + Math.min(level - 1 - steps, smallStep.levels) * smallStep.px;
}

/** The levels whose rows have a bar beside the name. Names on deeper levels need its space. */
export const barredLevels = step.levels + 1;

/**
 * Flattens the branch of `top` to list rows, descending into expanded branches. The top itself comes first, at level 1.
 *
 * @param childrenOf the children of a row to list, in order; one row stands for the rest
 *
 * Cost: the number of rows returned. It does not recurse, so depth does not matter.
 */
export function outlineRows(
  tree: LoadedTree,
  top: number,
  expanded: ReadonlySet<number>,
  childrenOf: (row: number) => Int32Array = (row) => tree.children(row),
): OutlineRow[] {
  const lines: OutlineRow[] = [];
  const waiting: OutlineRow[] = [{ kind: 'node', row: top, level: 1, position: 1, of: 1 }];
  for (let line = waiting.pop(); line; line = waiting.pop()) {
    lines.push(line);
    if (line.kind === 'more' || !expanded.has(line.row)) continue;
    const level = line.level + 1;
    const children = childrenOf(line.row);
    const nodes = tree.childCount[line.row]! - children.length;
    if (nodes > 0) waiting.push({ kind: 'more', row: line.row, level, nodes });
    for (let i = children.length - 1; i >= 0; i--) {
      waiting.push({ kind: 'node', row: children[i]!, level, position: i + 1, of: children.length + nodes });
    }
  }
  return lines;
}
