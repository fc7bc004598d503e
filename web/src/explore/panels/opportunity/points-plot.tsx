import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { isCost, type QuadrantPlace, quadrantPlaces } from '@kc/pack/levels/quadrants';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { shownName } from '@kc/rules/visible-text';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { Edges } from '../../charts/layout/layout.ts';
import { kindOfAxis } from '../../charts/opportunity/axis.ts';
import {
  type Beyond,
  beyondCells,
  beyondView,
  type Density,
  edgeBoxes,
  insetPx,
  type Side,
  sides,
  windowEdges,
} from '../../charts/opportunity/density.ts';
import { isSeen, type PlotDrawing, type PlotPicture, plotPictures } from '../../charts/opportunity/draw-plot.ts';
import { pickArea } from '../../charts/opportunity/lasso.ts';
import { placePoints } from '../../charts/opportunity/place-points.ts';
import { type PlotView, scaleOf, widenedView } from '../../charts/opportunity/plot-scale.ts';
import { axisTitle, quadrantNames } from '../../charts/opportunity/plot-text.ts';
import { labelPoints } from '../../charts/opportunity/point-labels.ts';
import { areaOfQuadrant, type Cut, filterOfQuadrant } from '../../charts/opportunity/quadrant-filter.ts';
import { counted, exact, share, writeFigure } from '../../format/figure-text.ts';
import type { Picked } from '../../model/picked.ts';
import type { DensityEdges, PointsQuery } from '../../model/source.ts';
import { figuresOf, type Metric } from '../../tree-data/figures.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { planPicked } from '../plan/plan-actions.ts';
import { levelWords } from '../view-names.ts';
import { type PlotProps, PointsLayer, useCurrentPoint } from './points-layer.tsx';
import { ThresholdLine } from './threshold-line.tsx';
import { useLatestQuery } from './use-latest-query.ts';

type Props = PlotProps & {
  /** The totals at the chosen thresholds; undefined until they come. */
  readonly totals: LevelPoints | undefined;
  readonly isCounting: boolean;
  /** What is counted instead of drawn; undefined if everything is drawn. */
  readonly onDensity: (density: DensityQuery | undefined) => void;
};

/** Room around the plot for the axes, the handles, and the names of the quadrants, in CSS pixels. */
const wideRoom = { left: 58, right: 96, top: 74, bottom: 66 };
const narrowRoom = { left: 58, right: 64, top: 90, bottom: 92 };
const narrowPx = 560;
/** Above the plot, the handle of the vertical line; larger where it may be touched. */
const handlePx = { wide: 24, narrow: 36 };
/** Below the plot, the figures of the ticks. */
const tickPx = 20;

/** The words of a threshold at its line. */
export const thresholdText = (of: Metric, value: number, isMedian: boolean): string =>
  isMedian ? `median ${writeFigure(of, value)}` : writeFigure(of, value);

const corners: Readonly<Record<QuadrantPlace, 'start' | 'end'>> = {
  lowerLeft: 'start',
  lowerRight: 'end',
  upperLeft: 'start',
  upperRight: 'end',
};

