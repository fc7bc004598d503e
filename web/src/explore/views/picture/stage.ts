import { drawMarks } from '../../draw/draw-marks.ts';
import type { CanvasSize } from '../../draw/fit-canvas.ts';
import type { Theme } from '../../draw/paint.ts';
import { type Camera, isAround, type Marks } from '../../layouts/layout.ts';
import {
  type Box,
  cameraOn,
  filledBy,
  heldOver,
  homeCamera,
  isSameCamera,
  minZoom,
  panBy,
  type Size,
  scaleAcross,
  shiftBetween,
  stillServes,
  zoomAt,
} from '../../state/camera.ts';
import { rowsOf } from '../../state/compared-nodes.ts';
import type { Explorer } from '../../state/explorer.ts';
import { depthOf, type ExplorerState, levelsOf, none } from '../../state/explorer-state.ts';
import { arrivalAt, type Flight, flightBetween } from '../../state/flight.ts';
import { glideFrom, type Velocity, zoomFlight } from '../../state/glide.ts';
import { createAddressCamera } from './address-camera.ts';
import { createDiveByZoom } from './dive-by-zoom.ts';
import { createFramePace } from './frame-pace.ts';
import { homeCameraOf } from './home-camera.ts';
import type { Motion } from './motion.ts';
import type { Picture } from './pictures/picture.ts';
import { layoutFields, paintFields } from './redrawn-by.ts';
import { ShownMarks, type Target } from './shown-marks.ts';
import { createStill } from './still.ts';
import { closestZoomAt, placeKept } from './zoom-places.ts';

export type StageParts = {
  readonly canvas: HTMLCanvasElement;
  /** The way from the picture before to this one's first. */
  readonly motion: Motion;
  readonly explorer: Explorer;
  readonly picture: Picture;
  /** Whether things may move by themselves. */
  readonly mayMove: () => boolean;
  readonly theme: () => Theme;
};

/** What the canvas shows: its marks and for where they are laid out, where it stands and how big it is. */
export type Sight = {
  readonly marks: Marks;
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  /** Whether nothing of the picture is out of sight. */
  readonly isWhole: boolean;
};

/** A way that the camera is on; `zoom` is where one leads that a person began, and may go on with. */
type Under = {
  readonly way: Flight;
  readonly from: number;
  readonly byHand: boolean;
  readonly zoom?: number;
  /** Whoever does anything is there at once. */
  readonly isArrival?: boolean;
};

const flightMargin = 8;
/** A box has to be so wide for its name to be read, a bar so high. */
const legiblePx = 60;
const legibleBarPx = 14;
/** A picture that was not moved for so long is at rest. */
const restMs = 120;
/** Until marks have flown to their places, with some to spare. */
const arrivalMs = 600;

/**
 * The canvas and its camera. Redraws once a frame when something changed and not otherwise; React renders nothing for
 * it. Points and sizes are CSS pixels from the canvas' top left corner.
 */
