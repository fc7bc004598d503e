import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { choiceName } from '../../model/choices.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

export const LegendBody = lazyPart(async () => (await import('./legend-body.tsx')).LegendBody);

/**
 * The legend of colours and sizes. Closed, it is a button in the status line. Open, it is a row above that line: the
 * chart shrinks and nothing is covered.
 *
 * @param className added to the section around it
 */
export function Legend({ className }: { className: string }) {
  const { tree } = useExplorer();
  const colour = useLook((state) => state.colour);
  const hasTree = useLook(() => tree.size > 0);
  // Starts closed for pillar topics, because the outline shows their colours as well. Any other scale needs its legend.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? colour !== 'pillar';
  const toggles = useLook((state) => state.legendToggles);
  const [handledToggles, setHandledToggles] = useState(toggles);
  if (handledToggles !== toggles) {
    setHandledToggles(toggles);
    setChosen(!isOpen);
  }
  if (!hasTree) return null;
  return (
    <section
      aria-label="Legend"
      className={classNames(
        'flex min-w-0 text-small',
        isOpen ? 'order-first max-h-32 basis-full items-start gap-2 overflow-y-auto border-b border-line pb-1' : 'w-41',
        className,
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex h-8 w-40 shrink-0 items-center gap-2 rounded-control px-3 font-semibold text-ink hover:bg-sunken focus-visible:-outline-offset-2 touch:h-11"
      >
        <span className="flex-1 truncate text-left">{choiceName(colour)}</span>
        <ChevronDown
          size={14}
          strokeWidth={2}
          className={classNames('motion transition-transform duration-150', !isOpen && '-rotate-90')}
        />
      </button>
      <LazyBoundary>{isOpen && <LegendBody isWide />}</LazyBoundary>
    </section>
  );
}
