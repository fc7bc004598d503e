import { readFilter } from '@kc/pack/filter/filter-text';
import { ListFilter } from 'lucide-react';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { useIsSmall } from '../../../ui/environment.ts';
import { usePartFailed } from '../../../ui/lazy-boundary.tsx';
import { countParts } from '../../model/change-filter.ts';
import { useLook } from '../explorer-context.ts';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly panel: FilterToggle;
};

/** Toggles the filter panel and shows the number of active filters. */
export function FilterButton({ button, panel }: Props) {
  const isSmall = useIsSmall();
  const ready = useLook((state) => state.ready);
  const filter = useLook((state) => state.filtering ?? state.filter);
  const parts = countParts(readFilter(filter)!);
  return (
    <button
      ref={button}
      type="button"
      disabled={!ready}
      aria-haspopup={isSmall ? 'dialog' : undefined}
      aria-expanded={panel.isOpen}
      onPointerEnter={panel.warmUp}
      onFocus={panel.warmUp}
      onClick={panel.toggle}
      className={
        isSmall
          ? 'relative inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-sunken disabled:opacity-50 touch:size-11'
          : 'inline-flex h-8 shrink-0 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-small font-medium text-ink hover:bg-sunken aria-expanded:bg-brand-soft aria-expanded:text-brand-ink disabled:opacity-50 touch:h-11'
      }
    >
      <ListFilter size={isSmall ? 18 : 16} />
      <span className={isSmall ? 'sr-only' : undefined}>Filter</span>
      {parts > 0 && (
        <span
          className={`flex h-5 min-w-5 items-center justify-center rounded-full bg-brand px-1.5 text-micro text-on-brand tabular-nums ${isSmall ? 'absolute top-0 right-0' : ''}`}
        >
          {parts}
          <span className="sr-only"> active</span>
        </span>
      )}
    </button>
  );
}

const loadPlaces = () => import('./filter-panel.tsx');

type FilterPlaces = Awaited<ReturnType<typeof loadPlaces>>;

export type FilterToggle = {
  readonly isOpen: boolean;
  /** Undefined until the panel has been requested and its script has loaded. */
  readonly places: FilterPlaces | undefined;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Preloads the script when the user is about to open the panel. */
  readonly warmUp: () => void;
};

/** The open state of the filter panel. It opens once its script has loaded, so it never appears empty. */
export function useFilterPanel(): FilterToggle {
  const [isOpen, setOpen] = useState(false);
  const [places, setPlaces] = useState<FilterPlaces>();
  const failed = usePartFailed();
  const isLoading = useRef(false);
  const close = useCallback(() => setOpen(false), []);
  const toggle = () => {
    if (isOpen) return close();
    if (isLoading.current) return;
    isLoading.current = true;
    loadPlaces()
      .then((loaded) => {
        setPlaces(loaded);
        setOpen(true);
      }, failed)
      .finally(() => {
        isLoading.current = false;
      });
  };
  const warmUp = () => {
    loadPlaces().catch(() => {
      // This only preloads. The actual request reports the failure.
    });
  };
  return { isOpen, places, toggle, close, warmUp };
}
