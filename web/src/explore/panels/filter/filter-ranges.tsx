import { type Figure, type FilterMetric, filterMetrics, type StepRange } from '@kc/pack/filter/filter';
import { endText, filterName, rangeText } from '@kc/pack/filter-words/filter-parts';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact, knownFor, writeFigure } from '../../format/figure-text.ts';
import { rangeOf, toggled, withRange } from '../../model/change-filter.ts';
import { fieldKey, isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { FilterDisclosure, type FilterProps, movingMs } from './filter-section.tsx';
import { useHistogram } from './use-filter.ts';

/** Every figure that keywords have, each with a histogram and a brush over it. */
export function FilterRanges(props: FilterProps) {
  const { tree } = useExplorer();
  const fields = useLook((state) => state.fields) ?? [];
  const isUsed = (of: Figure) => rangeOf(props.filter, of) !== undefined || props.filter.known.includes(of);
  const isInFile = (of: FilterMetric) =>
    of === 'competition' || of === 'position' ? fields.some(({ name }) => name === of) : isKnownAnywhere(tree, of);
  // A figure that a link filters by is always listed, so that the user can remove it.
  const builtIn = filterMetrics.filter((of) => isInFile(of) || isUsed(of));
  const own = fields
    .filter((field) => field.kind === 'number' && !metricNames.has(field.name))
    .map((field): Figure => fieldKey(field.name));
  return (
    <div className="border-b border-line">
      {[...builtIn, ...own].map((of) => (
        <OneFigure key={of} of={of} {...props} />
      ))}
    </div>
  );
}

const metricNames: ReadonlySet<string> = new Set(filterMetrics);

function OneFigure({ of, filter, change }: FilterProps & { of: Figure }) {
  const range = rangeOf(filter, of);
  const isKnownOnly = filter.known.includes(of);
  const summary = range ? rangeText(of, range) : isKnownOnly ? 'known' : '';
  return (
    <FilterDisclosure title={filterName(of)} summary={summary} isUsed={summary !== ''}>
      <Brush
        of={of}
        name={filterName(of)}
        range={range}
        writeEnd={(end) => writeEnd(of, end)}
        noteOf={noteOfKeywords}
        onChange={(next) => change(withRange(filter, of, next), movingMs)}
      />
      <NumberField
        label={filterName(of)}
        range={range}
        onChange={(next) => change(withRange(filter, of, next), movingMs)}
      />
      {range ? (
        <p className="m-0 mt-2 text-micro text-muted">Keywords without a value are excluded</p>
      ) : (
        <Checkbox
          label="Known only"
          checked={isKnownOnly}
          onChange={() => change({ ...filter, known: toggled(filter.known, of) })}
        />
      )}
    </FilterDisclosure>
  );
}

type BrushProps = {
  /** What is counted, named as in the call for histograms. */
  readonly of: string;
  readonly name: string;
  readonly range: StepRange | undefined;
  readonly writeEnd: (end: number) => string;
  /** How many of the keywords or branches have a known value. */
  readonly noteOf: (known: number, all: number) => string;
  readonly onChange: (range: StepRange) => void;
};

export function Brush({ of, name, range, writeEnd, noteOf, onChange }: BrushProps) {
  const { data, isPending } = useHistogram(of);
  if (isPending) return <Skeleton className="mb-2 h-20" />;
  if (data?.kind !== 'number') return null;
  const { edges, bins, known, unknown, isLog } = data;
  const [first, last] = [edges[0], edges.at(-1)];
  const notes = [noteOf(known, known + unknown), ...(isLog ? ['log scale'] : [])];
  return (
    <>
      {bins.length > 1 && <Histogram label={name} edges={edges} counts={bins} range={range} onChange={onChange} />}
      <p className="m-0 mt-1 mb-2 flex justify-between gap-2 text-micro text-muted">
        <span>{first === undefined ? '' : writeEnd(first)}</span>
        <span>{notes.join(', ')}</span>
        <span>{last === undefined ? '' : writeEnd(last)}</span>
      </p>
    </>
  );
}

const noteOfKeywords = (known: number, all: number) =>
  known === 0 ? 'Unknown of every keyword' : (knownFor(known, all) ?? counted(all, 'keyword'));

const writeEnd = (of: Figure, end: number) =>
  writeFigure(of === 'competition' || of === 'position' ? `field:${of}` : of, end);

type NumberFieldProps = {
  readonly label: string;
  readonly range: StepRange | undefined;
  readonly isWhole?: boolean;
  readonly onChange: (range: StepRange | undefined) => void;
};

/** Both bounds of a range as number fields. An empty field leaves the range open. */
export function NumberField(props: NumberFieldProps) {
  return (
    <div className="flex items-center gap-2 text-small">
      <End end="from" {...props} />
      <span aria-hidden="true" className="text-muted">
        {props.range?.isBelow ? '– below' : '–'}
      </span>
      <End end="to" {...props} />
    </div>
  );
}

function End({ label, range: of, isWhole = false, end, onChange }: NumberFieldProps & { readonly end: RangeEnd }) {
  const [written, setWritten] = useState<string>();
  const note = useId();
  const text = written ?? String(of?.[end] ?? '');
  const wrong = written === undefined ? undefined : problemOf(written, of, end, isWhole);
  return (
    <div className="min-w-0 flex-1">
      <input
        aria-label={`${label}, ${end === 'from' ? 'at least' : of?.isBelow ? 'below' : 'at most'}`}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : note}
        inputMode={isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        placeholder="any"
        maxLength={24}
        value={text}
        onChange={({ target }) => {
          setWritten(target.value);
          if (problemOf(target.value, of, end, isWhole) !== undefined) return;
          const next = withEnd(of, end, numberIn(target.value));
          onChange(next.from === undefined && next.to === undefined ? undefined : next);
        }}
        onBlur={() => setWritten(undefined)}
        className="h-9 w-full rounded-control border border-line-strong bg-surface px-2 text-small text-ink tabular-nums placeholder:text-muted aria-invalid:border-bad touch:h-11 touch:text-touch"
      />
      {wrong !== undefined && (
        <p id={note} className="m-0 mt-1 text-micro text-bad">
          {wrong}
        </p>
      )}
    </div>
  );
}

/** The range with another end. One that is typed or dragged is inside. */
function withEnd(range: StepRange | undefined, end: RangeEnd, value: number | undefined): StepRange {
  const isBelow = end === 'from' && range?.isBelow;
  return { from: range?.from, to: range?.to, [end]: value, ...(isBelow && { isBelow }) };
}

/** The number in a field, written with or without separators: undefined if the field is empty, NaN for anything else. */
export function numberIn(written: string): number | undefined {
  const plain = written.replaceAll(/[\s,]/g, '');
  return plain === '' ? undefined : Number(plain);
}

function problemOf(written: string, of: StepRange | undefined, end: RangeEnd, isWhole: boolean): string | undefined {
  const value = numberIn(written);
  if (value === undefined) return undefined;
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value))) return 'Not a number';
  const other = of?.[end === 'from' ? 'to' : 'from'];
  if (other === undefined || (end === 'from' ? value <= other : value >= other)) return undefined;
  return end === 'from' ? `More than ${exact(other)}` : `Less than ${exact(other)}`;
}

