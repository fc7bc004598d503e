import type { Theme } from '../../../ui/environment.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { shiftBetween } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import type { Chart } from '../paint/painter.ts';
import { CameraController } from './camera-controller.ts';
import type { CanvasSize } from './fit-canvas.ts';
import { ChartDrawing, FrameLoop, layoutFields } from './frame-loop.ts';
import { createFramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { ShownMarks, type Target } from './shown-marks.ts';

type StageDeps = {
  readonly canvas: HTMLCanvasElement;
  /** Animates from the chart that the canvas showed before. */
  readonly motion: Motion;
  readonly explorer: Explorer;
  readonly chart: Chart;
  /** Whether animations are allowed. */
  readonly allowsMotion: () => boolean;
  readonly theme: () => Theme;
};

/** Longer than marks take to fly to their places. */
const arrivalMs = 600;

/**
 * A chart on a canvas. Redraws at most once per frame and only if something changed; React renders nothing for it.
 * Points and sizes are CSS pixels from the top left corner of the canvas.
 */
export function createStage({ canvas, motion, explorer, chart, allowsMotion, theme }: StageDeps) {
  const { tree } = explorer;
  const shown = new ShownMarks(tree, chart.painter);
  const pace = createFramePace();
  const drawing = new ChartDrawing({ canvas, explorer, chart, shown, pace, theme });
  const redraw = (layoutToo: boolean) => frames.invalidate(layoutToo);
  const view = () => drawing.view;
  const controller = new CameraController({ explorer, shown, pace, motion, view, allowsMotion, redraw });
  const sightWatchers = new Set<() => void>();
  const transition = createTransition({ explorer, motion, shown, drawing, controller, theme });
  const frames = new FrameLoop({
    context: canvas.getContext('2d')!,
    drawing,
    controller,
    shown,
    pace,
    motion,
    isReady: () => drawing.view.width > 0 && drawing.view.height > 0 && tree.size > 0,
    onWants: explorer.request,
    // After the frame.
    onSight: () =>
      queueMicrotask(() => {
        for (const callback of sightWatchers) callback();
      }),
    onArrival: transition.arrive,
  });
  const { sight, flyTo, fit, fitRow, fitBox, moveTo, panBy, zoomBy, zoomTo, glide } = controller;
  const moves = { flyTo, fit, fitRow, fitBox, moveTo, panBy, zoomBy, zoomTo, glide };
  const parts = { explorer, motion, shown, drawing, controller, frames, leave: transition.leave };
  const stopFollowing = followState(parts);

  return {
    chart,
    sight,
    ...moves,
    ...createMarkQueries(parts),
    ...createCanvasEvents(parts),

    /** Calls back when the visible part of the chart or its marks change. @returns unsubscribes */
    watch(callback: () => void): () => void {
      sightWatchers.add(callback);
      return () => sightWatchers.delete(callback);
    },
    /** Moves the keyboard focus to the chart. */
    takeFocus: (): void => canvas.parentElement?.focus(),
    /** Stops drawing. The canvas keeps the last frame, from which the next stage animates. */
    close(): void {
      transition.leave();
      controller.close();
      stopFollowing();
      frames.close();
    },
  };
}

export type Stage = ReturnType<typeof createStage>;

/** What the parts of a stage share. */
type Parts = {
  readonly explorer: Explorer;
  readonly motion: Motion;
  readonly shown: ShownMarks;
  readonly drawing: ChartDrawing;
  readonly controller: CameraController;
  readonly frames: FrameLoop;
  /** See `createTransition`. */
  readonly leave: () => void;
};

type TransitionDeps = Omit<Parts, 'frames' | 'leave'> & Pick<StageDeps, 'theme'>;

/** Animates marks from one chart to the next. */
function createTransition({ explorer, motion, shown, drawing, controller, theme }: TransitionDeps) {
  const { tree, store } = explorer;
  return {
    /** Call before another chart is laid out: the animation starts from the current marks. */
    leave(): void {
      const { marks, drawnAt } = shown;
      if (!marks) return;
      motion.leave(tree, marks, drawing.view, shiftBetween(drawnAt, controller.camera ?? drawnAt, marks.zooms));
    },
    /** Call when the other chart is drawn. Until the marks have arrived, frames draw fewer of them. */
    arrive(marks: Marks): void {
      const { colour, steps, isColourBlindSafe, selected } = store.getState();
      const { view, dpr } = drawing;
      const paint = { theme: theme(), colourBy: colour, steps, isColourBlindSafe, dpr, selected };
      motion.arrive({ marks, view, tree, paint });
      controller.restSoon(arrivalMs);
    },
  };
}

/** Reactions to changes of the canvas, and to input. */
function createCanvasEvents({ drawing, controller, frames, motion, leave }: Parts) {
  return {
    /** Call before a panel above the chart opens or closes: marks then fly to their places in the remaining room. */
    resizing(): void {
      if (!motion.isLeaving() && !motion.leaveAgain()) leave();
    },
    /** Call when the canvas has a new size, which empties it. */
    resized(size: CanvasSize): void {
      motion.end();
      frames.drop();
      controller.resizing(size);
      drawing.view = size;
      drawing.dpr = size.dpr;
      frames.drawEmptied();
    },
    /** Call when colours or the keyboard focus have changed. */
    repaint(): void {
      motion.end();
      frames.drop();
      frames.invalidate(false);
    },
    /** Call on every input. */
    drivenBy(input: 'keyboard' | 'pointer'): void {
      motion.end();
      controller.caughtBy(input);
      if (drawing.isKeyboardDriven === (input === 'keyboard')) return;
      drawing.isKeyboardDriven = input === 'keyboard';
      frames.invalidate(false);
    },
  };
}

/** Redraws when the state changes. @returns stops */
function followState({ explorer, shown, drawing, controller, frames, leave }: Parts): () => void {
  function changeFocus(to: number): void {
    frames.drop();
    leave();
    drawing.focus = to;
    controller.startOver();
    frames.invalidate(true);
  }

  function onState(now: ExplorerState, before: ExplorerState): void {
    if (now.focus !== drawing.focus) changeFocus(now.focus);
    else if (now.addressVersion !== before.addressVersion && now.view === before.view) controller.followAddress();
    if (needingLayout.some((field) => now[field] !== before[field])) frames.invalidate(true);
    else if (paintFields.some((field) => now[field] !== before[field])) frames.invalidate(false);
  }

  const stopState = explorer.store.subscribe(onState);
  const stopRows = explorer.watchRows((moved) => {
    frames.drop();
    shown.move(moved);
    leave();
    drawing.focus = moved.exactly(drawing.focus);
  });
  return () => {
    stopState();
    stopRows();
  };
}

/** Queries about what is drawn where. */
function createMarkQueries({ shown, drawing, controller }: Parts) {
  return {
    /**
     * What is at a point; undefined if nothing is, and while the camera is flying.
     *
     * @param slop how far from a mark a point still hits it, in CSS pixels
     */
    targetAt: (px: number, py: number, slop: number): Target | undefined =>
      controller.isFlying ? undefined : shown.targetAt(px, py, slop, controller.camera ?? shown.drawnAt),
    isOpen: (row: number): boolean => shown.isOpen(row),
    hiddenAt: (mark: number) => shown.hiddenAt(mark),
    /** What is highlighted for a row that the user points at in a list; undefined if it has no mark. */
    litFor: (row: number): { readonly row: number; readonly isTail: boolean } | undefined =>
      shown.litFor(row, drawing.view),
    /** Where a row is drawn, or the middle of the view. */
    middleOf: (row: number) => shown.middleOf(row) ?? { x: drawing.view.width / 2, y: drawing.view.height / 2 },
  };
}

/** State that needs a new layout when it changes. */
const needingLayout = [...layoutFields, 'ready', 'navigationTarget'] as const;

/** State that only painting depends on. */
const paintFields = [
  'hovered',
  'previewed',
  'selected',
  'compared',
  'searchResults',
  'warningMarks',
  'colour',
  'steps',
  'isColourBlindSafe',
  'patterns',
] as const satisfies readonly (keyof ExplorerState)[];
