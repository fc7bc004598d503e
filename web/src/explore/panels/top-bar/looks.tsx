import { SlidersHorizontal } from 'lucide-react';
import { iconButtonClass } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { isFlatPlot } from '../../model/flat-plot.ts';
import { useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';
import { LegendBody } from '../legend/legend.tsx';
import { AxisSelects, ColourSelect, DepthSwitch, SizeSelect } from './controls.tsx';

/** Colour, size, depth or axes, and the legend in one menu, where there is no space for them side by side. */
export function Looks() {
  const view = useLook((state) => state.view);
  // The points of a level have the colours of their pillars.
  const isFlat = useLook(isFlatPlot);
  const label = `Colour, size and ${view === 'opportunity' ? 'axes' : 'depth'}`;
  return (
    <Popover
      label={label}
      align="end"
      trigger={
        <button type="button" aria-label={label} className={iconButtonClass('dense')}>
          <SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      {() => (
        <div className="flex flex-col items-end gap-3">
          {view === 'opportunity' ? <AxisSelects /> : <DepthSwitch />}
          {!isFlat && <ColourSelect />}
          <SizeSelect />
          {!isFlat && (
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
