import type { Camera } from '../../model/camera.ts';
import { rowsOf } from '../../model/compared-nodes.ts';
import type { Explorer } from '../../model/explorer.ts';
import { layoutDepthOf } from '../../model/explorer-state.ts';
import { none } from '../../tree-data/no-row.ts';
import type { Size } from '../camera/camera.ts';
import type { Chart } from '../chart.ts';
import { isAround, type Layout, type LayoutOptions, type Marks } from '../layout/layout.ts';
import { drawInSteps, drawMarks } from '../paint/draw-marks.ts';
import { markPainting } from '../paint/mark-painting.ts';
import type { Paint, Theme } from '../paint/paint.ts';
import type { FramePace } from './frame-pace.ts';
import type { ShownMarks } from './shown-marks.ts';

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
    const state = explorer.store.getState();
    const { size, showsGone, x, y, xs, ys, opened, closed, unfolded } = state;
    const marks = this.#layout(explorer.tree, {
      focus: this.focus,
      ...this.view,
      camera: at,
      sizeBy: size,
      goneWeights: showsGone ? markPainting()?.goneWeights : undefined,
      axes: { x, y },
      axisSteps: { x: xs, y: ys },
      ...layoutDepthOf(state),
      minPx: smallestPx,
      budget: pace.budget(),
      effort,
      opened,
      closed,
      unfolded,
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
    const { colour, steps, isColourBlindSafe, patterns, size, hovered, previewed, selected, compared, found } = state;
    const { view, dpr } = this;
    // A ring around the whole chart would point out nothing.
    const ringed = selected === this.focus && isAround(marks) ? none : selected;
    const previewedMark = shown.standingFor(previewed, view);
    return {
      theme: theme(),
      colourBy: colour,
      steps,
      isColourBlindSafe,
      patterns,
      sizeBy: size,
      hover: hovered === none ? previewedMark : shown.standingFor(hovered, view),
      selection: new Set(ringed === none ? rowsOf(compared) : [...rowsOf(compared), ringed]),
      glow: found?.glow,
      warnings: state.warningMarks,
      previewed: previewedMark,
      window: { ...view, isWhole: shown.isWhole(view) },
      focusRing: this.isKeyboardDriven && document.activeElement === canvas.parentElement ? ringed : none,
      dpr,
      labels: true,
    };
  }
}
