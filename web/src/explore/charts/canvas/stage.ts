import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { shiftBetween } from '../camera/camera.ts';
import type { Chart } from '../chart.ts';
import type { Marks } from '../layout/layout.ts';
import type { Theme } from '../paint/paint.ts';
import { type CameraController, createCameraController } from './camera-controller.ts';
import { ChartDrawing } from './chart-drawing.ts';
import type { CanvasSize } from './fit-canvas.ts';
import { FrameLoop } from './frame-loop.ts';
import { createFramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { layoutFields, paintFields } from './redraw-fields.ts';
import { ShownMarks, type Target } from './shown-marks.ts';

export type StageDeps = {
  readonly canvas: HTMLCanvasElement;
  /** Animates from the chart that the canvas showed before. */
  readonly motion: Motion;
  readonly explorer: Explorer;
  readonly picture: Chart;
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
export function createStage({ canvas, motion, explorer, picture, allowsMotion, theme }: StageDeps) {
  const { tree } = explorer;
  const shown = new ShownMarks(tree, picture.painter);
  const pace = createFramePace();
  const drawing = new ChartDrawing({ canvas, explorer, chart: picture, shown, pace, theme });
  const redraw = (layoutToo: boolean) => frames.invalidate(layoutToo);
  const view = () => drawing.view;
  const controller = createCameraController({ explorer, shown, pace, motion, view, allowsMotion, redraw });
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
  const stopFollowing = followState({ explorer, shown, drawing, controller, frames, leave: transition.leave });

  const { moveTo, zoomBy, panBy, zoomTo, glide, fit, fitRow, fitBox, sight } = controller;
  return {
    moveTo,
    zoomBy,
    panBy,
    zoomTo,
    glide,
    fit,
    fitRow,
    fitBox,
    sight,
    picture,
    ...createMarkQueries({ shown, drawing, controller }),

    /** A panel above the chart opens or closes: marks fly to where they have room then. */
    resizing(): void {
      if (!motion.isLeaving() && !motion.leaveAgain()) transition.leave();
    },
    /** The canvas has this size now, and is empty. */
    resized(size: CanvasSize): void {
      motion.end();
      frames.drop();
      controller.resizing(size);
      drawing.view = size;
      drawing.dpr = size.dpr;
      frames.drawEmptied();
    },
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
    /** Calls back when what is in view changes. @returns unsubscribes */
    watch(callback: () => void): () => void {
      sightWatchers.add(callback);
      return () => sightWatchers.delete(callback);
    },
    takeFocus: (): void => canvas.parentElement?.focus(),
    /** Leaves the canvas, with its picture, to another stage. */
    close(): void {
      transition.leave();
      controller.close();
      stopFollowing();
      frames.close();
    },
  };
}

export type Stage = ReturnType<typeof createStage>;

type Parts = {
  readonly explorer: Explorer;
  readonly shown: ShownMarks;
  readonly drawing: ChartDrawing;
  readonly controller: CameraController;
};

/** Makes marks fly from one picture to the next. */
function createTransition({
  explorer,
  motion,
  shown,
  drawing,
  controller,
  theme,
}: Parts & { readonly motion: Motion; readonly theme: () => Theme }) {
  const { tree, store } = explorer;
  return {
    /** Another picture is about to come. */
    leave(): void {
      const { marks, drawnAt } = shown;
      if (!marks) return;
      motion.leave(tree, marks, drawing.view, shiftBetween(drawnAt, controller.camera() ?? drawnAt, marks.zooms));
    },
    /** The other picture is drawn. Until the marks have arrived, frames have fewer of them. */
    arrive(marks: Marks): void {
      const { colour, steps, isColourBlindSafe, selected } = store.getState();
      const { view, dpr } = drawing;
      const paint = { theme: theme(), colourBy: colour, steps, isColourBlindSafe, dpr, selected };
      motion.arrive({ marks, view, tree, paint });
      controller.restSoon(arrivalMs);
    },
  };
}

/** Redraws when the state changes. @returns stops */
function followState({
  explorer,
  shown,
  drawing,
  controller,
  frames,
  leave,
}: Parts & { readonly frames: FrameLoop; readonly leave: () => void }): () => void {
  function changeFocus(to: number): void {
    frames.drop();
    leave();
    drawing.focus = to;
    controller.startOver();
    frames.invalidate(true);
  }

  function onState(now: ExplorerState, before: ExplorerState): void {
    if (now.focus !== drawing.focus) changeFocus(now.focus);
    else if (now.followed !== before.followed && now.view === before.view) controller.followAddress();
    if (layoutFields.some((field) => now[field] !== before[field])) frames.invalidate(true);
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

/** What is drawn where. */
function createMarkQueries({ shown, drawing, controller }: Omit<Parts, 'explorer'>) {
  return {
    /** @param slop how far from a mark a point still hits it. @returns undefined also while the camera flies */
    targetAt: (px: number, py: number, slop: number): Target | undefined =>
      controller.isUnderWay() ? undefined : shown.targetAt(px, py, slop, controller.camera() ?? shown.drawnAt),
    isOpen: (row: number): boolean => shown.isOpen(row),
    hiddenAt: (mark: number) => shown.hiddenAt(mark),
    /** What is highlighted for a row that is pointed at elsewhere; undefined if nothing of it is drawn. */
    litFor: (row: number): { readonly row: number; readonly isTail: boolean } | undefined =>
      shown.litFor(row, drawing.view),
    /** Where a row is drawn, or the middle of the view. */
    middleOf: (row: number) => shown.middleOf(row) ?? { x: drawing.view.width / 2, y: drawing.view.height / 2 },
  };
}
