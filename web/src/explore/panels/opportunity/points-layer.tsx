import type { AreaPart } from '@kc/pack/filter/filter';
import { figureName } from '@kc/pack/filter-words/figure-name';
import type { LevelPoints } from '@kc/rules/points-shapes';
import {
  type KeyboardEvent,
  type MouseEvent as ReactMouseEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Edges } from '../../charts/layout/layout.ts';
import { type Cell, cellAt } from '../../charts/opportunity/density.ts';
import { drawingOrder, drawPlot, isSeen, type PlotDrawing } from '../../charts/opportunity/draw-plot.ts';
import { type Place, pickedArea, pickedPoints, shapeOf } from '../../charts/opportunity/lasso.ts';
import { nearestPoint } from '../../charts/opportunity/place-points.ts';
import type { Scale } from '../../charts/opportunity/plot-scale.ts';
import { maxZoom, type PlotView, pannedView, wholeView, zoomedView } from '../../charts/opportunity/plot-scale.ts';
import { watchFonts } from '../../charts/paint/text.ts';
import { nothingPicked } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import { none } from '../../tree-data/columns.ts';
import { type MenuPlace, NodeMenu } from '../canvas/node-menu.tsx';
import { useExplorer, useForOneContent, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { usePalette } from '../row-look.tsx';
import { useOpenNode } from '../use-open-node.ts';
import { levelWords } from '../view-names.ts';
import { CellCard, PointCard } from './point-card.tsx';
import { useLasso, usePickShape } from './use-lasso.ts';

/** What a plot shows, and what can be changed in it. */
export type PlotProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints;
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
  readonly isLassoOn: boolean;
  readonly onLasso: (isOn: boolean) => void;
};

type LayerProps = PlotProps & {
  readonly drawing: PlotDrawing;
  /** The number of the selected point; -1 if it is none of them. */
  readonly current: number;
};

const zoomStep = 1.4;
const panStep = 0.15;
/** How much a click on a cell zooms in. */
const cellZoom = 3;
/** Points are hit from this far beyond their rim, in CSS pixels. */
const slopPx = 3;

const pointKeys = 'Arrow keys move between points, Enter opens one. Q begins to draw a selection.';
const cellKeys = 'Points that are not drawn one by one are counted in cells; plus zooms in on them.';
const lassoKeys =
  'Drawing a selection: arrow keys move the crosshair, Space sets a corner, Backspace takes it back, Enter selects what is inside, Escape ends it.';

