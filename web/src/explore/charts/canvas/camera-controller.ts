import { type Camera, homeCamera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { isWithin, keptAround } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import {
  type Box,
  clampedTo,
  fittedTo,
  isSameCamera,
  maxZoom,
  minZoom,
  panBy,
  type Size,
  zoomAt,
} from '../camera/camera.ts';
import {
  cameraKeeping,
  closestOn,
  fillingBranch,
  homeCameraOf,
  leavingZoom,
  makingLegible,
  onPart,
  onRow,
  onWhole,
} from '../camera/camera-targets.ts';
import { arrivalAt, type Flight, glideFrom, type Velocity, zoomFlight } from '../camera/flights.ts';
import { type Marks, markKind } from '../layout/layout.ts';
import type { FramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { MovingCamera } from './moving-camera.ts';
import type { ShownMarks } from './shown-marks.ts';

/**
 * What the canvas shows: its marks and the camera they are laid out for, the current camera, and the size of the view.
 */
export type Viewport = {
  readonly marks: Marks;
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  /** Whether the whole chart is visible. */
  readonly isWhole: boolean;
};

type CameraDeps = {
  readonly explorer: Explorer;
  readonly shown: ShownMarks;
  readonly pace: FramePace;
  readonly motion: Pick<Motion, 'end'>;
  /** The size of the canvas. */
  readonly view: () => Size;
  /** Whether animations are allowed. */
  readonly allowsMotion: () => boolean;
  /** Requests a frame, with a new layout or without. */
  readonly redraw: (layoutToo: boolean) => void;
};

/** A zoom has settled when there was no input for this long. */
const settleMs = 400;

/**
 * The camera of a stage: where it starts over a chart, how the user moves it, and what follows from a zoom. Points and
 * sizes are CSS pixels of the canvas unless stated otherwise. Without a chart, no move does anything.
 */
export class CameraController {
  readonly #deps: CameraDeps;
  readonly #moving: MovingCamera;
  /** The start in the next branch after a dive, so that what is visible stays in place. */
  #landing: ((next: Marks) => Camera | undefined) | undefined;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  /** The zoom after which the last dive was considered. */
  #settledAt: number | undefined;

  constructor(deps: CameraDeps) {
    const { explorer, pace, view, allowsMotion, redraw } = deps;
    this.#deps = deps;
    this.#moving = new MovingCamera({
      initial: explorer.address.camera(),
      pace,
      view,
      allowsMotion,
      redraw,
      onZoom: (k) => explorer.store.setState({ zoom: Math.round(k * 100) }),
      onRest: () => this.#writeAddress(),
    });
  }

  /** Undefined until a chart is placed. */
  get camera(): Camera | undefined {
    return this.#moving.camera;
  }

  get isFlying(): boolean {
    return this.#moving.isFlying;
  }

  step = (now: number): void => this.#moving.step(now);
  outwardsAt = (time: number): Camera | undefined => this.#moving.outwardsAt(time);
  restSoon = (ms?: number): void => this.#moving.restSoon(ms);
  caughtBy = (input: 'keyboard' | 'pointer'): void => this.#moving.caughtBy(input);

  /** Undefined before the first layout. */
  sight = (): Viewport | undefined => {
    const { shown, view } = this.#deps;
    const { marks, drawnAt } = shown;
    const { camera } = this;
    return camera && marks && { marks, drawnAt, camera, view: view(), isWhole: shown.isWhole(view()) };
  };

  close(): void {
    clearTimeout(this.#settleTimer);
    this.#moving.close();
  }

  // Where the camera starts over a chart.

  /** Lays the chart out for the camera. Places the camera first, if the chart is new or the user has not moved it. */
  place(layOut: (at: Camera) => Marks, now: number): Marks {
    this.#moving.resetUnlessChosen();
    const marks = layOut(this.camera ?? homeCamera);
    if (this.camera) return marks;
    const home = this.#homeOf(marks);
    const landed = this.#landing?.(marks);
    const camera = landed ?? this.#cameraOfAddress() ?? home;
    this.#moving.place(camera, !isSameCamera(camera, home));
    this.#landing = undefined;
    // The address does not contain it yet, and without an animation nothing else would write it there.
    if (landed) this.restSoon();
    this.#placedAt(camera.k);
    const arrival = this.#arrive(camera, marks, now);
    if (arrival) return layOut(arrival.at(0));
    return isSameCamera(camera, homeCamera) ? marks : layOut(camera);
  }

  /** Call when another chart or branch opens: shows all of it, or the part that its address or a dive specifies. */
  startOver(): void {
    this.#moving.reset();
    this.#deps.explorer.store.setState({ zoom: 100 });
  }

  /** Starts the flight to a chart that the user sees for the first time. */
  #arrive(to: Camera, marks: Marks, now: number): Flight | undefined {
    const { explorer, view, allowsMotion } = this.#deps;
    if (!explorer.store.getState().isArriving) return undefined;
    explorer.store.setState({ isArriving: false });
    if (!allowsMotion()) return undefined;
    const flight = arrivalAt(to, view(), marks.zooms);
    this.#moving.start({ flight, isArrival: true }, now);
    return flight;
  }

  /** The camera that shows the whole chart. */
  #homeOf(marks: Marks): Camera {
    return homeCameraOf(marks, this.#deps.view(), this.#deps.shown.drawnAt);
  }

  // The camera in the address: written with the size of the view it belongs to, and adapted to the view when read.

  /** Flies to the camera of the address, in the same chart. */
  followAddress(): void {
    const { marks } = this.#deps.shown;
    const to = this.#cameraOfAddress() ?? (marks && this.#homeOf(marks));
    if (to && this.camera && !isSameCamera(to, this.camera)) this.flyTo(to);
  }

  /** The canvas is about to have another size. */
  resizing(to: Size): void {
    this.#moving.resize((camera) => this.#inView(camera, this.#deps.view(), to));
  }

  #cameraOfAddress(): Camera | undefined {
    const camera = this.#deps.explorer.address.camera();
    const view = this.#deps.view();
    return camera && this.#inView(camera, view, view);
  }

  #writeAddress(): void {
    const { explorer, shown, view } = this.#deps;
    if (!this.camera || !shown.marks) return;
    const { width, height } = view();
    const isHome = isSameCamera(this.camera, this.#homeOf(shown.marks));
    explorer.address.moved(isHome ? undefined : { ...this.camera, viewport: { width, height } });
  }

  /** Converts a camera from one view size to another. Only the Tree has an extent that does not depend on the view. */
  #inView(camera: Camera, from: Size, to: Size): Camera {
    return fittedTo(camera, camera.viewport ?? from, to, this.#deps.explorer.store.getState().view !== 'tree');
  }

  // Moves by hand.

  /** Moves the camera, as far as the chart stays in view. */
  moveTo = (to: Camera): void => {
    const { motion, shown, view } = this.#deps;
    motion.end();
    const { marks } = shown;
    this.#moving.moveTo(marks ? clampedTo(to, marks.extent, view(), marks.zooms) : to);
  };

  panBy = (dx: number, dy: number): void => {
    if (this.camera) this.moveTo(panBy(this.camera, dx, dy, this.#deps.shown.marks?.zooms));
  };

  /** Zooms around the point `(px, py)`, within the limits of the chart. */
  zoomBy = (
    factor: number,
    px = this.#deps.view().width / 2,
    py = this.#deps.view().height / 2,
    isSmooth = false,
  ): void => {
    const { motion, shown, allowsMotion } = this.#deps;
    const { camera, zoomTarget } = this.#moving;
    if (!camera || zoomTarget === undefined || !shown.marks) return;
    motion.end();
    const { zooms } = shown.marks;
    const k = Math.max(minZoom, Math.min(zoomTarget * factor, this.#closestZoomAt(camera, px, py)));
    if (isSmooth && allowsMotion())
      this.#moving.start({ flight: zoomFlight(camera, k, px, py, zooms), byHand: true, zoom: k });
    else this.moveTo(zoomAt(camera, k / camera.k, px, py, zooms));
    this.#settleSoon();
  };

  /** Zooms around the middle of the view, smoothly. */
  zoomTo = (k: number): void => {
    this.#moving.stop();
    if (this.camera) this.zoomBy(k / this.camera.k, undefined, undefined, true);
  };

  /** Keeps moving at the velocity of the pointer when it was released. */
  glide = (velocity: Velocity): void => {
    const { shown, view, allowsMotion } = this.#deps;
    const { marks } = shown;
    if (!this.camera || !marks || !allowsMotion()) return;
    const { extent, zooms } = marks;
    const flight = glideFrom(this.camera, velocity, zooms, (at) => clampedTo(at, extent, view(), zooms));
    if (flight) this.#moving.start({ flight, byHand: true });
  };

  /** The closest zoom around a point of the viewport: a leaf under it must not fill the whole view. */
  #closestZoomAt(camera: Camera, px: number, py: number): number {
    const { explorer, shown, view } = this.#deps;
    const { marks, drawnAt } = shown;
    if (!marks) return maxZoom;
    const target = shown.targetAt(px, py, 0, camera);
    // The boxes of a tree all look like leaves, so zoom is limited on all of them.
    const isTree = marks.form === 'links';
    const mark = isTree ? 0 : target && !target.isTail ? target.mark : none;
    if (mark === none || (!isTree && explorer.tree.childCount[marks.row[mark]!]! > 0)) return maxZoom;
    const size = { width: marks.x1[mark]! - marks.x0[mark]!, height: marks.y1[mark]! - marks.y0[mark]! };
    return Math.min(maxZoom, Math.max(camera.k, closestOn(size, drawnAt.k, view(), marks.zooms)));
  }

  // Flights.

  flyTo = (to: Camera): void => {
    this.#placedAt(to.k);
    this.#moving.flyTo(to, this.#deps.shown.marks?.zooms);
  };

  /** Shows the whole chart. */
  fit = (): void => {
    const { shown, view } = this.#deps;
    if (shown.marks) this.flyTo(onWhole(shown.marks, view()));
  };

  fitRow = (row: number): void => {
    const { shown, view } = this.#deps;
    const box = shown.boxOf(row);
    if (box && shown.marks) this.flyTo(onRow(box, shown.marks, view()));
  };

  /** Shows a part of the view, given in its pixels. */
  fitBox = (box: Box): void => {
    const { shown, view } = this.#deps;
    if (this.camera) this.flyTo(onPart(box, this.camera, view(), shown.marks?.zooms ?? 'both'));
  };

  /** Zooms in on the node that the user goes to, if it is too small to be legible. */
  lookAtSought(): void {
    const { explorer, shown, view } = this.#deps;
    const { navigationTarget } = explorer.store.getState();
    const box = navigationTarget === none ? undefined : shown.boxOf(navigationTarget);
    if (!box || !this.camera || !shown.marks) return;
    explorer.store.setState({ navigationTarget: none });
    const to = makingLegible(box, shown.marks, this.camera, view());
    if (to) this.flyTo(to);
  }

  // Semantic zoom: once a zoom has settled, the branch that fills the view becomes the focus; far out, its parent does.
  // Disabled if branches must not open automatically.

  /** The camera moved for another reason than a zoom, to this zoom. */
  #placedAt(k: number): void {
    clearTimeout(this.#settleTimer);
    this.#settledAt = k;
  }

  #settleSoon(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#settle(), settleMs);
  }

  #settle(): void {
    const { store, tree, focusOn } = this.#deps.explorer;
    const sight = this.sight();
    if (!sight || !store.getState().autoExpand) return;
    if (!isSameCamera(sight.drawnAt, sight.camera)) {
      this.#settleSoon();
      return;
    }
    const { k } = sight.camera;
    const before = this.#settledAt ?? 1;
    this.#settledAt = k;
    const { focus, selected } = store.getState();
    const isNearer = k > before;
    const filling = isNearer ? keptAround(tree, fillingBranch(sight.marks, sight.view)) : focus;
    const to = !isNearer && k < leavingZoom ? tree.parent[focus]! : filling;
    if (to === focus || to === none) return;
    if (isNearer) this.#rememberLanding(sight.camera);
    this.#settledAt = undefined;
    focusOn(to, selected !== none && isWithin(tree, selected, to) ? selected : isNearer ? to : focus);
  }

  #rememberLanding(camera: Camera): void {
    const { explorer, shown, view } = this.#deps;
    const { content } = explorer.tree;
    const keepCentre = rememberCentre(shown, camera, view());
    this.#landing = (next) => (explorer.tree.content === content ? keepCentre(next) : undefined);
  }
}

/**
 * Remembers where the nodes at the centre of the view are. Call before a semantic zoom changes the focus.
 *
 * @returns for the first layout with the new focus, made for the whole chart and already in `shown`: the camera that
 * keeps the innermost of these nodes in place; undefined if none of them has a mark in it
 */
function rememberCentre(shown: ShownMarks, camera: Camera, view: Size): (next: Marks) => Camera | undefined {
  const { marks } = shown;
  /** From the innermost node outwards, without the focus; boxes in CSS pixels in the viewport. */
  const atCentre: { readonly row: number; readonly box: Box }[] = [];
  const innermost = shown.targetAt(view.width / 2, view.height / 2, 0, camera)?.mark ?? none;
  for (let i = innermost; marks && i > 0; i = marks.parent[i]!) {
    const box = { x0: marks.x0[i]!, y0: marks.y0[i]!, x1: marks.x1[i]!, y1: marks.y1[i]! };
    if (marks.kind[i] !== markKind.tail) atCentre.push({ row: marks.row[i]!, box });
  }
  return (next) => {
    const kept = atCentre.find(({ row }) => shown.markOf(row) !== none);
    return kept && cameraKeeping(kept.box, shown.boxOf(kept.row)!, view, next);
  };
}
