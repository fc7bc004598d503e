import { figureName, figureWord } from '@kc/pack/filter-words/figure-name';
import { isCost } from '@kc/pack/levels/quadrants';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import { say } from '@kc/rules/explorer-messages';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { shownName } from '@kc/rules/visible-text';
import { ChevronDown, LassoSelect, Maximize, Minus, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useMedia } from '../../../ui/environment.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { fullestIn } from '../../charts/opportunity/density.ts';
import { cellInk } from '../../charts/opportunity/draw-plot.ts';
import { clampedView, type PlotView, wholeView, zoomedView } from '../../charts/opportunity/plot-scale.ts';
import { counted, exact, figureIn, typedFigure, writeFigure } from '../../format/figure-text.ts';
import { pointsQuery } from '../../model/levels.ts';
import type { TableLevel } from '../../model/list-query.ts';
import { isPickedOf, nothingPicked, type Picked } from '../../model/picked.ts';
import type { ExplorerSource, PointsQuery } from '../../model/source.ts';
import type { Metric } from '../../tree-data/figures.ts';
import { LoadingPicture } from '../canvas/loading-picture.tsx';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { Failure, LineFailure } from '../failure.tsx';
import { SelectionBar } from '../table/selection-bar.tsx';
import { useOpenNode } from '../use-open-node.ts';
import { levelWords } from '../view-names.ts';
import { type DensityQuery, PointsPlot } from './points-plot.tsx';
import { useLatestQuery } from './use-latest-query.ts';

/** How long a threshold rests before totals are asked for, in milliseconds. */
const restMs = 120;

const fetchPoints = (
  source: ExplorerSource,
  { areasOf: _, ...query }: PointsQuery,
  signal: AbortSignal,
): Promise<LevelPoints> => source.points(query, signal);

/**
 * One level of the tree, or the children of the focus, as points by two figures, divided by two thresholds. The server places and
 * counts them.
 */
export function Opportunity() {
  const { tree, store } = useExplorer();
  useLook((state) => state.treeVersion);
  const state = useLook((now) => now);
  const query = pointsQuery(state, tree);
  const { tx, ty } = state;
  const all = useLatestQuery('points', query, fetchPoints);
  const isDivided = tx !== undefined || ty !== undefined;
  const thresholds = { ...(tx !== undefined && { tx }), ...(ty !== undefined && { ty }) };
  const atThresholds = isDivided && query ? { ...query, ...thresholds, count: 0 } : undefined;
  const divided = useLatestQuery('points', atThresholds, fetchPoints, restMs);
  const { level, xs, ys } = state;
  const [view, setView] = usePlotView(JSON.stringify([query?.level, query?.within, query?.x, query?.y, xs, ys]));
  const frame = useRef<HTMLDivElement>(null);
  const [isLassoOn, setLassoOn] = useState(false);
  const [density, setDensity] = useState<DensityQuery>();
  const hasPicked = state.picked !== nothingPicked;
  useSelectionHere(query, state.picked);
  useFewClusters(all.isStale || query?.level === 'children' ? undefined : all.found?.answer, level);
  useSpokenCount(all.found?.answer, query?.level);
  if (all.failure !== undefined) {
    return <Failure title={say('explore/points-failed')} failure={all.failure} onRetry={all.retry} />;
  }
  if (!all.found) return <LoadingPicture />;
  const { answer: points, question: shown } = all.found;
  const totals = isDivided ? divided.found?.answer : points;
  const words = levelWords[shown.level];
  const missing = [points.missing.x > 0 && figureWord(shown.x), points.missing.y > 0 && figureWord(shown.y)].filter(
    (word) => word !== false,
  );
  return (
    <div
      ref={frame}
      className={classNames(
        // In a low window, as at 200 % or on a phone in landscape, there is no room for the plot and all that is around it.
        'absolute inset-0 flex flex-col bg-canvas short:overflow-y-auto',
        all.isStale && 'opacity-60',
      )}
      aria-busy={all.isStale}
    >
      <ThresholdStrip
        query={shown}
        points={points}
        isLassoOn={isLassoOn}
        onLasso={(isOn) => {
          setLassoOn(isOn);
          // By keys the shape is drawn in the plot.
          if (isOn) frame.current?.querySelector<HTMLElement>('[role=application]')?.focus();
        }}
      />
      <div className="flex min-h-0 flex-1 max-md:flex-col short:min-h-60">
        {points.medians && points.limits ? (
          <PointsPlot
            query={shown}
            points={points}
            totals={totals}
            view={view}
            onView={setView}
            isLassoOn={isLassoOn}
            onLasso={setLassoOn}
            onDensity={setDensity}
            isCounting={isDivided && (divided.isStale || divided.failure !== undefined)}
          />
        ) : (
          <Empty text={emptyText(points, shown)} onTable={() => store.setState({ view: 'table' })} />
        )}
        <UnplacedRows
          title={`${exact(points.total - points.placed)} not shown (${missing.join(' or ')} missing)`}
          rows={points.unplaced.map(({ node, name }) => ({ node, name: shownName(name) }))}
          more={points.total - points.placed - points.unplaced.length}
        />
      </div>
      {hasPicked && <SelectionBar />}
      <div className="flex shrink-0 items-center gap-2 border-t border-line bg-surface px-3 py-0.5">
        <p className="m-0 flex min-w-0 flex-wrap gap-x-4 text-micro text-muted">
          <span>
            {words.count(points.total)}: {exact(points.placed)} with a place, {exact(points.total - points.placed)}{' '}
            without
          </span>
          {points.placed > points.points.nodes.length && <DensityNote level={shown.level} query={density} />}
          {isDivided && divided.failure !== undefined && (
            <LineFailure onRetry={divided.retry}>{say('explore/totals-failed')}</LineFailure>
          )}
          {points.hardly > 0 && (
            <span>
              <svg aria-hidden="true" width="14" height="12" className="mr-1 inline-block align-[-2px]">
                <circle
                  cx="7"
                  cy="6"
                  r="5"
                  fill="currentcolor"
                  fillOpacity="0.25"
                  stroke="currentcolor"
                  strokeDasharray="3 2"
                />
              </svg>
              Faint: {figureName(shown.x)} or {figureWord(shown.y)} known for less than 20 % of the volume (
              {counted(points.hardly, 'mark')})
            </span>
          )}
        </p>
        {points.medians && <PlotCamera view={view} onView={setView} />}
      </div>
    </div>
  );
}

