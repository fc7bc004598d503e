import { type Figure, type FilterMetric, filterMetrics, type Range } from '@kc/pack/filter/filter';
import { filterName, rangeText } from '@kc/pack/filter-words/filter-parts';
import { useId, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact, knownFor, writeFigure } from '../../format/figure-text.ts';
import { rangeOf, toggled, withRange } from '../../model/change-filter.ts';
import { fieldKey, isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { FilterDisclosure, type FilterProps } from './filter-section.tsx';
import { Histogram } from './histogram.tsx';
import { useHistogram } from './use-filter.ts';

/** Debounce while a bound is dragged or typed, in milliseconds. */
const movingMs = 150;

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
  readonly range: Range | undefined;
  readonly writeEnd: (end: number) => string;
  /** How many of the keywords or branches have a known value. */
  readonly noteOf: (known: number, all: number) => string;
  readonly onChange: (range: Range) => void;
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
  readonly range: Range | undefined;
  readonly isWhole?: boolean;
  readonly onChange: (range: Range | undefined) => void;
};

/** Both bounds of a range as number fields. An empty field leaves the range open. */
export function NumberField({ label, range, isWhole = false, onChange }: NumberFieldProps) {
  return (
    <div className="flex items-center gap-2 text-small">
      <End
        label={`${label}, at least`}
        value={range?.from}
        isWhole={isWhole}
        of={range}
        end="from"
        onChange={onChange}
      />
      <span aria-hidden="true" className="text-muted">
        –
      </span>
      <End label={`${label}, at most`} value={range?.to} isWhole={isWhole} of={range} end="to" onChange={onChange} />
    </div>
  );
}

type EndProps = {
  readonly label: string;
  readonly value: number | undefined;
  readonly isWhole: boolean;
  readonly of: Range | undefined;
  readonly end: 'from' | 'to';
  readonly onChange: (range: Range | undefined) => void;
};

function End({ label, value, isWhole, of, end, onChange }: EndProps) {
  const [written, setWritten] = useState<string>();
  const note = useId();
  const text = written ?? (value === undefined ? '' : String(value));
  const wrong = written === undefined ? undefined : whatIsWrong(written, of, end, isWhole);
  return (
    <div className="min-w-0 flex-1">
      <input
        aria-label={label}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : note}
        inputMode={isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        placeholder="any"
        maxLength={24}
        value={text}
        onChange={({ target }) => {
          setWritten(target.value);
          if (whatIsWrong(target.value, of, end, isWhole) !== undefined) return;
          const next = { from: of?.from, to: of?.to, [end]: numberIn(target.value) };
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

/** Undefined if the field is empty. */
function numberIn(written: string): number | undefined {
  const plain = written.replaceAll(/[\s,]/g, '');
  return plain === '' ? undefined : Number(plain);
}

function whatIsWrong(written: string, of: Range | undefined, end: 'from' | 'to', isWhole: boolean): string | undefined {
  const value = numberIn(written);
  if (value === undefined) return undefined;
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value))) return 'Not a number';
  const other = of?.[end === 'from' ? 'to' : 'from'];
  if (other === undefined || (end === 'from' ? value <= other : value >= other)) return undefined;
  return end === 'from' ? `More than ${exact(other)}` : `Less than ${exact(other)}`;
}
