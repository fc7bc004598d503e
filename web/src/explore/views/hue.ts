import { none } from '../state/explorer-state.ts';
import type { HeldTree } from '../store/held-tree.ts';

const hues = 12;

/** The colour of the pillar topic a row belongs to, the same as on the canvas; the root has the brand's. */
export function hueOf(tree: HeldTree, row: number): string {
  const pillar = tree.pillarOf(row);
  if (pillar === none) return 'var(--brand)';
  return `var(--pillar-${(tree.children(tree.root).indexOf(pillar) % hues) + 1})`;
}
