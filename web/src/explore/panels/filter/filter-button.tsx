import { readFilter } from '@kc/pack/filter/filter-text';
import { ListFilter } from 'lucide-react';
import type { RefObject } from 'react';
import { countParts } from '../../model/change-filter.ts';
import { useLook } from '../explorer-context.ts';
import type { FilterToggle } from './use-filter-panel.ts';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
  readonly panel: FilterToggle;
};

/** Toggles the filter panel and shows the number of active filters. */
export function FilterButton({ button, isSmall, panel }: Props) {
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
      <ListFilter size={isSmall ? 18 : 16} strokeWidth={1.75} aria-hidden="true" />
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
