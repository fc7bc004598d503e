import { type Theme, useTheme } from '../../ui/theme.ts';
import { legendFor } from '../draw/legend.ts';
import { none } from '../state/explorer-state.ts';
import type { HeldTree } from '../store/held-tree.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/** The colour of the pillar topic a row belongs to, the same as on the canvas; the root has the brand's. */
export function useHue(): (row: number) => string {
  const { tree } = useExplorer();
  const theme = useTheme();
  useLook((state) => state.treeVersion);
  const colours = coloursOf(tree, theme);
  return (row) => colours.get(tree.size === 0 ? none : tree.pillarOf(row)) ?? 'var(--brand)';
}

type Colours = { readonly version: number; readonly theme: Theme; readonly byPillar: ReadonlyMap<number, string> };
const known = new WeakMap<HeldTree, Colours>();

/** Every line of a list asks; the tree changes rarely. */
function coloursOf(tree: HeldTree, theme: Theme): ReadonlyMap<number, string> {
  const held = known.get(tree);
  if (held?.version === tree.version && held.theme === theme) return held.byPillar;
  const byPillar = new Map(legendFor(tree, 'pillar', theme).map((entry) => [entry.row, entry.colour]));
  known.set(tree, { version: tree.version, theme, byPillar });
  return byPillar;
}
