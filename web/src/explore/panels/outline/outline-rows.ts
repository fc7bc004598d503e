import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

/** A line of the outline: a node, or what of a node's children is not held. */
export type OutlineRow =
  | {
      readonly kind: 'node';
      readonly row: number;
      readonly level: number;
      readonly position: number;
      readonly of: number;
    }
  | { readonly kind: 'more'; readonly row: number; readonly level: number; readonly nodes: number };

/** A step for each level, in pixels; so deep down that names would have no room, a small one, and then none. */
const step = { px: 14, levels: 5 };
const smallStep = { px: 4, levels: 10 };

/** How far in a line of a level stands, in pixels; 0 at level 1. What is told apart no more by eye is still told by `aria-level`. */
export function indentOf(level: number): number {
  const steps = Math.min(level - 1, step.levels);
  return steps * step.px + Math.min(level - 1 - steps, smallStep.levels) * smallStep.px;
}

/** Deeper than this the name needs the room of the bar beside it. */
export const barredLevels = step.levels + 1;

/**
 * The branch of `top` as the lines of a list, expanded branches opened; the top itself stands first, at level 1.
 *
 * @param childrenOf a row's children that are listed, in their order; the others are one line behind them
 *
 * Cost: the lines shown. No recursion, so depth does not matter.
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

/** The id of a row's line in the document: what `aria-activedescendant` points at. */
export function outlineRowId(row: number): string {
  return `outline-${row}`;
}