type Props = {
  /** The number of keywords per bin. */
  readonly label: string;
  /** Bin edges in ascending order, one more than there are bins. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly range: StepRange | undefined;
  readonly onChange: (range: StepRange) => void;
};

/** A histogram with a brush. Its two ends can be dragged, or moved bin by bin with the arrow keys. */
function Histogram({ label, edges: rawEdges, counts, range, onChange }: Props) {
  const edges = roundEdges(rawEdges);
  const last = edges.length - 1;
  const plot = useRef<HTMLDivElement>(null);
  const dragged = useRef<RangeEnd | undefined>(undefined);
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
  readonly end: RangeEnd;
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
type RangeEnd = 'from' | 'to';

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

export function placeOfEnd(edges: readonly number[], range: StepRange | undefined, end: RangeEnd): number {
  const value = range?.[end];
  if (value === undefined) return end === 'from' ? 0 : edges.length - 1;
  return placeOf(edges, value);
}

/** The range after moving one end to an edge. It cannot pass the other end, and is open at the outermost edge. */
export function endAt(edges: readonly number[], range: StepRange | undefined, end: RangeEnd, place: number): StepRange {
  const last = edges.length - 1;
  const [from, to] = [range?.from, range?.to];
  let at = Math.min(last, Math.max(0, Math.round(place)));
  if (end === 'from') while (at > 0 && to !== undefined && edges[at]! > to) at--;
  else while (at < last && from !== undefined && edges[at]! < from) at++;
  const isOpen = at === (end === 'from' ? 0 : last);
  return withEnd(range, end, isOpen ? undefined : edges[at]!);
}

/** The range after moving one end `by` edges from its current position. */
export function stepEnd(edges: readonly number[], range: StepRange | undefined, end: RangeEnd, by: number): StepRange {
  const place = placeOfEnd(edges, range, end);
  const from = by > 0 ? Math.floor(place) : Math.ceil(place);
  return endAt(edges, range, end, from + by);
}
