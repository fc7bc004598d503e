import { figureName } from '@kc/pack/filter-words/figure-name';
import { isCost } from '@kc/pack/levels/quadrants';
import type { KeyboardEvent, PointerEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { type Scale, snapped, stepped } from '../../charts/opportunity/plot-scale.ts';
import { writeFigure } from '../../format/figure-text.ts';
import type { Metric } from '../../tree-data/figures.ts';

type LineProps = {
  readonly axis: 'x' | 'y';
  readonly of: Metric;
  readonly scale: Scale;
  /** The ends of the line on the other axis, in CSS pixels. */
  readonly ends: readonly [number, number];
  readonly value: number;
  readonly isMedian: boolean;
  /** Whether there is little room beside the plot. */
  readonly isNarrow?: boolean;
  /** How many rows are on the good side, such as "32 clusters". */
  readonly good: string;
  readonly onChange: (value: number) => void;
};

/** Half the width of what can be dragged, in CSS pixels. */
const slopPx = 8;

/** A threshold: a line that can be dragged anywhere, and a slider at its end. With ⇧ it stops at any value. */
export function ThresholdLine({ axis, of, scale, ends, value, isMedian, isNarrow = false, good, onChange }: LineProps) {
  const isX = axis === 'x';
  const px = scale.at(value);
  const [low, high] = [Math.min(scale.from, scale.to), Math.max(scale.from, scale.to)];
  if (px < low - 1 || px > high + 1) return <Outside {...{ axis, of, value }} />;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement!.getBoundingClientRect();
    const at = Math.min(high, Math.max(low, isX ? event.clientX - frame.left : event.clientY - frame.top));
    onChange(event.shiftKey ? Number(scale.valueAt(at).toPrecision(4)) : snapped(scale, at));
  };
  const press = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 10 : 1;
    const moves: Readonly<Record<string, () => number | undefined>> = {
      ArrowLeft: () => stepped(scale, value, -by),
      ArrowDown: () => stepped(scale, value, -by),
      ArrowRight: () => stepped(scale, value, by),
      ArrowUp: () => stepped(scale, value, by),
      Home: () => scale.stops[0],
      End: () => scale.stops.at(-1),
    };
    const next = moves[event.key]?.();
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next);
  };
  const written = writeFigure(of, value);
  const side = isCost(of) ? 'below' : 'above';
  const [from, length] = [Math.min(...ends), Math.abs(ends[1] - ends[0])];
  return (
    <>
      <div
        aria-hidden="true"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className={classNames('absolute touch-none', isX ? 'cursor-ew-resize' : 'cursor-ns-resize')}
        style={
          isX
            ? { left: px - slopPx, width: 2 * slopPx, top: from, height: length }
            : { top: px - slopPx, height: 2 * slopPx, left: from, width: length }
        }
      >
        <div
          className={classNames(
            'absolute border-ink',
            isMedian ? 'border-dashed opacity-60' : 'border-solid',
            isX ? 'inset-y-0 left-1/2 border-l' : 'inset-x-0 top-1/2 border-t',
          )}
        />
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${figureName(of)} threshold`}
        aria-orientation={isX ? 'horizontal' : 'vertical'}
        aria-valuemin={scale.stops[0] ?? value}
        aria-valuemax={scale.stops.at(-1) ?? value}
        aria-valuenow={value}
        aria-valuetext={`${figureName(of)} threshold ${written}${isMedian ? ', the median' : ''}, ${good} at or ${side}`}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className={classNames(
          'absolute flex touch-none items-center rounded-chip border border-line-strong bg-surface px-1.5 text-micro whitespace-nowrap text-ink tabular-nums shadow-1',
          isNarrow ? 'min-h-8 max-w-15 flex-col justify-center leading-tight' : 'h-6 touch:h-8',
          isX ? '-translate-x-1/2 cursor-ew-resize' : '-translate-y-1/2 cursor-ns-resize',
        )}
        style={isX ? { left: px, top: from } : { right: 0, top: px }}
      >
        {isNarrow && isMedian ? (
          <>
            <span>median</span>
            <span>{written}</span>
          </>
        ) : isMedian ? (
          `median ${written}`
        ) : (
          written
        )}
      </div>
    </>
  );
}

/** A threshold beyond the ends of its axis has no line. */
function Outside({ axis, of, value }: Pick<LineProps, 'axis' | 'of' | 'value'>) {
  return (
    <p
      className={classNames(
        'absolute right-0 m-0 rounded-chip bg-surface px-1.5 text-micro text-muted',
        axis === 'x' ? 'top-0' : 'top-5',
      )}
    >
      {figureName(of)} threshold {writeFigure(of, value)} is outside the chart
    </p>
  );
}
