import type { Camera } from '../../model/camera.ts';
import { isSameCamera } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import type { CameraController } from './camera-controller.ts';
import type { ChartDrawing } from './chart-drawing.ts';
import type { FramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { type Begun, createRedraw, type Redraw } from './redraw.ts';
import type { ShownMarks } from './shown-marks.ts';
import { createStill, type Still } from './still-frame.ts';

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
    const camera = controller.camera();
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
    if (controller.isUnderWay() || this.#redraw.isUnderWay() || (this.#needsPaint && !pace.isMoving())) this.#request();
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
      this.#laidOut(marks);
    }
    this.#needsPaint = false;
    drawing.draw(context, marks);
    this.#redraw.drop();
    this.#still.outdated();
    if (motion.isLeaving()) onArrival(marks);
    pace.drawing(started, marks.count);
    if (controller.isUnderWay()) this.#request();
  }

  #laidOut({ isUnfinished, wants }: Marks): void {
    const { controller, onWants } = this.#deps;
    this.#needsLayout = isUnfinished;
    this.#isEmptied = this.#needsPaint = false;
    onWants(wants);
    if (!controller.isUnderWay()) controller.moves.lookAtSought();
  }

  /** Starts the next drawing in steps. */
  #begin(pen: CanvasRenderingContext2D, now: number): Begun {
    const { controller, drawing, pace, shown } = this.#deps;
    // While the camera zooms out, the layout is for the camera at the end: it covers the view until then and after.
    const ahead = controller.outwardsAt(now + aheadMs);
    const layOut = (at: Camera) => drawing.layOut(at, pace.effort());
    const marks = ahead ? layOut(ahead) : controller.place(layOut, now);
    this.#laidOut(marks);
    return { at: shown.drawnAt, count: marks.count, steps: drawing.drawInSteps(pen, marks) };
  }
}
