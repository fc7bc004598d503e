import { ChevronDown } from 'lucide-react';
import { lazy, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { choiceName } from '../../model/choices.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

export const LegendBody = lazy(async () => ({ default: (await import('./legend-body.tsx')).LegendBody }));

/** What the colours and sizes stand for, in the picture's corner: its title, until it is opened. */
export function Legend() {
  const { tree } = useExplorer();
  const colour = useLook((state) => state.colour);
  const hasTree = useLook(() => tree.size > 0);
  const isOverPoints = useLook((state) => state.view === 'opportunity');
  // The outline names the pillar topics too; any other scale says nothing without its legend.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (colour !== 'pillar' && !isOverPoints);
  const wish = useLook((state) => state.legendWish);
  const [granted, setGranted] = useState(wish);
  if (granted !== wish) {
    setGranted(wish);
    setChosen(!isOpen);
  }
  if (!hasTree) return null;
  return (
    <section
      aria-label="Legend"
      className={classNames(
        'overflow-hidden text-small short:max-h-48 short:overflow-y-auto',
        // Closed, it is one of the buttons of the line it stands in.
        isOpen ? 'w-52 rounded-card border border-line bg-surface shadow-1' : 'w-40 rounded-control',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex h-8 w-full items-center gap-2 px-3 font-semibold text-ink hover:bg-sunken focus-visible:-outline-offset-2 touch:h-11"
      >
        <span className="flex-1 truncate text-left">{choiceName(colour)}</span>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className={classNames('motion transition-transform duration-150', !isOpen && '-rotate-90')}
        />
      </button>
      <LazyBoundary>{isOpen && <LegendBody />}</LazyBoundary>
    </section>
  );
}
