import { SlidersHorizontal } from 'lucide-react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useLook } from '../explorer-context.ts';
import { LegendBody } from '../legend/legend.tsx';
import { AxisSelects, ColourSelect, DepthSwitch, SizeSelect } from './controls.tsx';
import { LevelSelect, TableControls } from './level-select.tsx';

/**
 * Colour, size, depth or axes, and the legend in one menu, where there is no space for them side by side.
 *
 * @param hasLevel whether the level and the columns of a list are there as well
 */
export function Looks({ hasLevel = false }: { readonly hasLevel?: boolean }) {
  const view = useLook((state) => state.view);
  // Points have the colours of their pillars.
  const isColoured = view !== 'table' && view !== 'opportunity';
  const label =
    view === 'table' ? 'Level and columns' : `Colour, size and ${view === 'opportunity' ? 'axes' : 'depth'}`;
  return (
    <Popover
      label={label}
      align="end"
      trigger={
        <button type="button" aria-label={label} className={iconButtonClass('dense')}>
          <SlidersHorizontal size={18} />
        </button>
      }
    >
      {() => (
        <div className="flex flex-col items-end gap-3">
          {hasLevel && view === 'opportunity' && <LevelSelect />}
          {view === 'table' && <TableControls />}
          {view === 'opportunity' && <AxisSelects />}
          {isColoured && <DepthSwitch />}
          {isColoured && <ColourSelect />}
          {view !== 'table' && <SizeSelect />}
          {isColoured && (
            <LazyBoundary>
              <section aria-label="Legend" className="w-full rounded-card border border-line pt-1.5 text-small">
                <LegendBody />
              </section>
            </LazyBoundary>
          )}
        </div>
      )}
    </Popover>
  );
}
