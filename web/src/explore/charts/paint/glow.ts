import type { Glow } from '../../model/search-results.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { isAround, type Marks, markKind } from '../layout/layout.ts';

/** A mark that glows, and how many hits it is and stands for; 0 where that is not known. */
export type Glowing = { readonly mark: number; readonly hits: number };

/** What of the picture can be seen, in CSS pixels, and whether that is all of it. */
export type Window = { readonly width: number; readonly height: number; readonly isWhole: boolean };

/**
 * The marks that glow. Every hit below the focus has one: its own, or the one that stands for it, be it too small to have
 * a mark, behind a tail, in a branch that is closed or not held. Only what lies out of sight has none.
 */
export function marksThatGlow(marks: Marks, tree: LoadedTree, glow: Glow, window: Window): Glowing[] {
  const { count, kind, row, parent, hidden } = marks;
  /** Hits that a mark is or holds, and those of them that the marks of its children hold. */
  const held = new Float64Array(count);
  const ofChildren = new Float64Array(count);
  /** Whether it has children of which nothing is said. */
  const isVague = new Uint8Array(count);
  const tails = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const above = parent[i]!;
    if (kind[i] === markKind.tail) {
      if (above >= 0) tails[above] = i;
      continue;
    }
    const node = tree.node[row[i]!]!;
    held[i] = glow.counts.get(node) ?? 0;
    if (above < 0) continue;
    ofChildren[above]! += held[i]!;
    if (held[i] === 0 && node > glow.upTo) isVague[above] = 1;
  }
  const glowing: Glowing[] = [];
  for (let i = 0; i < count; i++) {
    if (held[i] === 0) continue;
    if (kind[i] === markKind.node) {
      glowing.push({ mark: i, hits: held[i]! });
      continue;
    }
    const own = glow.hits.has(tree.node[row[i]!]!) ? 1 : 0;
    const behind = held[i]! - own - ofChildren[i]!;
    const tail = isVague[i] ? -1 : tails[i]!;
    // Children out of sight have no mark either: then it is not known how many hits are behind one that is in sight.
    const hits = window.isWhole || (isAround(marks) && isInside(marks, i, window)) ? behind : 0;
    const standsForSome = behind > 0 && (isVague[i] === 1 || hidden[i]! > 0);
    if (behind > 0 && tail >= 0) glowing.push({ mark: tail, hits });
    if (own > 0) glowing.push({ mark: i, hits: 1 });
    else if (tail < 0 && standsForSome && parent[i]! >= 0) glowing.push({ mark: i, hits });
  }
  return glowing;
}

function isInside({ x0, y0, x1, y1 }: Marks, i: number, { width, height }: Window): boolean {
  return x0[i]! >= -0.5 && y0[i]! >= -0.5 && x1[i]! <= width + 0.5 && y1[i]! <= height + 0.5;
}