export function createStage({ canvas, motion, explorer, picture, mayMove, theme }: StageParts) {
  const { tree, store } = explorer;
  const context = canvas.getContext('2d')!;
  const layout = picture.createLayout();
  const shown = new ShownMarks(tree, picture.drawing);
  const pace = createFramePace();
  const named = createAddressCamera(explorer);
  const still = createStill(context);
  let view: Size = { width: 0, height: 0 };
  let dpr = 1;
  let camera: Camera | undefined = explorer.address.camera();
  /** Whether a person chose where the camera stands; until then it follows the picture as that grows. */
  let isMoved = camera !== undefined;
  let focus = store.getState().focus;
  let flight: Under | undefined;
  /** Where to stand in the next picture, when not where all of it is seen. */
  let landing: ((next: Marks) => Camera | undefined) | undefined;
  const dive = createDiveByZoom({
    explorer,
    sight,
    onDive: () => {
      if (camera) landing = placeKept({ shown, camera, view });
    },
  });
  let frame = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let needsLayout = true;
  let isEmptied = false;
  const watchers = new Set<() => void>();

  function invalidate(layoutToo: boolean): void {
    needsLayout ||= layoutToo;
    if (frame === 0) frame = requestAnimationFrame(drawFrame);
  }

  function drawFrame(now: number): void {
    frame = 0;
    if (view.width === 0 || view.height === 0 || tree.size === 0) return;
    if (flight) fly(now);
    let { marks } = shown;
    const isOff = camera !== undefined && !isSameCamera(shown.drawnAt, camera);
    if (isOff || needsLayout) watchSoon();
    const isSpared = marks && !isEmptied && (needsLayout ? pace.waits(now) : !pace.fits(marks.count));
    if (isOff && isSpared && stillServes(shown.drawnAt, camera!, view, marks!.zooms)) {
      still.show(shown.drawnAt, camera!, dpr, marks!.zooms);
      if (flight) invalidate(false);
      return;
    }
    const started = performance.now();
    if (motion.isLeaving()) pace.moving(true);
    if (needsLayout || !marks || isOff) {
      if (!isMoved && !flight) camera = undefined;
      marks = layOut(camera ?? homeCamera);
      if (camera === undefined) {
        camera = landing?.(marks) ?? named.read(view) ?? homeOf(marks);
        isMoved = !isSameCamera(camera, homeOf(marks));
        landing = undefined;
        dive.placed(camera.k);
        if (comeUpon(marks, now)) marks = layOut(flight!.way.at(0));
        else if (!isSameCamera(camera, homeCamera)) marks = layOut(camera);
      }
      needsLayout = isEmptied = false;
      explorer.want(marks.wants);
      if (!flight) lookAtSought();
    }
    paint(marks);
    still.outdated();
    if (motion.isLeaving()) arrive(marks);
    pace.drawing(started, marks.count);
    if (flight) invalidate(false);
  }

  /** Tells those who watch what is in sight, after the frame. */
  function watchSoon(): void {
    queueMicrotask(() => {
      for (const tell of watchers) tell();
    });
  }

  function fly(now: number): void {
    const { way, from, isArrival } = flight!;
    camera = way.at(Math.max(0, now - from));
    if (now - from < way.ms) return;
    if (isArrival) isMoved = false;
    flight = undefined;
    restSoon();
  }

  /** Begins the way to a picture that somebody sees for the first time. @returns whether there is one */
  function comeUpon(marks: Marks, now: number): boolean {
    if (!store.getState().isArriving || !camera) return false;
    store.setState({ isArriving: false });
    if (!mayMove()) return false;
    take({ way: arrivalAt(camera, view, marks.zooms), byHand: false, isArrival: true });
    flight = { ...flight!, from: now };
    return true;
  }

  function layOut(at: Camera): Marks {
    const state = store.getState();
    const { size, x, y, opened, closed, unfolded } = state;
    const marks = layout(tree, {
      focus,
      ...view,
      camera: at,
      sizeBy: size,
      axes: { x, y },
      depth: levelsOf(depthOf(state)),
      minPx: 3,
      budget: pace.budget(),
      opened,
      closed,
      unfolded,
    });
    shown.show(marks, at);
    return marks;
  }

  function paint(what: Marks): void {
    const { colour, steps, isSafe, patterns, size, hovered, previewed, selected, compared, found } = store.getState();
    // A ring around everything says nothing.
    const ringed = selected === focus && isAround(what) ? none : selected;
    const lit = shown.standingFor(previewed, view);
    drawMarks(context, picture.drawing, what, tree, {
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
    });
  }

  /** Whether the last thing said to the canvas was a key: only then does the place of the keyboard have a ring. */
  let isKeyboardDriven = false;

  const homeOf = (marks: Marks): Camera => homeCameraOf(marks, view, shown.drawnAt);

  /** Sets the camera where a person moved it. */
  function moveTo(to: Camera): void {
    motion.end();
    flight = undefined;
    isMoved = true;
    const { marks } = shown;
    camera = marks ? heldOver(to, marks.extent, view, marks.zooms) : to;
    pace.moving(true);
    restSoon();
    invalidate(false);
  }

  /** After a moment without moves the picture is drawn in full and the address says where it stands. */
  function restSoon(ms = restMs): void {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      pace.moving(false);
      invalidate(true);
      if (!camera || !shown.marks) return;
      named.write(isSameCamera(camera, homeOf(shown.marks)) ? undefined : camera, view);
    }, ms);
    if (camera) store.setState({ zoom: Math.round(camera.k * 100) });
  }

  function flyTo(to: Camera): void {
    dive.placed(to.k);
    if (!mayMove() || !camera) {
      camera = to;
      isMoved = true;
      restSoon();
      invalidate(true);
      return;
    }
    take({ way: flightBetween(camera, to, view, shown.marks?.zooms), byHand: false });
  }

  function take(way: Omit<Under, 'from'>): void {
    pace.moving(true);
    clearTimeout(restTimer);
    isMoved = true;
    flight = { ...way, from: performance.now() };
    invalidate(false);
  }

  /** Zooms as far as it is sensible with the point `(px, py)` held still; at once, or gliding there. */
  function zoomBy(factor: number, px = view.width / 2, py = view.height / 2, isSmooth = false): void {
    if (!camera || !shown.marks) return;
    motion.end();
    const { zooms } = shown.marks;
    const closest = closestZoomAt({ shown, camera, view }, tree, px, py);
    const k = Math.max(minZoom, Math.min((flight?.zoom ?? camera.k) * factor, closest));
    if (isSmooth && mayMove()) take({ way: zoomFlight(camera, k, px, py, zooms), byHand: true, zoom: k });
    else moveTo(zoomAt(camera, k / camera.k, px, py, zooms));
    dive.zoomed();
  }

  function sight(): Sight | undefined {
    return camera && shown.marks
      ? { marks: shown.marks, drawnAt: shown.drawnAt, camera, view, isWhole: shown.isWhole(view) }
      : undefined;
  }

  /** Looks into another branch: what is drawn of both flies to its new place. */
  function changeFocus(to: number): void {
    leave();
    focus = to;
    flight = undefined;
    camera = undefined;
    isMoved = false;
    store.setState({ zoom: 100 });
    invalidate(true);
  }

  /** In the same picture an address leads the camera elsewhere. */
  function flyToFollowed(): void {
    const to = named.read(view) ?? (shown.marks && homeOf(shown.marks));
    if (to && camera && !isSameCamera(to, camera)) flyTo(to);
  }

  function leave(): void {
    const { marks, drawnAt } = shown;
    if (marks) motion.leave(tree, marks, view, shiftBetween(drawnAt, camera ?? drawnAt, marks.zooms));
  }

  /** The picture is drawn: what was drawn before flies to it, with fewer marks until it is there. */
  function arrive(marks: Marks): void {
    const { colour, steps, isSafe, selected } = store.getState();
    const paint = { theme: theme(), colourBy: colour, steps, isSafe, dpr, selected };
    motion.arrive({ marks, view, tree, paint });
    restSoon(arrivalMs);
  }

  /** Goes nearer to what somebody searched for and went to, where it is too small to be seen. */
  function lookAtSought(): void {
    const { sought } = store.getState();
    const box = sought === none ? undefined : shown.boxOf(sought);
    const { marks } = shown;
    if (!box || !camera || !marks) return;
    store.setState({ sought: none });
    const { form, extent, zooms } = marks;
    if (form === 'scatter') return;
    const isLegible =
      form === 'bars' ? (box.y1 - box.y0) * camera.k >= legibleBarPx : (box.x1 - box.x0) * camera.k >= legiblePx;
    if (isLegible) return;
    const near = cameraOn(box, view, Math.min(view.width, view.height) * 0.42, undefined, zooms);
    flyTo(form === 'links' ? near : filledBy(near, extent, view, zooms));
  }

  function onState(now: ExplorerState, before: ExplorerState): void {
    if (now.focus !== focus) changeFocus(now.focus);
    else if (now.followed !== before.followed && now.view === before.view) flyToFollowed();
    if (layoutFields.some((field) => now[field] !== before[field])) invalidate(true);
    else if (paintFields.some((field) => now[field] !== before[field])) invalidate(false);
  }

  const stopWatching = store.subscribe(onState);
  const stopMoving = explorer.watchRows((moved) => {
    shown.move(moved);
    leave();
    focus = moved.exactly(focus);
  });

  return {
    /** Something above the picture comes or goes: what is drawn flies to where it has room then. */
    resizing(): void {
      if (!motion.isLeaving() && !motion.leaveAgain()) leave();
    },
    /** The canvas was made that big, and is empty. */
    resized(size: CanvasSize): void {
      motion.end();
      if (flight && !flight.isArrival) fly(Number.POSITIVE_INFINITY);
      if (camera) camera = named.inView(camera, view, size);
      view = size;
      dpr = size.dpr;
      needsLayout = isEmptied = true;
      // Drawn at once, for the emptied canvas would flash until the next frame.
      cancelAnimationFrame(frame);
      drawFrame(performance.now());
    },
    repaint(): void {
      motion.end();
      invalidate(false);
    },
    drivenBy(input: 'keyboard' | 'pointer'): void {
      motion.end();
      if (flight?.isArrival) flight = { ...flight, from: Number.NEGATIVE_INFINITY };
      // A picture that glides is caught.
      if (input === 'pointer' && flight?.byHand) {
        flight = undefined;
        restSoon();
      }
      if (isKeyboardDriven === (input === 'keyboard')) return;
      isKeyboardDriven = input === 'keyboard';
      invalidate(false);
    },
    zoomBy,
    panBy: (dx: number, dy: number): void => {
      if (camera) moveTo(panBy(camera, dx, dy, shown.marks?.zooms));
    },
    zoomTo: (k: number): void => {
      flight = undefined;
      if (camera) zoomBy(k / camera.k, undefined, undefined, true);
    },
    /** Goes on as fast as a hand let go, in CSS pixels a millisecond. */
    glide(velocity: Velocity): void {
      const { marks } = shown;
      if (!camera || !marks || !mayMove()) return;
      const { extent, zooms } = marks;
      const way = glideFrom(camera, velocity, zooms, (at) => heldOver(at, extent, view, zooms));
      if (way) take({ way, byHand: true });
    },
    moveTo,
    picture,
    /** Undefined before the first picture. */
    sight,
    /** @returns stops telling of what is in sight */
    watch(tell: () => void): () => void {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    takeFocus: (): void => canvas.parentElement?.focus(),
    /** Everything in view. */
    fit(): void {
      if (!shown.marks) return;
      const { extent, form } = shown.marks;
      const all = { x0: 0, y0: 0, x1: extent.width, y1: extent.height };
      flyTo(form === 'links' ? cameraOn(all, view, 24, 1) : homeCamera);
    },
    fitRow(row: number): void {
      const box = shown.boxOf(row);
      if (!box || !shown.marks) return;
      const { form, extent, zooms } = shown.marks;
      const on = cameraOn(box, view, 48, form === 'links' ? 2 : undefined, zooms);
      flyTo(zooms === 'upright' ? filledBy(on, extent, view, zooms) : on);
    },
    fitBox({ x0, y0, x1, y1 }: Box): void {
      if (!camera) return;
      const { x, y, k } = camera;
      const zooms = shown.marks?.zooms ?? 'both';
      const across = scaleAcross(k, zooms);
      const box = { x0: x + x0 / across, y0: y + y0 / k, x1: x + x1 / across, y1: y + y1 / k };
      flyTo(cameraOn(box, view, flightMargin, undefined, zooms));
    },
    targetAt: (px: number, py: number, slop: number): Target | undefined =>
      flight ? undefined : shown.targetAt(px, py, slop, camera ?? shown.drawnAt),
    isOpen: (row: number): boolean => shown.isOpen(row),
    hiddenAt: (mark: number) => shown.hiddenAt(mark),
    /** What is lit where a row is pointed at from elsewhere; undefined when nothing of it is in the picture. */
    litFor: (row: number): { readonly row: number; readonly isTail: boolean } | undefined => shown.litFor(row, view),
    /** Where a row is drawn, or the middle of the view. */
    middleOf: (row: number) => shown.middleOf(row) ?? { x: view.width / 2, y: view.height / 2 },
    /** Leaves the canvas to another stage, with its picture on it. */
    close(): void {
      leave();
      dive.close();
      stopWatching();
      stopMoving();
      cancelAnimationFrame(frame);
      clearTimeout(restTimer);
    },
  };
}

export type Stage = ReturnType<typeof createStage>;
