import { Badge } from '../../ui/badge.tsx';
import { useTheme } from '../../ui/environment.ts';
import { colourAt } from '../charts/paint/colour-scale.ts';
import { type Palette, paletteOf } from '../charts/paint/colours.ts';
import { none } from '../tree-data/columns.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/** The number of a node in the comparison, beside its name. A screen reader reads it as part of the name. */
export function ComparedBadge({ number }: { readonly number: number }) {
  return (
    <Badge tone="brand" className="border border-brand">
      <span className="sr-only">, compared, number </span>
      {number}
    </Badge>
  );
}

/** The colours of the charts, for the theme and for the person. */
export const usePalette = (): Palette =>
  paletteOf(
    useTheme(),
    useLook((state) => state.isColourBlindSafe),
  );

/** The colour of a row's pillar topic, as on the canvas: strays have none. The root has the brand colour. */
export function useHue(): (row: number) => string {
  const { tree } = useExplorer();
  const palette = usePalette();
  useLook((state) => state.treeVersion);
  return (row) => {
    const pillar = tree.size === 0 ? none : tree.pillarOf(row);
    if (pillar === none) return 'var(--brand)';
    return tree.isStrays(pillar) ? palette.neutral : colourAt(palette, tree.node[pillar]! - 1);
  };
}
