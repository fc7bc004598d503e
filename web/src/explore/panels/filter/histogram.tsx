import type { Range } from '@kc/pack/filter/filter';
import { endText } from '@kc/pack/filter-words/filter-part';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';

type Props = {
  /** The number of keywords per bin. */
  readonly label: string;
  /** Bin edges in ascending order, one more than there are bins. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly range: Range | undefined;
  readonly onChange: (range: Range) => void;
};

/** A histogram with a brush. Its two ends can be dragged, or moved bin by bin with the arrow keys. */
export function Histogram({ label, edges: given, counts, range, onChange }: Props) {
  const edges = roundEdges(given);
  const last = edges.length - 1;
  const plot = useRef<HTMLDivElement>(null);
  const dragged = useRef<End | undefined>(undefined);
  const [from, to] = [placeOfEnd(edges, range, 'from'), placeOfEnd(edges, range, 'to')];
  const most = Math.max(1, ...counts);

  function placeUnder(event: PointerEvent): number {
    const { left, width } = plot.current!.getBoundingClientRect();
    return ((event.clientX - left) / width) * last;
  }

  function grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = placeUnder(event);
    // If both ends coincide, pick the one that can move in this direction.
    dragged.current =
      from === to ? (at < from ? 'from' : 'to') : Math.abs(at - from) < Math.abs(at - to) ? 'from' : 'to';
    drag(event);
  }

  function drag(event: PointerEvent): void {
    const end = dragged.current;
    if (!end) return;
    const next = endAt(edges, range, end, placeUnder(event));
    if (next[end] !== range?.[end]) onChange(next);
  }

  const drop = () => {
    dragged.current = undefined;
  };

  return (
    <div
      className="relative h-16 cursor-ew-resize touch-pan-y select-none"
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
    >
      <div ref={plot} className="absolute inset-x-3 inset-y-0 flex items-end gap-px border-b border-line-strong">
        {counts.map((count, bin) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its index
            key={bin}
            aria-hidden="true"
            className={classNames(
              'min-w-0 flex-1 rounded-t-[2px]',
              bin + 1 > from && bin < to ? 'bg-brand' : 'bg-line-strong/50',
            )}
            style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }}
          />
        ))}
        <Handle end="from" label={label} place={from} edges={edges} range={range} onChange={onChange} />
        <Handle end="to" label={label} place={to} edges={edges} range={range} onChange={onChange} />
      </div>
    </div>
  );
}

type HandleProps = Pick<Props, 'label' | 'edges' | 'range' | 'onChange'> & {
  readonly end: End;
  readonly place: number;
};

const bigStep = 5;

function Handle({ end, label, place, edges, range, onChange }: HandleProps) {
  const last = edges.length - 1;
  const value = range?.[end] ?? (end === 'from' ? edges[0]! : edges[last]!);
  function press(event: KeyboardEvent): void {
    const step = event.shiftKey ? bigStep : 1;
    const by = {
      ArrowRight: step,
      ArrowUp: step,
      ArrowLeft: -step,
      ArrowDown: -step,
      PageUp: bigStep,
      PageDown: -bigStep,
      Home: -last,
      End: last,
    }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(stepEnd(edges, range, end, by));
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}, ${end === 'from' ? 'at least' : 'at most'}`}
      aria-valuemin={Math.min(edges[0]!, value)}
      aria-valuemax={Math.max(edges[last]!, value)}
      aria-valuenow={value}
      aria-valuetext={range?.[end] === undefined ? 'any' : endText(value)}
      onKeyDown={press}
      className="absolute inset-y-0 w-6 -translate-x-1/2 rounded-chip touch:w-8"
      style={{ left: `${(place / last) * 100}%` }}
    >
      <span aria-hidden="true" className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-ink" />
      <span
        aria-hidden="true"
        className="absolute top-1/2 left-1/2 h-5 w-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-ink bg-surface"
      />
    </div>
  );
}

/**
 * A range over bins: converts its ends to positions among the edges, and moves them between edges. Edges are ascending.
 * An open end is at the outermost edge.
 */
export type End = 'from' | 'to';

/** The edges that the ends snap to, rounded as far as the bins allow, so that filter values are readable. */
export function roundEdges(edges: readonly number[]): readonly number[] {
  const rounded = edges.map((edge) => Number(edge.toPrecision(3)));
  return rounded.every((edge, i) => i === 0 || edge > rounded[i - 1]!) ? rounded : edges;
}

/** The position of a value: 0 is the first edge, 1 the second one, and so on. */
export function placeOf(edges: readonly number[], value: number): number {
  const last = edges.length - 1;
  const next = edges.findIndex((edge) => edge > value);
  if (next === 0) return 0;
  if (next === -1) return last;
  const [low, high] = [edges[next - 1]!, edges[next]!];
  return next - 1 + (value - low) / (high - low);
}

export function placeOfEnd(edges: readonly number[], range: Range | undefined, end: End): number {
  const value = range?.[end];
  if (value === undefined) return end === 'from' ? 0 : edges.length - 1;
  return placeOf(edges, value);
}

/** The range after moving one end to an edge. It cannot pass the other end, and is open at the outermost edge. */
export function endAt(edges: readonly number[], range: Range | undefined, end: End, place: number): Range {
  const last = edges.length - 1;
  const [from, to] = [range?.from, range?.to];
  let at = Math.min(last, Math.max(0, Math.round(place)));
  if (end === 'from') while (at > 0 && to !== undefined && edges[at]! > to) at--;
  else while (at < last && from !== undefined && edges[at]! < from) at++;
  const isOpen = at === (end === 'from' ? 0 : last);
  return { from, to, [end]: isOpen ? undefined : edges[at]! };
}

/** The range after moving one end `by` edges from its current position. */
export function stepEnd(edges: readonly number[], range: Range | undefined, end: End, by: number): Range {
  const place = placeOfEnd(edges, range, end);
  const from = by > 0 ? Math.floor(place) : Math.ceil(place);
  return endAt(edges, range, end, from + by);
}
