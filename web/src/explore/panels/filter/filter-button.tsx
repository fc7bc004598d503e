import { readFilter } from '@kc/pack/filter/filter-text';
import { ListFilter } from 'lucide-react';
import { lazy, type RefObject, useState } from 'react';
import { Popover } from '../../../ui/popover.tsx';
import { partsOf } from '../../model/filter-parts.ts';
import { useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.tsx')).FilterPanel }));
const FilterSheet = lazy(async () => ({ default: (await import('./filter-sheet.tsx')).FilterSheet }));

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
};

/** Opens what can be filtered by, and says how much is: beside the button, on a small screen from its foot. */
export function FilterButton({ button, isSmall }: Props) {
  const ready = useLook((state) => state.ready);
  const filter = useLook((state) => state.filtering ?? state.filter);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const parts = partsOf(readFilter(filter)!).length;
  const trigger = (
    <button
      ref={button}
      type="button"
      disabled={!ready}
      {...(isSmall
        ? {
            'aria-haspopup': 'dialog',
            'aria-expanded': isOpen,
            onClick: () => {
              setOpen(true);
              setWasOpened(true);
            },
          }
        : {})}
      className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-small font-medium text-ink hover:bg-sunken disabled:opacity-50 touch:h-11"
    >
      <ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />
      Filter
      {parts > 0 && (
        <span className="flex h-5 min-w-5 items-center justify-center rounded-full bg-brand px-1.5 text-micro text-on-brand tabular-nums">
          {parts}
          <span className="sr-only"> active</span>
        </span>
      )}
    </button>
  );
  if (!isSmall) {
    return (
      <Popover label="Filter" align="end" trigger={trigger} className="w-96">
        {() => (
          <LazyBoundary>
            <FilterPanel title="Filter" />
          </LazyBoundary>
        )}
      </Popover>
    );
  }
  return (
    <>
      {trigger}
      <LazyBoundary>{wasOpened && <FilterSheet open={isOpen} onOpenChange={setOpen} />}</LazyBoundary>
    </>
  );
}
