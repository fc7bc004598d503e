import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { none } from '../../tree-data/no-row.ts';
import { createAddressCamera } from '../camera/address-camera.ts';
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
  zoomAt,
} from '../camera/camera.ts';
import { arrivalAt, type Flight, flightBetween } from '../camera/flight.ts';
import { glideFrom, type Velocity, zoomFlight } from '../camera/glide.ts';
import { homeCameraOf } from '../camera/home-camera.ts';
import type { Marks } from '../layout/layout.ts';
import { createDiveByZoom } from './dive-by-zoom.ts';
import type { FramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import type { ShownMarks } from './shown-marks.ts';
import type { Viewport } from './viewport.ts';
import { closestZoomAt, placeKept } from './zoom-places.ts';

export type TravelDeps = {
  readonly explorer: Explorer;
  readonly shown: ShownMarks;
  readonly pace: FramePace;
  readonly motion: Pick<Motion, 'end'>;
  /** How big the canvas is. */
  readonly view: () => Size;
  /** Whether things may move by themselves. */
  readonly allowsMotion: () => boolean;
  /** Asks for a frame, in which marks are laid out anew or only moved. */
  readonly redraw: (isAnew: boolean) => void;
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

const boxMargin = 8;
const rowMargin = 48;
const treeMargin = 24;
/** A box has to be so wide for its name to be read, a bar so high. */
const legiblePx = 60;
const legibleBarPx = 14;
/** What is gone to takes so much of the smaller side of the view. */
const soughtShare = 0.42;
/** A picture that was not moved for so long is at rest. */
const restMs = 120;

/**
 * Where the camera of a stage stands, and every way from there: by hand, in a flight, into another branch by zooming.
 * Points and sizes are CSS pixels from the canvas' top left corner.
 */
export function createTravel({ explorer, shown, pace, motion, view, allowsMotion, redraw }: TravelDeps) {
  const { tree, store } = explorer;
  const named = createAddressCamera(explorer);
  let camera: Camera | undefined = explorer.address.camera();
  /** Whether a person chose where the camera stands; until then it follows the picture as that grows. */
  let isMoved = camera !== undefined;
  let flight: Under | undefined;
  /** Where to stand in the next picture, when not where all of it is seen. */
  let landing: ((next: Marks) => Camera | undefined) | undefined;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  const dive = createDiveByZoom({
    explorer,
    sight,
    onDive: () => {
      if (!camera) return;
      const { content } = tree;
      const kept = placeKept({ shown, camera, view: view() });
      landing = (next) => (tree.content === content ? kept(next) : undefined);
    },
  });

  const homeOf = (marks: Marks): Camera => homeCameraOf(marks, view(), shown.drawnAt);

  /** Goes on along the way that the camera is on. */
  function step(now: number): void {
    if (!flight) return;
    const { way, from, isArrival } = flight;
    camera = way.at(Math.max(0, now - from));
    if (now - from < way.ms) return;
    if (isArrival) isMoved = false;
    flight = undefined;
    restSoon();
  }

  /** Where the camera will be at a time to come, if it is on its way outwards. */
  function outwardsAt(time: number): Camera | undefined {
    const ahead = flight?.way.at(Math.max(0, time - flight.from));
    return ahead && camera && ahead.k < camera.k ? ahead : undefined;
  }

  /** Lays the picture out for where the camera stands, and chooses where that is when the picture is seen anew. */
  function place(layOut: (at: Camera) => Marks, now: number): Marks {
    if (!isMoved && !flight) camera = undefined;
    const marks = layOut(camera ?? homeCamera);
    if (camera) return marks;
    camera = landing?.(marks) ?? named.read(view()) ?? homeOf(marks);
    isMoved = !isSameCamera(camera, homeOf(marks));
    landing = undefined;
    dive.placed(camera.k);
    const arrival = comeUpon(camera, marks, now);
    if (arrival) return layOut(arrival.at(0));
    return isSameCamera(camera, homeCamera) ? marks : layOut(camera);
  }

  /** Begins the way to a picture that somebody sees for the first time, if there is to be one. */
  function comeUpon(to: Camera, marks: Marks, now: number): Flight | undefined {
    if (!store.getState().isArriving) return undefined;
    store.setState({ isArriving: false });
    if (!allowsMotion()) return undefined;
    const way = arrivalAt(to, view(), marks.zooms);
    take({ way, byHand: false, isArrival: true }, now);
    return way;
  }

  /** Sets the camera where a person moved it. */
  function moveTo(to: Camera): void {
    motion.end();
    flight = undefined;
    isMoved = true;
    const { marks } = shown;
    camera = marks ? heldOver(to, marks.extent, view(), marks.zooms) : to;
    pace.moving(true);
    restSoon();
    redraw(false);
  }

  /** After a moment without moves the picture is drawn in full and the address says where it stands. */
  function restSoon(ms = restMs): void {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      pace.moving(false);
      redraw(true);
      if (!camera || !shown.marks) return;
      named.write(isSameCamera(camera, homeOf(shown.marks)) ? undefined : camera, view());
    }, ms);
    if (camera) store.setState({ zoom: Math.round(camera.k * 100) });
  }

  function flyTo(to: Camera): void {
    dive.placed(to.k);
    if (!allowsMotion() || !camera) {
      camera = to;
      isMoved = true;
      restSoon();
      redraw(true);
      return;
    }
    take({ way: flightBetween(camera, to, view(), shown.marks?.zooms), byHand: false });
  }

  function take(way: Omit<Under, 'from'>, from = performance.now()): void {
    pace.moving(true);
    clearTimeout(restTimer);
    isMoved = true;
    flight = { ...way, from };
    redraw(false);
  }

  /** Zooms as far as it is sensible with the point `(px, py)` held still; at once, or gliding there. */
  function zoomBy(factor: number, px = view().width / 2, py = view().height / 2, isSmooth = false): void {
    if (!camera || !shown.marks) return;
    motion.end();
    const { zooms } = shown.marks;
    const closest = closestZoomAt({ shown, camera, view: view() }, tree, px, py);
    const k = Math.max(minZoom, Math.min((flight?.zoom ?? camera.k) * factor, closest));
    if (isSmooth && allowsMotion()) take({ way: zoomFlight(camera, k, px, py, zooms), byHand: true, zoom: k });
    else moveTo(zoomAt(camera, k / camera.k, px, py, zooms));
    dive.zoomed();
  }

  function sight(): Viewport | undefined {
    const { marks, drawnAt } = shown;
    return camera && marks && { marks, drawnAt, camera, view: view(), isWhole: shown.isWhole(view()) };
  }

  return {
    /** Undefined until a picture is placed. */
    camera: () => camera,
    isUnderWay: () => flight !== undefined,
    step,
    outwardsAt,
    place,
    /** The next picture is another one: all of it is seen, or what its address says, or what was kept for it. */
    startOver(): void {
      flight = undefined;
      camera = undefined;
      isMoved = false;
      store.setState({ zoom: 100 });
    },
    /** In the same picture an address leads the camera elsewhere. */
    followAddress(): void {
      const to = named.read(view()) ?? (shown.marks && homeOf(shown.marks));
      if (to && camera && !isSameCamera(to, camera)) flyTo(to);
    },
    /** The view is about to be another one. A flight ends where it leads. */
    resizing(to: Size): void {
      if (flight && !flight.isArrival) step(Number.POSITIVE_INFINITY);
      if (camera) camera = named.inView(camera, view(), to);
    },
    /** Somebody does something: an arrival is over, and a pointer catches a picture that glides. */
    caughtBy(input: 'keyboard' | 'pointer'): void {
      if (flight?.isArrival) flight = { ...flight, from: Number.NEGATIVE_INFINITY };
      if (input !== 'pointer' || !flight?.byHand) return;
      flight = undefined;
      restSoon();
    },
    restSoon,
    moveTo,
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
      if (!camera || !marks || !allowsMotion()) return;
      const { extent, zooms } = marks;
      const way = glideFrom(camera, velocity, zooms, (at) => heldOver(at, extent, view(), zooms));
      if (way) take({ way, byHand: true });
    },
    /** Everything in view. */
    fit(): void {
      if (!shown.marks) return;
      const { extent, form } = shown.marks;
      const all = { x0: 0, y0: 0, x1: extent.width, y1: extent.height };
      flyTo(form === 'links' ? cameraOn(all, view(), treeMargin, 1) : homeCamera);
    },
    fitRow(row: number): void {
      const box = shown.boxOf(row);
      if (!box || !shown.marks) return;
      const { form, extent, zooms } = shown.marks;
      const on = cameraOn(box, view(), rowMargin, form === 'links' ? 2 : undefined, zooms);
      flyTo(zooms === 'upright' ? filledBy(on, extent, view(), zooms) : on);
    },
    /** A part of the view, in its pixels. */
    fitBox({ x0, y0, x1, y1 }: Box): void {
      if (!camera) return;
      const { x, y, k } = camera;
      const zooms = shown.marks?.zooms ?? 'both';
      const across = scaleAcross(k, zooms);
      const box = { x0: x + x0 / across, y0: y + y0 / k, x1: x + x1 / across, y1: y + y1 / k };
      flyTo(cameraOn(box, view(), boxMargin, undefined, zooms));
    },
    /** Goes nearer to what somebody searched for and went to, where it is too small to be seen. */
    lookAtSought(): void {
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
      const { width, height } = view();
      const near = cameraOn(box, view(), Math.min(width, height) * soughtShare, undefined, zooms);
      flyTo(form === 'links' ? near : filledBy(near, extent, view(), zooms));
    },
    /** Undefined before the first picture. */
    sight,
    close(): void {
      dive.close();
      clearTimeout(restTimer);
    },
  };
}