/** Everything within a shape is selected under the filter and at the level of the plot, and means nothing elsewhere. */
function useSelectionHere(query: PointsQuery | undefined, picked: Picked): void {
  const { store } = useExplorer();
  const isElsewhere = query !== undefined && !isPickedOf(picked, query);
  useEffect(() => {
    if (isElsewhere) store.setState({ picked: nothingPicked });
  }, [isElsewhere, store]);
}

/** A focus with fewer than two clusters shows its children instead, unless the user wants its clusters. */
function useFewClusters(points: LevelPoints | undefined, chosen: TableLevel | undefined): void {
  const { store } = useExplorer();
  useEffect(() => {
    if (!points || chosen !== undefined || points.total >= 2) return;
    const { focus, filter } = store.getState();
    store.setState({ fewClusters: { within: focus, filter } });
  }, [points, chosen, store]);
}

/** Says how much a new level or filter shows. */
function useSpokenCount(points: LevelPoints | undefined, level: keyof typeof levelWords | undefined): void {
  const { store } = useExplorer();
  const announced = useRef<LevelPoints>(undefined);
  useEffect(() => {
    if (!points || !level || announced.current === points) return;
    announced.current = points;
    const text = `${levelWords[level].count(points.total)}, ${exact(points.placed)} with a place in the chart.`;
    store.setState({ spoken: text });
  }, [points, level, store]);
}

function emptyText({ total }: LevelPoints, { level, within, x, y }: PointsQuery): string {
  if (total === 0 && level === 'pillars' && within !== 0) return say('explore/pillars-below');
  const what = level === 'children' ? 'branch' : `row of “${levelWords[level].title}”`;
  return `No ${what} here has both ${figureWord(x)} and ${figureWord(y)}.`;
}

function Empty({ text, onTable }: { readonly text: string; readonly onTable: () => void }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col items-center justify-center gap-3 p-4 text-center text-body text-muted">
      <p className="m-0">{text}</p>
      <Button onClick={onTable}>Show as table</Button>
    </div>
  );
}

type NoteProps = {
  readonly level: PointLevel;
  /** Undefined until the plot has its size. */
  readonly query: DensityQuery | undefined;
};

