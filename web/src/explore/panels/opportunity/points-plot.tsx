import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { isCost, type QuadrantPlace, quadrantPlaces } from '@kc/pack/levels/quadrants';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { useMemo, useRef } from 'react';
import { axisTitle, quadrantNames } from '../../charts/opportunity/plot-text.ts';
import type { PointsQuery } from '../../model/points-query.ts';
import { figuresOf, type Metric } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { levelWords } from '../table/level-words.ts';
import { placePoints } from './place-points.ts';
import { scaleOf } from './plot-scale.ts';
import { PointsLayer } from './points-layer.tsx';
import { filterOfQuadrant } from './quadrant-filter.ts';
import { QuadrantLabel } from './quadrant-label.tsx';
import { ThresholdLine } from './threshold-line.tsx';
import { useFrameSize } from './use-frame-size.ts';

type PlotProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints;
  /** The totals at the chosen thresholds; undefined until they come. */
  readonly totals: LevelPoints | undefined;
  readonly isCounting: boolean;
};

/** Room around the plot for the axes, the handles, and the names of the quadrants, in CSS pixels. */
const wideRoom = { left: 58, right: 96, top: 74, bottom: 66 };
const narrowRoom = { left: 58, right: 64, top: 76, bottom: 92 };
const narrowPx = 560;
/** Above the plot, the handle of the vertical line. */
const handlePx = 24;
/** Below the plot, the figures of the ticks. */
const tickPx = 20;

const corners: Readonly<Record<QuadrantPlace, 'start' | 'end'>> = {
  lowerLeft: 'start',
  lowerRight: 'end',
  upperLeft: 'start',
  upperRight: 'end',
};

/** The points, the two thresholds, and the quadrants between them. */
export function PointsPlot({ query, points, totals, isCounting }: PlotProps) {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useFrameSize(frame);
  const tx = useLook((state) => state.tx);
  const ty = useLook((state) => state.ty);
  const isEqual = useLook((state) => state.size === 'equal');
  const room = width < narrowPx ? narrowRoom : wideRoom;
  const area = useMemo(
    () => ({
      x0: room.left,
      y0: room.top,
      x1: Math.max(room.left + 1, width - room.right),
      y1: Math.max(room.top + 1, height - room.bottom),
    }),
    [width, height, room],
  );
  const plot = useMemo(() => {
    const { limits, points: drawn } = points;
    const x = scaleOf(query.x, Float64Array.from([...drawn.x, ...limits!.x]), area.x0, area.x1);
    const y = scaleOf(query.y, Float64Array.from([...drawn.y, ...limits!.y]), area.y1, area.y0);
    return { x, y, placed: placePoints(drawn, x, y, isEqual) };
  }, [points, query, area, isEqual]);
  const at = { x: tx ?? points.medians!.x, y: ty ?? points.medians!.y };
  const rollUp = (metric: Metric) => figuresOf(tree, metric)?.rollUp ?? 'mean';
  const rollUps = { x: rollUp(query.x), y: rollUp(query.y) };
  const axes = { x: query.x, y: query.y };
  const names = quadrantNames(axes, rollUps);
  const words = levelWords[query.level];
  const quadrants = totals?.quadrants ?? [];
  const rowsOf = (nths: readonly number[]) => nths.reduce((sum, nth) => sum + (quadrants[nth]?.rows ?? 0), 0);
  const goodX = rowsOf(isCost(query.x) ? [0, 2] : [1, 3]);
  const goodY = rowsOf(isCost(query.y) ? [0, 1] : [2, 3]);
  const filterTo = (nth: number): (() => void) | undefined => {
    const before = readFilter(query.filter);
    if (!before || !totals) return undefined;
    const cuts = [
      { of: query.x, at: at.x, isHigh: nth % 2 === 1, sides: totals.sides.x },
      { of: query.y, at: at.y, isHigh: nth >= 2, sides: totals.sides.y },
    ];
    const after = filterOfQuadrant(before, query.level, cuts);
    if (!after) return undefined;
    return () => {
      // The medians of what is kept are others: the lines stay where they are.
      store.setState({ tx: at.x, ty: at.y });
      void explorer.setFilter(writeFilter(after));
    };
  };
  return (
    <div ref={frame} className="relative min-h-48 min-w-0 flex-1 overflow-hidden">
      {width > 0 && (
        <>
          <PointsLayer
            size={{ width, height }}
            area={area}
            x={plot.x}
            y={plot.y}
            placed={plot.placed}
            query={query}
            points={points}
            titles={{
              x: axisTitle({ axes, rollUps }, 'x'),
              y: axisTitle({ axes, rollUps }, 'y'),
            }}
          />
          {[quadrantPlaces.slice(2), quadrantPlaces.slice(0, 2)].map((places, line) => (
            <div
              key={places[0]}
              className="pointer-events-none absolute inset-x-1 flex justify-between gap-2 *:pointer-events-auto"
              style={line === 0 ? { top: 4 } : { top: area.y1 + tickPx }}
            >
              {places.map((place) => {
                const nth = quadrantPlaces.indexOf(place);
                return (
                  <QuadrantLabel
                    key={place}
                    align={corners[place]}
                    name={names[place]}
                    count={quadrants[nth] ? words.count(quadrants[nth].rows) : '…'}
                    hardly={quadrants[nth]?.hardly ?? 0}
                    volume={quadrants[nth]?.volume}
                    ofVolume={points.volume}
                    isCounting={isCounting || !quadrants[nth]}
                    onFilter={filterTo(nth)}
                  />
                );
              })}
            </div>
          ))}
          <ThresholdLine
            axis="x"
            of={query.x}
            scale={plot.x}
            ends={[area.y0 - handlePx, area.y1]}
            value={at.x}
            isMedian={tx === undefined}
            good={words.count(goodX)}
            onChange={(next) => store.setState({ tx: next })}
          />
          <ThresholdLine
            axis="y"
            of={query.y}
            scale={plot.y}
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
