import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useTheme } from '../../ui/environment.ts';
import { colourOfNth } from '../charts/paint/colour-scale.ts';
import { paletteOf } from '../charts/paint/colours.ts';
import { none } from '../tree-data/columns.ts';
import { useExplorer, useLook } from './explorer-context.ts';

type Row = {
  /** Whether keys act on it. */
  readonly isCurrent: boolean;
  /** Whether it is one of the selected or compared rows. */
  readonly isSelected: boolean;
};

/**
 * How a row of a list looks. Selected rows are tinted, and have a tick or a number; the current row has a bar at its start
 * and bold text, so both can be told apart without colour. The row must be positioned.
 */
export const rowLook = ({ isCurrent, isSelected }: Row): string =>
  classNames(
    isSelected
      ? 'bg-brand-soft text-brand-ink'
      : isCurrent
        ? 'bg-sunken text-ink'
        : 'bg-surface text-ink hover:bg-sunken',
    // A border, which forced colours keep.
    isCurrent &&
      'font-semibold before:pointer-events-none before:absolute before:inset-y-0 before:left-0 before:z-[2] before:border-brand before:border-l-4',
  );

/** The number of a node in the comparison, beside its name. A screen reader reads it as part of the name. */
export function ComparedBadge({ number }: { readonly number: number }) {
  return (
    <Badge tone="brand" className="border border-brand">
      <span className="sr-only">, compared, number </span>
      {number}
    </Badge>
  );
}

/** The colour of a row's pillar topic, as on the canvas: strays have none. The root has the brand colour. */
export function useHue(): (row: number) => string {
  const { tree } = useExplorer();
  const palette = paletteOf(
    useTheme(),
    useLook((state) => state.isColourBlindSafe),
  );
  useLook((state) => state.treeVersion);
  return (row) => {
    const pillar = tree.size === 0 ? none : tree.pillarOf(row);
    if (pillar === none) return 'var(--brand)';
    return tree.isStrays(pillar) ? palette.neutral : colourOfNth(palette, tree.node[pillar]! - 1);
  };
}