/** The points, the two thresholds, and the quadrants between them. */
export function PointsPlot(props: Props) {
  const { query, points, totals, isCounting, view, onView, onDensity } = props;
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useFrameSize(frame);
  const { tx, ty, xs, ys } = useLooks('tx', 'ty', 'xs', 'ys');
  const isEqual = useLook((state) => state.size === 'equal');
  const isNarrow = width < narrowPx;
  const room = isNarrow ? narrowRoom : wideRoom;
  const area = useMemo(
    () => ({
      x0: room.left,
      y0: room.top,
      x1: Math.max(room.left + 1, width - room.right),
      y1: Math.max(room.top + 1, height - room.bottom),
    }),
    [width, height, room],
  );
  const rollUp = (metric: Metric) => figuresOf(tree, metric)?.rollUp ?? 'mean';
  const rollUps = { x: rollUp(query.x), y: rollUp(query.y) };
  const scales = useMemo(() => {
    const { limits, points: drawn } = points;
    const [across, up] = [Float64Array.from([...drawn.x, ...limits!.x]), Float64Array.from([...drawn.y, ...limits!.y])];
    const kinds = {
      x: kindOfAxis(query.x, across, rollUps.x, xs),
      y: kindOfAxis(query.y, up, rollUps.y, ys),
    };
    const x = scaleOf(across, kinds.x, area.x0, area.x1, { start: view.x, k: view.k });
    const y = scaleOf(up, kinds.y, area.y1, area.y0, { start: view.y, k: view.k });
    return { x, y };
  }, [points, query, area, view, xs, ys, rollUps.x, rollUps.y]);
  const isDense = width > 0 && points.placed > points.points.nodes.length;
  const densityQuery = useDensity(query, isDense ? windowEdges(scales.x, scales.y, view) : undefined);
  const { density } = densityQuery;
  useEffect(() => onDensity(isDense ? densityQuery : undefined), [onDensity, isDense, densityQuery]);
  const shown = useMemo(() => (density ? { ...points, points: density.points } : points), [points, density]);
  const plot = useMemo(() => {
    const placed = placePoints(shown.points, scales.x, scales.y, isEqual, points.points.size);
    return { ...scales, placed };
  }, [points, shown, scales, isEqual]);
  const at = { x: tx ?? points.medians!.x, y: ty ?? points.medians!.y };
  const axes = { x: query.x, y: query.y };
  const names = quadrantNames(axes, rollUps);
  const titles = { x: axisTitle({ axes, rollUps }, 'x'), y: axisTitle({ axes, rollUps }, 'y') };
  const words = levelWords[query.level];
  const quadrants = totals?.quadrants ?? [];
  const rowsOf = (places: readonly number[]) => places.reduce((sum, index) => sum + (quadrants[index]?.rows ?? 0), 0);
  const goodX = rowsOf(isCost(query.x) ? [0, 2] : [1, 3]);
  const goodY = rowsOf(isCost(query.y) ? [0, 1] : [2, 3]);
  const cutsOf = (index: number, { sides }: LevelPoints): [Cut, Cut] => [
    { of: query.x, at: at.x, isHigh: index % 2 === 1, sides: sides.x },
    { of: query.y, at: at.y, isHigh: index >= 2, sides: sides.y },
  ];
  const pickQuadrant = (index: number): Picked | undefined => {
    if (!totals || (totals.quadrants[index]?.rows ?? 0) === 0) return undefined;
    return pickArea(query, areaOfQuadrant(query.areasOf, cutsOf(index, totals), points.limits!));
  };
  const filterTo = (index: number): (() => void) | undefined => {
    const before = readFilter(query.filter);
    if (!before || !totals) return undefined;
    const cuts = cutsOf(index, totals);
    // Branches have no ranges of scores and of fields of the file, and children of a branch none at all.
    const after = filterOfQuadrant(before, query.level, cuts) ?? {
      ...before,
      areas: [...before.areas, areaOfQuadrant(query.areasOf, cuts, points.limits!)],
    };
    return () => {
      // The medians of what is kept are others: the lines stay where they are.
      store.setState({ tx: at.x, ty: at.y });
      void explorer.setFilter(writeFilter(after));
    };
  };
  const current = useCurrentPoint(shown);
  const drawing = useMemo((): PlotDrawing => {
    const { names: texts } = shown.points;
    const { placed } = plot;
    const isPart = view.k > 1;
    const all = texts.map((name, index) => ({
      name: shownName(name),
      x: placed.x[index]!,
      y: placed.y[index]!,
      radius: placed.radius[index]!,
    }));
    const labels = labelPoints(
      all,
      area,
      current < 0 ? [] : [current],
      (index) => isSeen({ area, placed, isPart }, index),
      isPart ? edgeBoxes(area) : [],
    );
    const both = { x: titles.x, y: titles.y };
    const axes = { x: query.x, y: query.y };
    return {
      size: { width, height },
      area,
      axes,
      ...plot,
      points: shown.points,
      density,
      labels,
      titles: both,
      isPart,
    };
  }, [shown, density, plot, area, current, width, height, view.k, query.x, query.y, titles.x, titles.y]);
  usePicture(drawing, {
    thresholds: {
      x: { value: at.x, text: thresholdText(query.x, at.x, tx === undefined), isMedian: tx === undefined },
      y: { value: at.y, text: thresholdText(query.y, at.y, ty === undefined), isMedian: ty === undefined },
    },
    quadrants: quadrantPlaces.map((place, index) => ({
      name: names[place],
      totals: quadrants[index]
        ? quadrantText(words.count(quadrants[index].rows), quadrants[index].volume, points.volume)
        : '',
    })),
    about: `${words.count(points.placed)} with a place, ${exact(points.total - points.placed)} without`,
  });
  return (
    <div ref={frame} className="relative min-h-48 min-w-0 flex-1 overflow-hidden">
      {width > 0 && (
        <>
          <PointsLayer {...props} points={shown} drawing={drawing} current={current} />
          {view.k > 1 && !(isDense && densityQuery.isStale) && (
            <EdgeCounts
              area={area}
              beyond={density ? beyondCells(density) : beyondView(view, plot.placed.shares)}
              view={view}
              onView={onView}
            />
          )}
          {[quadrantPlaces.slice(2), quadrantPlaces.slice(0, 2)].map((places, line) => (
            <div
              key={places[0]}
              className="pointer-events-none absolute inset-x-1 flex justify-between gap-2 *:pointer-events-auto"
              style={line === 0 ? { top: 4 } : { top: area.y1 + tickPx }}
            >
              {places.map((place) => {
                const index = quadrantPlaces.indexOf(place);
                return (
                  <QuadrantLabel
                    key={place}
                    align={corners[place]}
                    name={names[place]}
                    count={quadrants[index] ? words.count(quadrants[index].rows) : '…'}
                    hardly={quadrants[index]?.hardly ?? 0}
                    volume={quadrants[index]?.volume}
                    ofVolume={points.volume}
                    isCounting={isCounting || !quadrants[index]}
                    picked={pickQuadrant(index)}
                    onFilter={filterTo(index)}
                  />
                );
              })}
            </div>
          ))}
          <ThresholdLine
            axis="x"
            of={query.x}
            scale={plot.x}
            ends={[area.y0 - (isNarrow ? handlePx.narrow : handlePx.wide), area.y1]}
            value={at.x}
            isMedian={tx === undefined}
            good={words.count(goodX)}
            onChange={(next) => store.setState({ tx: next })}
          />
          <ThresholdLine
            axis="y"
            of={query.y}
            scale={plot.y}
            isNarrow={isNarrow}
            ends={[area.x0, area.x1 + 8]}
            value={at.y}
            isMedian={ty === undefined}
            good={words.count(goodY)}
            onChange={(next) => store.setState({ ty: next })}
          />
        </>
      )}
    </div>
  );
}

