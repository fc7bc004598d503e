import { classNames } from '../../ui/class-names.ts';

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
