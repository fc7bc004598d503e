import type { Theme } from '../../../ui/environment.ts';
import type { Camera } from '../../model/camera.ts';
import { rowsOf } from '../../model/compared-nodes.ts';
import type { Explorer } from '../../model/explorer.ts';
import { type ExplorerState, layoutDepthOf } from '../../model/explorer-state.ts';
import { none } from '../../tree-data/columns.ts';
import { isSameCamera, type Size, shiftBetween, stillServes, stillServesWell } from '../camera/camera.ts';
import { goneWeights } from '../layout/families.ts';
import { isAround, type Layout, type LayoutOptions, type Marks, type Zooms } from '../layout/layout.ts';
import { drawInSteps, drawMarks } from '../paint/draw-marks.ts';
import type { Chart, Paint } from '../paint/painter.ts';
import { shareWriters } from '../paint/text.ts';
import type { CameraController } from './camera-controller.ts';
import type { FramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import type { ShownMarks } from './shown-marks.ts';

type FrameLoopDeps = {
  readonly context: CanvasRenderingContext2D;
  readonly drawing: ChartDrawing;
  readonly controller: CameraController;
  readonly shown: ShownMarks;
  readonly pace: FramePace;
  readonly motion: Pick<Motion, 'isLeaving'>;
  /** Whether there is anything to draw. */
  readonly isReady: () => boolean;
  /** Called after each layout with the children that it has room for. */
  readonly onWants: (wants: Marks['wants']) => void;
  /** Called when what is in view changes. */
  readonly onSight: () => void;
  /** Called when the first marks of another chart or branch are on the canvas. */
  readonly onArrival: (marks: Marks) => void;
};

/** How long a drawing in steps takes, about. */
const aheadMs = 140;

/** Draws at most one frame per display refresh, and none if nothing has changed. */
export class FrameLoop {
  readonly #deps: FrameLoopDeps;
  readonly #still: Still;
  readonly #redraw: Redraw;
  #frame = 0;
  #needsLayout = true;
  /** Whether the canvas, or the drawing in progress, is outdated. */
  #needsPaint = true;
  #isEmptied = false;

  constructor(deps: FrameLoopDeps) {
    this.#deps = deps;
    this.#still = createStill(deps.context);
    const begin = (pen: CanvasRenderingContext2D, now: number) => this.#begin(pen, now);
    this.#redraw = createRedraw({ still: this.#still, pace: deps.pace, begin });
  }

  /** Requests a frame, with a new layout or without. */
  invalidate(layoutToo: boolean): void {
    this.#needsLayout ||= layoutToo;
    this.#needsPaint = true;
    this.#request();
  }

  /** Gives up the drawing in progress. */
  drop(): void {
    this.#redraw.drop();
  }

  /** Draws at once: a resized canvas is empty, and would flash until the next frame. */
  drawEmptied(): void {
    this.#needsLayout = this.#isEmptied = true;
    cancelAnimationFrame(this.#frame);
    this.#draw(performance.now());
  }

  close(): void {
    this.#still.close();
    cancelAnimationFrame(this.#frame);
  }

  #request(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    const { controller, shown, isReady, onSight } = this.#deps;
    this.#frame = 0;
    if (!isReady()) return;
    controller.step(now);
    const { marks } = shown;
    const camera = controller.camera;
    const isOff = camera !== undefined && !isSameCamera(shown.drawnAt, camera);
    if (isOff || this.#needsLayout) onSight();
    if (!this.#moveStill(marks, camera, isOff, now)) this.#drawInFull(marks, isOff, now);
  }

  /** Moves the bitmap of the last drawing instead of drawing, if that is good enough. @returns whether it is */
  #moveStill(marks: Marks | undefined, camera: Camera | undefined, isOff: boolean, now: number): boolean {
    const { controller, drawing, shown, motion, pace } = this.#deps;
    if (!marks || !camera || this.#isEmptied || motion.isLeaving()) return false;
    const { view, dpr } = drawing;
    const { zooms, count } = marks;
    const needsLayout = this.#needsLayout;
    const viewport = { drawnAt: shown.drawnAt, camera, view, dpr, zooms, count, isOff, needsLayout };
    if (!this.#redraw.moveOn(viewport, now)) return false;
    if (controller.isFlying || this.#redraw.isDrawing() || (this.#needsPaint && !pace.isMoving())) this.#request();
    return true;
  }

  #drawInFull(before: Marks | undefined, isOff: boolean, now: number): void {
    const { context, controller, drawing, motion, pace, onArrival } = this.#deps;
    const started = performance.now();
    const effort = motion.isLeaving() ? undefined : pace.effort();
    if (motion.isLeaving()) pace.moving(true);
    let marks = before;
    if (this.#needsLayout || !marks || isOff) {
      marks = controller.place((at) => drawing.layOut(at, effort), now);
      this.#onLayout(marks);
    }
    this.#needsPaint = false;
    drawing.draw(context, marks);
    this.#redraw.drop();
    this.#still.outdated();
    if (motion.isLeaving()) onArrival(marks);
    pace.drawing(started, marks.count);
    if (controller.isFlying) this.#request();
  }

  #onLayout({ isUnfinished, wants }: Marks): void {
    const { controller, onWants } = this.#deps;
    this.#needsLayout = isUnfinished;
    this.#isEmptied = this.#needsPaint = false;
    onWants(wants);
    if (!controller.isFlying) controller.lookAtSought();
  }

  /** Starts the next drawing in steps. */
  #begin(pen: CanvasRenderingContext2D, now: number): SteppedDrawing {
    const { controller, drawing, pace, shown } = this.#deps;
    // While the camera zooms out, the layout is for the camera at the end: it covers the view until then and after.
    const ahead = controller.outwardsAt(now + aheadMs);
    const layOut = (at: Camera) => drawing.layOut(at, pace.effort());
    const marks = ahead ? layOut(ahead) : controller.place(layOut, now);
    this.#onLayout(marks);
    return { at: shown.drawnAt, count: marks.count, steps: drawing.drawInSteps(pen, marks) };
  }
}

/** State of the explorer that a layout of its tree depends on, besides the focus. */
export const layoutFields = [
  'treeVersion',
  'size',
  'showsGone',
  'depth',
  'defaultDepth',
  'autoExpand',
  'opened',
  'closed',
  'unfolded',
] as const satisfies readonly (keyof ExplorerState)[];

/** The part of the options of a layout that this state decides. */
export function layoutLookOf(state: ExplorerState) {
  const { size, showsGone, opened, closed, unfolded } = state;
  const gone = showsGone ? goneWeights : undefined;
  return { sizeBy: size, goneWeights: gone, ...layoutDepthOf(state), opened, closed, unfolded };
}

/** The smallest mark of a node: see {@link LayoutOptions.minPx}. */
const smallestPx = 3;

type ChartDrawingDeps = {
  readonly canvas: HTMLCanvasElement;
  readonly explorer: Pick<Explorer, 'tree' | 'store'>;
  readonly chart: Chart;
  /** Receives the result of every layout. */
  readonly shown: ShownMarks;
  readonly pace: Pick<FramePace, 'budget'>;
  readonly theme: () => Theme;
};

/** Lays out and draws a chart for the current state of the explorer. */
export class ChartDrawing {
  readonly #deps: ChartDrawingDeps;
  readonly #layout: Layout;
  /** The size of the canvas in CSS pixels. */
  view: Size = { width: 0, height: 0 };
  /** Device pixels per CSS pixel. */
  dpr = 1;
  /** Row of the branch that is drawn. The stage sets it when the focus of the explorer changes. */
  focus: number;
  /** Whether the last input was a key. Only then does the selection have a focus ring. */
  isKeyboardDriven = false;

  constructor(deps: ChartDrawingDeps) {
    this.#deps = deps;
    this.#layout = deps.chart.createLayout();
    this.focus = deps.explorer.store.getState().focus;
  }

  /** @param effort see {@link LayoutOptions.effort}; default unlimited */
  layOut(at: Camera, effort = Number.POSITIVE_INFINITY): Marks {
    const { explorer, shown, pace } = this.#deps;
    const marks = this.#layout(explorer.tree, {
      focus: this.focus,
      ...this.view,
      camera: at,
      ...layoutLookOf(explorer.store.getState()),
      minPx: smallestPx,
      budget: pace.budget(),
      effort,
    });
    shown.show(marks, at);
    return marks;
  }

  draw(context: CanvasRenderingContext2D, marks: Marks): void {
    const { chart, explorer } = this.#deps;
    drawMarks(context, chart.painter, marks, explorer.tree, this.#paintFor(marks));
  }

  /** Draws like {@link draw}, a part with each step of the iterator. */
  drawInSteps(context: CanvasRenderingContext2D, marks: Marks): Iterator<void> {
    const { chart, explorer } = this.#deps;
    return drawInSteps(context, chart.painter, marks, explorer.tree, this.#paintFor(marks));
  }

  #paintFor(marks: Marks): Paint {
    const { explorer, shown, canvas, theme } = this.#deps;
    const state = explorer.store.getState();
    const { colour, steps, isColourBlindSafe, patterns, size, hovered, previewed, selected, compared, searchResults } =
      state;
    const { view, dpr } = this;
    // A ring around the whole chart would point out nothing.
    const ringed = selected === this.focus && isAround(marks) ? none : selected;
    const previewedMark = shown.representativeOf(previewed, view);
    return {
      theme: theme(),
      colourBy: colour,
      steps,
      isColourBlindSafe,
      patterns,
      sizeBy: size,
      hover: hovered === none ? previewedMark : shown.representativeOf(hovered, view),
      selection: new Set(ringed === none ? rowsOf(compared) : [...rowsOf(compared), ringed]),
      glow: searchResults?.glow,
      warnings: state.warningMarks,
      previewed: previewedMark,
      window: { ...view, isWhole: shown.isWhole(view) },
      focusRing: this.isKeyboardDriven && document.activeElement === canvas.parentElement ? ringed : none,
      dpr,
    };
  }
}

/** A layout and its drawing, which advances with each step. */
type SteppedDrawing = { readonly at: Camera; readonly count: number; readonly steps: Iterator<void> };

type RedrawDeps = {
  readonly still: Still;
  readonly pace: FramePace;
  /** Starts the next layout. */
  readonly begin: (pen: CanvasRenderingContext2D, now: number) => SteppedDrawing;
};

/** Position of the current bitmap, and the camera that shows it. */
export type MovingViewport = {
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  readonly dpr: number;
  readonly zooms: Zooms;
  /** Marks of the current layout. */
  readonly count: number;
  /** Whether it was laid out for another camera. */
  readonly isOff: boolean;
  /** Whether there is more to draw. */
  readonly needsLayout: boolean;
};

/** The next redraw, done off screen with one step per frame, while the current bitmap moves along with the camera. */
export function createRedraw({ still, pace, begin }: RedrawDeps) {
  let inProgress: (SteppedDrawing & { ms: number }) | undefined;

  function start(drawnAt: Camera, now: number): void {
    const started = performance.now();
    const drawing = begin(still.begin(drawnAt), now);
    inProgress = { ...drawing, ms: performance.now() - started };
  }

  function step(): void {
    if (!inProgress) return;
    const started = performance.now();
    const { done } = inProgress.steps.next();
    still.settle();
    inProgress.ms += performance.now() - started;
    if (!done) return;
    still.turn(inProgress.at);
    pace.measured(inProgress.ms, inProgress.count, performance.now());
    inProgress = undefined;
  }

  return {
    isDrawing: (): boolean => inProgress !== undefined,
    /** Discards the redraw in progress. */
    drop(): void {
      inProgress = undefined;
    },
    /**
     * Shows the current bitmap where the camera sees it, and continues the redraw if drawing takes longer than a frame.
     * @returns whether that is enough; if not, draw at once
     */
    moveOn({ drawnAt, camera, view, dpr, zooms, count, isOff, needsLayout }: MovingViewport, now: number): boolean {
      const serves = (is: typeof stillServes) => is(still.drawnFor(drawnAt), camera, view, zooms);
      if (inProgress) step();
      else if (!(isOff || needsLayout) || !serves(stillServes)) return false;
      else if (!pace.wasSlow() && pace.fits(count)) return false;
      else if ((needsLayout && !pace.waits(now)) || (isOff && !(pace.isMoving() && serves(stillServesWell)))) {
        start(drawnAt, now);
      }
      // If the current bitmap is no longer acceptable, finish the redraw now.
      while (inProgress && !serves(stillServes)) step();
      if (!serves(stillServes)) return false;
      if (isOff || !inProgress) still.show(drawnAt, camera, dpr, zooms);
      return true;
    },
  };
}

type Redraw = ReturnType<typeof createRedraw>;

/** A bitmap as large as the canvas, and the camera that it was drawn for. */
type Sheet = { readonly pen: CanvasRenderingContext2D; at: Camera };

export type Still = ReturnType<typeof createStill>;

/**
 * The last finished bitmap, shown moved and scaled while a redraw would be too slow, and a second sheet on which that
 * redraw can happen in the meantime.
 *
 * Only what is on the canvas anyway is copied, and only when needed: a chart that is redrawn in every frame costs
 * nothing here.
 */
function createStill(context: CanvasRenderingContext2D) {
  let shown = createSheet(context);
  let next: Sheet | undefined;
  const probe = createSheet(context).pen;
  probe.canvas.width = probe.canvas.height = 1;
  let isCurrent = false;

  /** Copies the canvas, unless that was done already. */
  function keep(drawnAt: Camera): void {
    if (isCurrent) return;
    fit(shown);
    shown.pen.drawImage(context.canvas, 0, 0);
    shown.at = drawnAt;
    isCurrent = true;
  }

  function fit({ pen }: Sheet): void {
    pen.canvas.width = context.canvas.width;
    pen.canvas.height = context.canvas.height;
  }

  return {
    /** The canvas has a new drawing. */
    outdated(): void {
      isCurrent = false;
    },
    /** The camera of the bitmap that {@link show} shows. @param drawnAt that of the drawing on the canvas */
    drawnFor: (drawnAt: Camera): Camera => (isCurrent ? shown.at : drawnAt),
    /** Shows the bitmap drawn for one camera as another camera sees it. */
    show(drawnAt: Camera, camera: Camera, dpr: number, zooms: Zooms): void {
      keep(drawnAt);
      const { canvas } = context;
      const { scale, scaleX, x, y } = shiftBetween(shown.at, camera, zooms);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(shown.pen.canvas, x * dpr, y * dpr, canvas.width * scaleX, canvas.height * scale);
    },
    /** A sheet to draw the next bitmap on, while the current one is shown. */
    begin(drawnAt: Camera): CanvasRenderingContext2D {
      keep(drawnAt);
      next ??= createSheet(context);
      fit(next);
      return next.pen;
    },
    /** Makes the browser rasterize the next sheet now, which it otherwise defers until it is shown. */
    settle(): void {
      if (next) probe.drawImage(next.pen.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    },
    /** The next sheet is finished, and shown from now on. */
    turn(at: Camera): void {
      if (!next) return;
      [shown, next] = [next, shown];
      shown.at = at;
    },
    /** Removes the sheets from the canvas. */
    close(): void {
      for (const pen of [shown.pen, next?.pen, probe]) pen?.canvas.remove();
    },
  };
}

/** The sheet is a child of the canvas, to inherit its text styles: otherwise digits would look different. */
function createSheet(context: CanvasRenderingContext2D): Sheet {
  const sheet = document.createElement('canvas');
  sheet.hidden = true;
  context.canvas.append(sheet);
  const pen = sheet.getContext('2d')!;
  shareWriters(context, pen);
  return { pen, at: { x: 0, y: 0, k: 1 } };
}