/** Offers what is shown to exports. */
function usePicture(drawing: PlotDrawing, over: Omit<PlotPicture, 'drawing'>): void {
  const explorer = useExplorer();
  useEffect(() => {
    plotPictures.set(explorer, { drawing, ...over });
  });
  useEffect(() => () => void plotPictures.delete(explorer), [explorer]);
}

type LabelProps = {
  readonly name: string;
  /** "24 clusters" */
  readonly count: string;
  readonly hardly: number;
  readonly volume: number | undefined;
  /** The volume of the whole level. */
  readonly ofVolume: number | undefined;
  readonly isCounting: boolean;
  readonly align: 'start' | 'end';
  /** The selection of what is in it; undefined if that is nothing, or until the totals are known. */
  readonly picked: Picked | undefined;
  /** Undefined until the totals are known. */
  readonly onFilter: (() => void) | undefined;
};

/** "24 clusters · 89,920 · 54 %". Without any known volume there is none to share. */
function quadrantText(count: string, volume: number | undefined, ofVolume: number | undefined): string {
  const of = ofVolume === undefined ? '' : ` · ${share(volume ?? 0, ofVolume)}`;
  return `${count} · ${exact(volume ?? (ofVolume === undefined ? undefined : 0))}${of}`;
}

/** The name of a quadrant with its totals, and what can be done with what is in it. */
function QuadrantLabel(props: LabelProps) {
  const { name, count, hardly, volume, ofVolume, isCounting, picked, onFilter } = props;
  const explorer = useExplorer();
  const { store } = explorer;
  const toast = useToast();
  const cannotPick = !picked || isCounting;
  const title = hardly > 0 ? `${exact(hardly)} of them known for less than 20 %` : undefined;
  return (
    <div className="min-w-0 max-w-[49%]">
      <Menu
        align={props.align}
        trigger={
          <button
            type="button"
            aria-busy={isCounting}
            title={title}
            className={classNames(
              'flex max-w-full flex-col rounded-control px-2 py-0.5 text-left text-small text-ink hover:bg-sunken touch:min-h-11',
              props.align === 'end' && 'items-end text-right',
            )}
          >
            <span className="flex items-center gap-1 font-semibold">
              {name}
              <ChevronDown size={14} strokeWidth={2} />
            </span>
            <span className={classNames('text-micro tabular-nums', isCounting ? 'text-muted' : 'text-ink')}>
              {quadrantText(count, volume, ofVolume)}
            </span>
          </button>
        }
      >
        <MenuItem disabled={cannotPick} onSelect={() => store.setState({ picked: picked! })}>
          Select {count}
        </MenuItem>
        <MenuItem disabled={!onFilter || isCounting} {...(onFilter && { onSelect: onFilter })}>
          Filter to these
        </MenuItem>
        {explorer.isKept && (
          <MenuItem
            disabled={cannotPick}
            onSelect={() => {
              store.setState({ picked: picked! });
              void planPicked(explorer, toast);
            }}
          >
            Add {count} to plan
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}

type EdgeProps = {
  readonly area: Edges;
  readonly beyond: Readonly<Record<Side, Beyond>>;
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
};

/** How many points lie beyond each edge. A click shows them, too. */
function EdgeCounts({ area, beyond, view, onView }: EdgeProps) {
  const middle = { x: (area.x0 + area.x1) / 2, y: (area.y0 + area.y1) / 2 };
  const places = {
    left: { left: area.x0 + insetPx, top: middle.y, transform: 'translateY(-50%)' },
    right: { left: area.x1 - insetPx, top: middle.y, transform: 'translate(-100%, -50%)' },
    above: { left: middle.x, top: area.y0 + insetPx, transform: 'translateX(-50%)' },
    below: { left: middle.x, top: area.y1 - insetPx, transform: 'translate(-50%, -100%)' },
  } as const;
  return sides.map((side) => {
    const { count, reach } = beyond[side];
    if (count === 0) return null;
    return (
      <button
        key={side}
        type="button"
        aria-label={`${counted(count, 'mark')} ${words[side]}. Show them`}
        onClick={() => onView(widenedView(view, reach(view)))}
        className="absolute z-10 h-6 rounded-chip border border-line bg-surface px-1.5 text-micro text-ink tabular-nums shadow-1 hover:bg-sunken touch:h-11 touch:min-w-11"
        style={places[side]}
      >
        {arrows[side](count)}
      </button>
    );
  });
}

const words: Readonly<Record<Side, string>> = {
  left: 'further left',
  right: 'further right',
  above: 'further up',
  below: 'further down',
};
const arrows: Readonly<Record<Side, (count: number) => ReactNode>> = {
  left: (count) => `◂ ${exact(count)}`,
  right: (count) => `${exact(count)} ▸`,
  above: (count) => `▴ ${exact(count)}`,
  below: (count) => `▾ ${exact(count)}`,
};

const nothing = { width: 0, height: 0 };

/** The size of an element in CSS pixels, as it changes; 0 by 0 before it is known. */
function useFrameSize(frame: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState(nothing);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);
  return size;
}

/** What the server counts in the window of a plot. */
export type DensityQuery = {
  /** The newest answer for the plot, perhaps for another window of it. */
  readonly density: Density | undefined;
  readonly isStale: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** How long the camera rests before a window is asked for, in milliseconds. */
const restMs = 120;

/** @param edges the cells of the window; undefined where all points are drawn */
function useDensity(query: PointsQuery, edges: DensityEdges | undefined): DensityQuery {
  const { found, isStale, failure, retry } = useLatestQuery(
    'density',
    edges && { query, edges },
    (levels, window, signal) => levels.density(window.query, window.edges, signal),
    restMs,
  );
  const plot = JSON.stringify(query);
  const isOfPlot = edges !== undefined && JSON.stringify(found?.question.query) === plot;
  const density = useMemo(
    () => (isOfPlot && found ? { ...found.answer, ...found.question } : undefined),
    [isOfPlot, found],
  );
  return useMemo(() => ({ density, isStale, failure, retry }), [density, isStale, failure, retry]);
}
