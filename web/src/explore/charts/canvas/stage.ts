import type { Camera } from '../../model/camera.ts';
import { rowsOf } from '../../model/compared-nodes.ts';
import type { Explorer } from '../../model/explorer.ts';
import { type ExplorerState, layoutDepthOf } from '../../model/explorer-state.ts';
import { none } from '../../tree-data/no-row.ts';
import { isSameCamera, type Size, shiftBetween } from '../camera/camera.ts';
import type { Chart } from '../chart.ts';
import { isAround, type Marks } from '../layout/layout.ts';
import { drawInSteps, drawMarks } from '../paint/draw-marks.ts';
import type { Paint, Theme } from '../paint/paint.ts';
import { createCameraController } from './camera-controller.ts';
import type { CanvasSize } from './fit-canvas.ts';
import { createFramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { type Begun, createRedraw } from './redraw.ts';
import { layoutFields, paintFields } from './redraw-fields.ts';
import { ShownMarks, type Target } from './shown-marks.ts';
import { createStill } from './still-frame.ts';

export type StageDeps = {
  readonly canvas: HTMLCanvasElement;
  /** The way from the picture before to this one's first. */
  readonly motion: Motion;
  readonly explorer: Explorer;
  readonly picture: Chart;
  /** Whether things may move by themselves. */
  readonly allowsMotion: () => boolean;
  readonly theme: () => Theme;
};

/** A picture that is drawn in steps is finished about so much later. */
const aheadMs = 140;
/** Until marks have flown to their places, with some to spare. */
const arrivalMs = 600;

/**
 * The canvas and what is drawn on it; `travel.ts` has its camera. Redraws once a frame when something changed and not
 * otherwise; React renders nothing for it. Points and sizes are CSS pixels from the canvas' top left corner.
 */
export function createStage({ canvas, motion, explorer, picture, allowsMotion, theme }: StageDeps) {
  const { tree, store } = explorer;
  const context = canvas.getContext('2d')!;
  const layout = picture.createLayout();
  const shown = new ShownMarks(tree, picture.painter);
  const pace = createFramePace();
  const still = createStill(context);
  const redraw = createRedraw({ still, pace, begin });
  let view: Size = { width: 0, height: 0 };
  let dpr = 1;
  let focus = store.getState().focus;
  const travel = createCameraController({
    explorer,
    shown,
    pace,
    motion,
    view: () => view,
    allowsMotion,
    redraw: invalidate,
  });
  let frame = 0;
  let needsLayout = true;
  /** Whether what is drawn, or being drawn, looks otherwise than it is to. */
  let needsPaint = true;
  let isEmptied = false;
  /** Whether the last thing said to the canvas was a key: only then does the place of the keyboard have a ring. */
  let isKeyboardDriven = false;
  const watchers = new Set<() => void>();

  function invalidate(layoutToo: boolean): void {
    needsLayout ||= layoutToo;
    needsPaint = true;
    goOn();
  }

  function goOn(): void {
    if (frame === 0) frame = requestAnimationFrame(drawFrame);
  }

  function drawFrame(now: number): void {
    frame = 0;
    if (view.width === 0 || view.height === 0 || tree.size === 0) return;
    travel.step(now);
    let { marks } = shown;
    const camera = travel.camera();
    const isOff = camera !== undefined && !isSameCamera(shown.drawnAt, camera);
    if (isOff || needsLayout) watchSoon();
    if (marks && camera && !isEmptied && !motion.isLeaving()) {
      const [{ drawnAt }, { zooms, count }] = [shown, marks];
      if (redraw.moveOn({ drawnAt, camera, view, dpr, zooms, count, isOff, needsLayout }, now)) {
        if (travel.isUnderWay() || redraw.isUnderWay() || (needsPaint && !pace.isMoving())) goOn();
        return;
      }
    }
    const started = performance.now();
    const effort = motion.isLeaving() ? undefined : pace.effort();
    if (motion.isLeaving()) pace.moving(true);
    if (needsLayout || !marks || isOff) {
      marks = travel.place((at) => layOut(at, effort), now);
      laidOut(marks);
    }
    needsPaint = false;
    drawMarks(context, picture.painter, marks, tree, lookOf(marks));
    redraw.drop();
    still.outdated();
    if (motion.isLeaving()) arrive(marks);
    pace.drawing(started, marks.count);
    if (travel.isUnderWay()) goOn();
  }

  function laidOut({ isUnfinished, wants }: Marks): void {
    needsLayout = isUnfinished;
    isEmptied = needsPaint = false;
    explorer.request(wants);
    if (!travel.isUnderWay()) travel.lookAtSought();
  }

  /** The next picture, to be drawn in steps. */
  function begin(pen: CanvasRenderingContext2D, now: number): Begun {
    // Further out there is more to be seen when the picture is finished; further in it would not fill the view until then.
    const ahead = travel.outwardsAt(now + aheadMs);
    const layOutHere = (at: Camera) => layOut(at, pace.effort());
    const marks = ahead ? layOutHere(ahead) : travel.place(layOutHere, now);
    laidOut(marks);
    return {
      at: shown.drawnAt,
      count: marks.count,
      steps: drawInSteps(pen, picture.painter, marks, tree, lookOf(marks)),
    };
  }

  /** Tells those who watch what is in sight, after the frame. */
  function watchSoon(): void {
    queueMicrotask(() => {
      for (const tell of watchers) tell();
    });
  }

  function layOut(at: Camera, effort = Number.POSITIVE_INFINITY): Marks {
    const state = store.getState();
    const { size, x, y, opened, closed, unfolded } = state;
    const marks = layout(tree, {
      focus,
      ...view,
      camera: at,
      sizeBy: size,
      axes: { x, y },
      ...layoutDepthOf(state),
      minPx: 3,
      budget: pace.budget(),
      effort,
      opened,
      closed,
      unfolded,
    });
    shown.show(marks, at);
    return marks;
  }

  function lookOf(what: Marks): Paint {
    const { colour, steps, isSafe, patterns, size, hovered, previewed, selected, compared, found } = store.getState();
    // A ring around everything says nothing.
    const ringed = selected === focus && isAround(what) ? none : selected;
    const lit = shown.standingFor(previewed, view);
    return {
      theme: theme(),
      colourBy: colour,
      steps,
      isSafe,
      patterns,
      sizeBy: size,
      hover: hovered === none ? lit : shown.standingFor(hovered, view),
      selection: new Set(ringed === none ? rowsOf(compared) : [...rowsOf(compared), ringed]),
      glow: found?.glow,
      previewed: lit,
      window: { ...view, isWhole: shown.isWhole(view) },
      focusRing: isKeyboardDriven && document.activeElement === canvas.parentElement ? ringed : none,
      dpr,
      labels: true,
    };
  }

  /** Looks into another branch: what is drawn of both flies to its new place. */
  function changeFocus(to: number): void {
    redraw.drop();
    leave();
    focus = to;
    travel.startOver();
    invalidate(true);
  }

  function leave(): void {
    const { marks, drawnAt } = shown;
    if (marks) motion.leave(tree, marks, view, shiftBetween(drawnAt, travel.camera() ?? drawnAt, marks.zooms));
  }

  /** The picture is drawn: what was drawn before flies to it, with fewer marks until it is there. */
  function arrive(marks: Marks): void {
    const { colour, steps, isSafe, selected } = store.getState();
    const paint = { theme: theme(), colourBy: colour, steps, isSafe, dpr, selected };
    motion.arrive({ marks, view, tree, paint });
    travel.restSoon(arrivalMs);
  }

  function onState(now: ExplorerState, before: ExplorerState): void {
    if (now.focus !== focus) changeFocus(now.focus);
    else if (now.followed !== before.followed && now.view === before.view) travel.followAddress();
    if (layoutFields.some((field) => now[field] !== before[field])) invalidate(true);
    else if (paintFields.some((field) => now[field] !== before[field])) invalidate(false);
  }

  const stopWatching = store.subscribe(onState);
  const stopMoving = explorer.watchRows((moved) => {
    redraw.drop();
    shown.move(moved);
    leave();
    focus = moved.exactly(focus);
  });

  const { moveTo, zoomBy, panBy, zoomTo, glide, fit, fitRow, fitBox, sight } = travel;
  return {
    /** Something above the picture comes or goes: what is drawn flies to where it has room then. */
    resizing(): void {
      if (!motion.isLeaving() && !motion.leaveAgain()) leave();
    },
    /** The canvas was made that big, and is empty. */
    resized(size: CanvasSize): void {
      motion.end();
      redraw.drop();
      travel.resizing(size);
      view = size;
      dpr = size.dpr;
      needsLayout = isEmptied = true;
      // Drawn at once, for the emptied canvas would flash until the next frame.
      cancelAnimationFrame(frame);
      drawFrame(performance.now());
    },
    repaint(): void {
      motion.end();
      redraw.drop();
      invalidate(false);
    },
    drivenBy(input: 'keyboard' | 'pointer'): void {
      motion.end();
      travel.caughtBy(input);
      if (isKeyboardDriven === (input === 'keyboard')) return;
      isKeyboardDriven = input === 'keyboard';
      invalidate(false);
    },
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
    /** @returns stops telling of what is in sight */
    watch(tell: () => void): () => void {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    takeFocus: (): void => canvas.parentElement?.focus(),
    targetAt: (px: number, py: number, slop: number): Target | undefined =>
      travel.isUnderWay() ? undefined : shown.targetAt(px, py, slop, travel.camera() ?? shown.drawnAt),
    isOpen: (row: number): boolean => shown.isOpen(row),
    hiddenAt: (mark: number) => shown.hiddenAt(mark),
    /** What is lit where a row is pointed at from elsewhere; undefined when nothing of it is in the picture. */
    litFor: (row: number): { readonly row: number; readonly isTail: boolean } | undefined => shown.litFor(row, view),
    /** Where a row is drawn, or the middle of the view. */
    middleOf: (row: number) => shown.middleOf(row) ?? { x: view.width / 2, y: view.height / 2 },
    /** Leaves the canvas to another stage, with its picture on it. */
    close(): void {
      leave();
      travel.close();
      still.close();
      stopWatching();
      stopMoving();
      cancelAnimationFrame(frame);
    },
  };
}

export type Stage = ReturnType<typeof createStage>;