/** Axes, points and names on a canvas. They are one widget: arrows move to the nearest point in a direction. */
export function PointsLayer(props: LayerProps) {
  const { drawing, current, query, points, view, onView, isLassoOn, onLasso } = props;
  const explorer = useExplorer();
  const { placed, size } = drawing;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { select, open, menuRow } = useOpenNode();
  const [hovered, setHovered] = useState(-1);
  const [cell, setCell] = useState<Cell>();
  const [menu, setMenu] = useForOneContent<MenuPlace>();
  const { nodes } = points.points;
  const wasDrag = usePlotGestures({ frame, area: drawing.area, view, onView, isDrawing: isLassoOn });
  const pickShape = usePickShape(query, drawing);
  const lasso = useLasso({
    isOn: isLassoOn,
    area: drawing.area,
    onShape: pickShape,
    onLeave: () => onLasso(false),
    onSay: (spoken) => explorer.store.setState({ spoken }),
  });
  const picked = useLook((state) => state.picked);
  const area = useMemo(() => pickedArea(picked, query), [picked, query]);
  const pickedIndexes = useMemo(() => pickedPoints(points.points, picked, area), [points, picked, area]);
  useDrawing(canvas, drawing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell belongs to a window and its place
  useEffect(() => setCell(undefined), [drawing.density, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number is that of another point among others
  useEffect(() => setHovered(-1), [points]);
  const order = useMemo(() => drawingOrder(points.points.hardly).reverse(), [points]);
  const placeOf = ({ clientX, clientY }: ReactMouseEvent) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const nthAt = (event: ReactMouseEvent): number => {
    const { x, y } = placeOf(event);
    const isHit = (index: number) =>
      Math.hypot(placed.x[index]! - x, placed.y[index]! - y) <= placed.radius[index]! + slopPx &&
      isSeen(drawing, index);
    return order.find(isHit) ?? -1;
  };

  const cellOf = ({ x, y }: { readonly x: number; readonly y: number }) =>
    drawing.density && cellAt(drawing.density, drawing.x.anyAt(x), drawing.y.anyAt(y));

  /** Zooms in on a cell, which stays where it is. */
  function enterCell(event: ReactMouseEvent): void {
    const { x, y } = placeOf(event);
    const { x0, y0, x1, y1 } = drawing.area;
    const at = { x: (x - x0) / (x1 - x0), y: (y1 - y) / (y1 - y0) };
    if (cellOf({ x, y })) onView(zoomedView(view, cellZoom, at));
  }

  const showMenu = (index: number, at: { readonly x: number; readonly y: number }) =>
    void menuRow(nodes[index]!, (row) => setMenu({ row, at }));

  function press(event: KeyboardEvent): void {
    if (lasso.press(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const menuOfCurrent = () => {
      if (current >= 0) showMenu(current, { x: placed.x[current]!, y: placed.y[current]! });
    };
    const move = (across: number, down: number) => () => {
      const next = current < 0 ? 0 : nearestPoint(placed, current, across, down);
      if (next !== undefined && nodes[next] !== undefined) void select(nodes[next]);
    };
    const acts: Readonly<Record<string, () => void>> = event.shiftKey
      ? {
          ArrowLeft: () => onView(pannedView(view, panStep, 0)),
          ArrowRight: () => onView(pannedView(view, -panStep, 0)),
          ArrowUp: () => onView(pannedView(view, 0, -panStep)),
          ArrowDown: () => onView(pannedView(view, 0, panStep)),
          '+': () => onView(zoomedView(view, zoomStep)),
          F10: menuOfCurrent,
        }
      : {
          ContextMenu: menuOfCurrent,
          ArrowLeft: move(-1, 0),
          ArrowRight: move(1, 0),
          ArrowUp: move(0, -1),
          ArrowDown: move(0, 1),
          Enter: () => current >= 0 && void open(nodes[current]!),
          Escape: picked === nothingPicked ? explorer.climb : () => explorer.store.setState({ picked: nothingPicked }),
          Backspace: explorer.climb,
          ...(singleKeysOn() && {
            q: () => onLasso(!isLassoOn),
            t: explorer.toggleTable,
            '+': () => onView(zoomedView(view, zoomStep)),
            '=': () => onView(zoomedView(view, zoomStep)),
            '-': () => onView(zoomedView(view, 1 / zoomStep)),
            0: () => onView(wholeView),
          }),
        };
    const act = acts[event.key];
    if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  function hover(event: ReactMouseEvent): void {
    const index = isLassoOn ? -1 : nthAt(event);
    setHovered(index);
    setCell(index >= 0 || isLassoOn ? undefined : cellOf(placeOf(event)));
  }

  function openMenu(event: ReactMouseEvent): void {
    event.preventDefault();
    const index = nthAt(event);
    if (index >= 0) showMenu(index, placeOf(event));
  }

  const words = levelWords[query.level];
  const place = useLook(({ focus }) => explorer.tree.name(focus));
  return (
    <>
      <div
        ref={frame}
        role="application"
        aria-label={`Opportunity of ${place}: ${words.count(points.placed)}. ${figureName(query.x)} to the right, ${figureName(query.y)} upwards. ${isLassoOn ? lassoKeys : pointKeys}${drawing.density ? ` ${cellKeys}` : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a widget of its own, with its own keys
        tabIndex={0}
        onKeyDown={press}
        {...lasso.pointerProps}
        onClick={(event) => {
          if (wasDrag() || isLassoOn) return;
          const index = nthAt(event);
          if (index >= 0) void select(nodes[index]!);
          else enterCell(event);
        }}
        onDoubleClick={(event) => {
          const index = isLassoOn ? -1 : nthAt(event);
          if (index >= 0) void open(nodes[index]!);
        }}
        onContextMenu={openMenu}
        onPointerMove={(event) => {
          lasso.pointerProps.onPointerMove(event);
          if (event.buttons === 0) hover(event);
        }}
        onPointerLeave={() => {
          setHovered(-1);
          setCell(undefined);
        }}
        className={`absolute inset-0 touch-none outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus ${isLassoOn ? 'cursor-crosshair' : hovered >= 0 || cell ? 'cursor-pointer' : ''}`}
      >
        <canvas ref={canvas} className="block size-full forced-color-adjust-none" />
        <svg
          aria-hidden="true"
          width={size.width}
          height={size.height}
          className="pointer-events-none absolute inset-0"
        >
          <LassoMarks drawing={drawing} area={area} pickedIndexes={pickedIndexes} lasso={lasso} />
          {current >= 0 && isSeen(drawing, current) && (
            <circle
              cx={placed.x[current]}
              cy={placed.y[current]}
              r={placed.radius[current]! + 3}
              className="fill-transparent stroke-ink"
              strokeWidth="2"
            />
          )}
        </svg>
        {hovered >= 0 && !menu && nodes[hovered] !== undefined && (
          <PointCard
            query={query}
            points={points.points}
            index={hovered}
            at={{ x: placed.x[hovered]!, y: placed.y[hovered]!, radius: placed.radius[hovered]! }}
          />
        )}
        {cell && hovered < 0 && !menu && (
          <CellCard
            query={query}
            cell={cell}
            limits={points.limits!}
            canEnter={view.k < maxZoom}
            at={{ x: middle(drawing.x, cell.x), y: middle(drawing.y, cell.y), radius: 0 }}
          />
        )}
      </div>
      {menu && <NodeMenu place={menu} surface={frame} stage={undefined} onClose={() => setMenu(undefined)} />}
    </>
  );
}

const middle = ({ at }: Scale, [from, to]: readonly [number, number]): number => (at(from) + at(to)) / 2;

/** Draws at once what is new, in the pixels of the screen. */
function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, drawing: PlotDrawing): void {
  const palette = usePalette();
  const [fonts, setFonts] = useState(0);
  useEffect(() => watchFonts(() => setFonts((count) => count + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with new fonts the same drawing looks different
  useEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext('2d');
    if (!element || !ctx) return;
    const { width, height } = drawing.size;
    const dpr = Math.min(2, window.devicePixelRatio);
    const [across, down] = [Math.round(width * dpr), Math.round(height * dpr)];
    if (element.width !== across) element.width = across;
    if (element.height !== down) element.height = down;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, width, height);
    drawPlot(ctx, drawing, palette);
  }, [canvas, drawing, palette, fonts]);
}

/** The number of the selected point; -1 if the selection is none of them. */
export function useCurrentPoint({ points }: LevelPoints): number {
  const { tree } = useExplorer();
  const selected = useLook((state) => (state.selected === none ? none : tree.node[state.selected]!));
  return useMemo(() => points.nodes.indexOf(selected), [points, selected]);
}

type Props = {
  readonly drawing: PlotDrawing;
  /** The area that the selection was made by. */
  readonly area: AreaPart | undefined;
  readonly pickedIndexes: readonly number[];
  readonly lasso: {
    readonly line: readonly Place[];
    readonly crosshair: (Place & { readonly corners: number }) | undefined;
  };
};

const crosshairPx = 9;
const cornerPx = 3;

/** The selection in the plot: its area, a ring around each selected point, and the shape that is being drawn. */
function LassoMarks({ drawing, area, pickedIndexes, lasso: { line, crosshair } }: Props) {
  const shape = area && shapeOf(area, drawing);
  const { x, y, radius } = drawing.placed;
  const rings = pickedIndexes
    .filter((index) => isSeen(drawing, index))
    .map((index) => ring(x[index]!, y[index]!, radius[index]! + 2))
    .join('');
  return (
    <>
      {shape && <path d={pathOf(shape)} className="fill-brand/10 stroke-brand" strokeDasharray="6 3" />}
      {rings !== '' && <path d={rings} className="fill-none stroke-brand" strokeWidth="2" />}
      {line.length > 1 && <path d={pathOf(line)} className="fill-brand/10 stroke-brand" strokeWidth="1.5" />}
      {crosshair && (
        <>
          {line.slice(0, crosshair.corners).map((corner, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a corner is identified by its place in the shape
            <circle key={index} cx={corner.x} cy={corner.y} r={cornerPx} className="fill-brand" />
          ))}
          <path
            d={`M${crosshair.x - crosshairPx} ${crosshair.y}h${2 * crosshairPx}M${crosshair.x} ${crosshair.y - crosshairPx}v${2 * crosshairPx}`}
            className="stroke-ink"
            strokeWidth="2"
          />
        </>
      )}
    </>
  );
}

const pathOf = (places: readonly Place[]): string =>
  `M${places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;

const ring = (x: number, y: number, r: number): string =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

type Gestures = {
  readonly frame: RefObject<HTMLElement | null>;
  readonly area: Edges;
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
  /** Whether one finger or the pressed button draws instead. */
  readonly isDrawing: boolean;
};

/** A finger or a pressed button becomes a drag after so many CSS pixels. */
const dragPx = 4;
/** A wheel event of this many CSS pixels zooms by half. */
const wheelPx = 250;

/** Zooms by wheel and pinch, pans by drag. @returns whether the last press became a drag, so that it is no click */
function usePlotGestures(gestures: Gestures): () => boolean {
  const now = useRef(gestures);
  now.current = gestures;
  const wasDrag = useRef(false);
  const { frame } = gestures;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const down = new Map<number, Place>();
    let start: Place = { x: 0, y: 0 };
    const inFrame = (event: MouseEvent): Place => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const shareOf = ({ x, y }: Place) => {
      const { area } = now.current;
      return { x: (x - area.x0) / (area.x1 - area.x0), y: (area.y1 - y) / (area.y1 - area.y0) };
    };
    const show = (next: PlotView) => {
      // Two events of one frame must both count.
      now.current = { ...now.current, view: next };
      now.current.onView(next);
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      show(zoomedView(now.current.view, 1.5 ** ((-event.deltaY * lines) / wheelPx), shareOf(inFrame(event))));
    };
    const press = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (down.size === 0) {
        wasDrag.current = false;
        start = inFrame(event);
      }
      down.set(event.pointerId, inFrame(event));
    };
    const move = (event: PointerEvent) => {
      // Before it became a drag, it was released outside, or a menu of the system took it.
      if (event.buttons === 0) down.delete(event.pointerId);
      const before = down.get(event.pointerId);
      if (!before) return;
      const to = inFrame(event);
      const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      if (
        !other &&
        (now.current.isDrawing || (!wasDrag.current && Math.hypot(to.x - start.x, to.y - start.y) < dragPx))
      )
        return;
      if (!wasDrag.current) element.setPointerCapture(event.pointerId);
      wasDrag.current = true;
      down.set(event.pointerId, to);
      const { area, view } = now.current;
      const between = (one: Place) => (other ? { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } : one);
      const [from, at] = [between(before), between(to)];
      const panned = pannedView(view, (at.x - from.x) / (area.x1 - area.x0), (from.y - at.y) / (area.y1 - area.y0));
      const apart = (one: Place) => (other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1);
      show(zoomedView(panned, apart(to) / apart(before), shareOf(at)));
    };
    const release = (event: PointerEvent) => down.delete(event.pointerId);
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('wheel', wheel, { passive: false, signal });
    element.addEventListener('pointerdown', press, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', release, { signal });
    element.addEventListener('pointercancel', release, { signal });
    return () => stop.abort();
  }, [frame]);
  return () => wasDrag.current;
}