/** Says which points of a window are drawn one by one, and what its cells mean. */
function DensityNote({ level, query }: NoteProps) {
  if (query?.failure !== undefined) {
    return <LineFailure onRetry={query.retry}>{say('explore/cells-failed')}</LineFailure>;
  }
  const density = query?.density;
  if (!density) return <span>The largest are drawn. Counting the others…</span>;
  const drawn = density.points.nodes.length;
  if (drawn === density.inside) return <span>All {levelWords[level].count(drawn)} in view are drawn.</span>;
  const [least, most] = [density.cells.rows.reduce((a, b) => Math.min(a, b)), fullestIn(density)];
  return (
    <span>
      The {exact(drawn)} largest of {exact(density.inside)} in view are drawn. The others are counted in cells:{' '}
      <svg aria-hidden="true" width="32" height="10" className="inline-block align-[-1px] text-muted">
        {[0, 1, 2, 3].map((index) => (
          <rect
            key={index}
            x={8 * index}
            width="8"
            height="10"
            fill="currentcolor"
            fillOpacity={cellInk.min + ((cellInk.max - cellInk.min) * index) / 3}
          />
        ))}
      </svg>{' '}
      {least === most ? exact(most) : `${exact(least)} – ${exact(most)}`} each
    </span>
  );
}

type CameraProps = { readonly view: PlotView; readonly onView: (next: PlotView) => void };

const step = 1.4;

/** Buttons that do what wheel, pinch and keys do. */
function PlotCamera({ view, onView }: CameraProps) {
  return (
    <div role="toolbar" aria-label="Camera" className="ml-auto flex shrink-0 items-center">
      <IconButton size="dense" label="Zoom out" onClick={() => onView(zoomedView(view, 1 / step))}>
        <Minus size={16} />
      </IconButton>
      <span className="w-14 text-center text-micro text-ink tabular-nums">{exact(Math.round(view.k * 100))} %</span>
      <IconButton size="dense" label="Zoom in" onClick={() => onView(zoomedView(view, step))}>
        <Plus size={16} />
      </IconButton>
      <IconButton size="dense" label="Fit everything" onClick={() => onView(wholeView)}>
        <Maximize size={16} />
      </IconButton>
    </div>
  );
}

type Props = {
  readonly title: string;
  readonly rows: readonly { readonly node: number; readonly name: string }[];
  /** How many rows are not named. */
  readonly more: number;
};

/** The rows without a value for one of the axes, the largest first: beside the plot, or folded below a narrow one. */
function UnplacedRows({ title, rows, more }: Props) {
  const isWide = useMedia('(min-width: 768px)');
  const { select } = useOpenNode();
  if (rows.length === 0) return null;
  const list = (
    <ul className="m-0 list-none p-0">
      {rows.map(({ node, name }) => (
        <li key={node}>
          <button
            type="button"
            dir="auto"
            title={name}
            onClick={() => void select(node)}
            className="block h-7 w-full truncate rounded-chip px-2 text-left text-small text-ink hover:bg-sunken touch:h-11"
          >
            {name}
          </button>
        </li>
      ))}
      {more > 0 && <li className="px-2 py-1 text-small text-muted">+{exact(more)} more</li>}
    </ul>
  );
  if (!isWide) {
    return (
      <details className="shrink-0 border-t border-line bg-surface text-small">
        <summary className="cursor-pointer px-3 py-2.5">{title}</summary>
        <div className="max-h-48 overflow-y-auto px-1 pb-2">{list}</div>
      </details>
    );
  }
  return (
    <section aria-label={title} className="flex w-52 shrink-0 flex-col border-l border-line bg-surface">
      <h2 className="m-0 px-3 py-2 text-small font-semibold">{title}</h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-1 pb-2">{list}</div>
    </section>
  );
}

/**
 * What the plot shows, kept in the address. Other axes or another place are seen whole.
 *
 * @param key what the plot shows a part of
 */
function usePlotView(key: string): readonly [PlotView, (next: PlotView) => void] {
  const { address } = useExplorer();
  const followed = useLook((state) => state.addressVersion);
  const inAddress = () => clampedView(address.camera() ?? wholeView);
  const [held, setHeld] = useState(() => ({ key, followed, view: inAddress() }));
  const isFollowing = held.followed !== followed;
  const isOther = !isFollowing && held.key !== key;
  const view = isFollowing ? inAddress() : isOther ? wholeView : held.view;
  if (isFollowing || isOther) setHeld({ key, followed, view });
  // Reading the address is no move; showing the whole is.
  const isWhole = view.k === 1;
  useEffect(() => {
    if (isWhole && address.camera()) address.moved(undefined);
  }, [isWhole, address]);
  const show = (next: PlotView) => {
    setHeld({ key, followed, view: next });
    address.moved(next.k === 1 ? undefined : next);
  };
  return [view, show];
}

type StripProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints;
  readonly isLassoOn: boolean;
  readonly onLasso: (isOn: boolean) => void;
};

const ValuesDialog = lazyPart(async () => (await import('./values-dialog.tsx')).ValuesDialog);

const presets = [
  { difficulty: 30, volume: 500 },
  { difficulty: 50, volume: 100 },
] as const;

/** The thresholds as exact numbers, ready-made pairs of them, and the ways to select points by their place. */
function ThresholdStrip({ query, points, isLassoOn, onLasso }: StripProps) {
  const { x, y } = query;
  const { medians } = points;
  const { store } = useExplorer();
  const { tx, ty } = useLooks('tx', 'ty');
  const [isByValues, setByValues] = useState(false);
  const hasPresets = (x === 'difficulty' && y === 'volume') || (x === 'volume' && y === 'difficulty');
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1">
      <ThresholdField of={x} value={tx} median={medians?.x} onChange={(next) => store.setState({ tx: next })} />
      <ThresholdField of={y} value={ty} median={medians?.y} onChange={(next) => store.setState({ ty: next })} />
      <Menu
        trigger={
          <button type="button" className={buttonClass('ghost', 'dense')}>
            Thresholds
            <ChevronDown size={14} strokeWidth={2} />
          </button>
        }
      >
        <MenuItem
          disabled={tx === undefined && ty === undefined}
          onSelect={() => store.setState({ tx: undefined, ty: undefined })}
        >
          Set to medians
        </MenuItem>
        {hasPresets &&
          presets.map((preset) => (
            <MenuItem
              key={preset.volume}
              onSelect={() =>
                store.setState({ tx: preset[x as keyof typeof preset], ty: preset[y as keyof typeof preset] })
              }
            >
              Difficulty {preset.difficulty}, volume {preset.volume}
            </MenuItem>
          ))}
      </Menu>
      {points.limits && (
        <span className="ml-auto flex items-center gap-2 max-sm:ml-0">
          <Button
            size="dense"
            aria-pressed={isLassoOn}
            className="aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
            icon={<LassoSelect size={16} />}
            onClick={() => onLasso(!isLassoOn)}
          >
            Lasso
          </Button>
          <Button size="dense" onClick={() => setByValues(true)}>
            Select by values…
          </Button>
        </span>
      )}
      <LazyBoundary>
        {isByValues && points.limits && (
          <ValuesDialog query={query} limits={points.limits} onClose={() => setByValues(false)} />
        )}
      </LazyBoundary>
    </div>
  );
}

type FieldProps = {
  readonly of: Metric;
  readonly value: number | undefined;
  readonly median: number | undefined;
  readonly onChange: (value: number | undefined) => void;
};

/** An empty field means the median. What is no number changes nothing. */
function ThresholdField({ of, value, median, onChange }: FieldProps) {
  const id = useId();
  const [written, setWritten] = useState<string>();
  const number = (text: string) => figureIn(of, text);
  const isWrong = written !== undefined && !Number.isFinite(number(written));
  return (
    <span className="flex items-center gap-1.5 text-small">
      <label htmlFor={id} className="whitespace-nowrap text-muted">
        {figureName(of)} <span aria-hidden="true">{isCost(of) ? '≤' : '≥'}</span>
        <span className="sr-only">{isCost(of) ? 'at most' : 'at least'}</span>
      </label>
      <input
        id={id}
        aria-invalid={isWrong}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        placeholder={median === undefined ? '' : writeFigure(of, median)}
        value={written ?? (value === undefined ? '' : typedFigure(of, value))}
        onChange={({ target }) => {
          setWritten(target.value);
          if (target.value.trim() === '') onChange(undefined);
          else if (Number.isFinite(number(target.value))) onChange(number(target.value));
        }}
        onBlur={() => setWritten(undefined)}
        className="h-8 w-24 rounded-control border border-line-strong bg-surface px-2 text-small text-ink tabular-nums placeholder:text-muted aria-invalid:border-bad max-sm:w-19 touch:h-11 touch:text-touch"
      />
    </span>
  );
}
