import type { Glow } from '../../model/search-results.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { isAround, type Marks, markKind } from '../layout/layout.ts';

/** A mark that glows, and the number of hits it represents; 0 if that is unknown. */
export type Glowing = { readonly mark: number; readonly hits: number };

/** The visible part of the chart, in CSS pixels, and whether that is all of it. */
export type Window = { readonly width: number; readonly height: number; readonly isWhole: boolean };

/**
 * The marks that glow. Every hit below the focus has one: its own mark, or the one that represents it because it is too
 * small for a mark, behind a tail, or in a branch that is closed or not loaded. Only hits outside the viewport have
 * none.
 */
export function marksThatGlow(marks: Marks, tree: LoadedTree, glow: Glow, window: Window): Glowing[] {
  const { count, kind, row, parent, hidden } = marks;
  /** Hits in a mark, and how many of them the marks of its children account for. */
  const hitsIn = new Float64Array(count);
  const ofChildren = new Float64Array(count);
  /** Whether it has children whose hits are unknown. */
  const isVague = new Uint8Array(count);
  const tails = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const above = parent[i]!;
    if (kind[i] === markKind.tail) {
      if (above >= 0 && marks.isGone[i] === 0) tails[above] = i;
      continue;
    }
    const node = tree.node[row[i]!]!;
    hitsIn[i] = glow.counts.get(node) ?? 0;
    if (above < 0) continue;
    ofChildren[above]! += hitsIn[i]!;
    if (hitsIn[i] === 0 && node > glow.lastRow) isVague[above] = 1;
  }
  const glowing: Glowing[] = [];
  for (let i = 0; i < count; i++) {
    if (hitsIn[i] === 0) continue;
    if (kind[i] === markKind.node) {
      glowing.push({ mark: i, hits: hitsIn[i]! });
      continue;
    }
    const own = glow.hits.has(tree.node[row[i]!]!) ? 1 : 0;
    const behind = hitsIn[i]! - own - ofChildren[i]!;
    const tail = isVague[i] ? -1 : tails[i]!;
    // Children outside the viewport have no mark: the number of hits in a mark that is only partly visible is then
    // unknown.
    const hits = window.isWhole || (isAround(marks) && isInside(marks, i, window)) ? behind : 0;
    const representsSome = behind > 0 && (isVague[i] === 1 || hidden[i]! > 0);
    if (behind > 0 && tail >= 0) glowing.push({ mark: tail, hits });
    if (own > 0) glowing.push({ mark: i, hits: 1 });
    else if (tail < 0 && representsSome && parent[i]! >= 0) glowing.push({ mark: i, hits });
  }
  return glowing;
}

function isInside({ x0, y0, x1, y1 }: Marks, i: number, { width, height }: Window): boolean {
  return x0[i]! >= -0.5 && y0[i]! >= -0.5 && x1[i]! <= width + 0.5 && y1[i]! <= height + 0.5;
}
