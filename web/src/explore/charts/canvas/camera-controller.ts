import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { isWithin, keptAround } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import {
  type Box,
  fittedTo,
  heldOver,
  homeCamera,
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

type CameraControllerDeps = {
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

/** The camera of a stage. Points and sizes are CSS pixels from the top left corner of the canvas. */
export function createCameraController(deps: CameraControllerDeps) {
  const { explorer, shown, pace, view, allowsMotion, redraw } = deps;
  const { store } = explorer;
  const inAddress = createAddressCamera(explorer);
  const homeOf = (marks: Marks): Camera => homeCameraOf(marks, view(), shown.drawnAt);

  const moving = new MovingCamera({
    initial: explorer.address.camera(),
    pace,
    view,
    allowsMotion,
    redraw,
    onZoom: (k) => store.setState({ zoom: Math.round(k * 100) }),
    onRest: () => {
      const { camera } = moving;
      if (!camera || !shown.marks) return;
      inAddress.write(isSameCamera(camera, homeOf(shown.marks)) ? undefined : camera, view());
    },
  });

  function sight(): Viewport | undefined {
    const { marks, drawnAt } = shown;
    const { camera } = moving;
    return camera && marks && { marks, drawnAt, camera, view: view(), isWhole: shown.isWhole(view()) };
  }

  const placement = createPlacement({ ...deps, moving, sight, homeOf, readAddress: () => inAddress.read(view()) });
  const moves = createCameraMoves({ ...deps, moving, dive: placement.dive });

  return {
    /** Undefined until a chart is placed. */
    camera: (): Camera | undefined => moving.camera,
    isUnderWay: (): boolean => moving.isFlying,
    step: (now: number): void => moving.step(now),
    outwardsAt: (time: number): Camera | undefined => moving.outwardsAt(time),
    restSoon: (ms: number): void => moving.restSoon(ms),
    caughtBy: (input: 'keyboard' | 'pointer'): void => moving.caughtBy(input),
    place: placement.place,
    moves,

    /** Another chart or branch comes: shows all of it, or what its address or a dive says. */
    startOver(): void {
      moving.reset();
      store.setState({ zoom: 100 });
    },
    /** Flies to the camera of the address, in the same chart. */
    followAddress(): void {
      const to = inAddress.read(view()) ?? (shown.marks && homeOf(shown.marks));
      if (to && moving.camera && !isSameCamera(to, moving.camera)) moves.flyTo(to);
    },
    /** The canvas is about to have another size. */
    resizing: (to: Size): void => moving.resize((camera) => inAddress.inView(camera, view(), to)),
    /** Undefined before the first layout. */
    sight,
    close(): void {
      placement.dive.close();
      moving.close();
    },
  };
}

export type CameraController = ReturnType<typeof createCameraController>;

type PlacementDeps = CameraControllerDeps & {
  readonly moving: MovingCamera;
  readonly sight: () => Viewport | undefined;
  /** The camera that shows the whole chart. */
  readonly homeOf: (marks: Marks) => Camera;
  readonly readAddress: () => Camera | undefined;
};

/** Chooses where the camera starts over a chart. */
function createPlacement({ explorer, shown, view, allowsMotion, moving, sight, homeOf, readAddress }: PlacementDeps) {
  const { tree, store } = explorer;
  /** The start in the next branch after a dive, so that what is seen stays where it is. */
  let landing: ((next: Marks) => Camera | undefined) | undefined;

  const dive = createDiveByZoom({
    explorer,
    sight,
    onDive: () => {
      const { camera } = moving;
      if (!camera) return;
      const { content } = tree;
      const keepCentre = rememberCentre(shown, camera, view());
      landing = (next) => (tree.content === content ? keepCentre(next) : undefined);
    },
  });

  /** Starts the flight to a chart that the user sees for the first time. */
  function arrive(to: Camera, marks: Marks, now: number): Flight | undefined {
    if (!store.getState().isArriving) return undefined;
    store.setState({ isArriving: false });
    if (!allowsMotion()) return undefined;
    const flight = arrivalAt(to, view(), marks.zooms);
    moving.start({ flight, isArrival: true }, now);
    return flight;
  }

  return {
    dive,

    /** Lays the chart out for the camera. Places the camera first, if the chart is new or the user has not moved it. */
    place(layOut: (at: Camera) => Marks, now: number): Marks {
      moving.resetUnlessChosen();
      const marks = layOut(moving.camera ?? homeCamera);
      if (moving.camera) return marks;
      const camera = landing?.(marks) ?? readAddress() ?? homeOf(marks);
      moving.place(camera, !isSameCamera(camera, homeOf(marks)));
      landing = undefined;
      dive.placed(camera.k);
      const arrival = arrive(camera, marks, now);
      if (arrival) return layOut(arrival.at(0));
      return isSameCamera(camera, homeCamera) ? marks : layOut(camera);
    },
  };
}

type CameraMovesDeps = {
  readonly explorer: Pick<Explorer, 'tree' | 'store'>;
  readonly shown: ShownMarks;
  readonly motion: Pick<Motion, 'end'>;
  readonly view: () => Size;
  readonly allowsMotion: () => boolean;
  readonly moving: MovingCamera;
  readonly dive: DiveByZoom;
};

/** The ways to move the camera: by hand and by flights. Without a chart they do nothing. */
function createCameraMoves(deps: CameraMovesDeps) {
  const { shown, view, moving } = deps;
  const flights = createFlights(deps);
  const { zoomBy, moveTo } = createZoom(deps);

  return {
    ...flights,
    moveTo,
    zoomBy,
    panBy(dx: number, dy: number): void {
      if (moving.camera) moveTo(panBy(moving.camera, dx, dy, shown.marks?.zooms));
    },
    /** Zooms around the middle of the view, smoothly. */
    zoomTo(k: number): void {
      moving.stop();
      if (moving.camera) zoomBy(k / moving.camera.k, undefined, undefined, true);
    },
    /** Keeps moving at the velocity of the pointer when it was released. */
    glide(velocity: Velocity): void {
      const { camera } = moving;
      const { marks } = shown;
      if (!camera || !marks || !deps.allowsMotion()) return;
      const { extent, zooms } = marks;
      const flight = glideFrom(camera, velocity, zooms, (at) => heldOver(at, extent, view(), zooms));
      if (flight) moving.start({ flight, byHand: true });
    },
  };
}

function createZoom({ explorer, shown, motion, view, allowsMotion, moving, dive }: CameraMovesDeps) {
  /** The closest zoom around a point of the viewport: a leaf under it must not fill the whole view. */
  function closestZoomAt(camera: Camera, px: number, py: number): number {
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

  /** Moves the camera, as far as the chart stays in view. */
  function moveTo(to: Camera): void {
    motion.end();
    const { marks } = shown;
    moving.moveTo(marks ? heldOver(to, marks.extent, view(), marks.zooms) : to);
  }

  /** Zooms around the point `(px, py)`, within the limits of the chart. */
  function zoomBy(factor: number, px = view().width / 2, py = view().height / 2, isSmooth = false): void {
    const { camera, zoomTarget } = moving;
    if (!camera || zoomTarget === undefined || !shown.marks) return;
    motion.end();
    const { zooms } = shown.marks;
    const closest = closestZoomAt(camera, px, py);
    const k = Math.max(minZoom, Math.min(zoomTarget * factor, closest));
    if (isSmooth && allowsMotion())
      moving.start({ flight: zoomFlight(camera, k, px, py, zooms), byHand: true, zoom: k });
    else moveTo(zoomAt(camera, k / camera.k, px, py, zooms));
    dive.zoomed();
  }

  return { moveTo, zoomBy };
}

function createFlights({ explorer, shown, view, moving, dive }: CameraMovesDeps) {
  const { store } = explorer;

  function flyTo(to: Camera): void {
    dive.placed(to.k);
    moving.flyTo(to, shown.marks?.zooms);
  }

  return {
    flyTo,
    /** Shows the whole chart. */
    fit(): void {
      if (shown.marks) flyTo(onWhole(shown.marks, view()));
    },
    fitRow(row: number): void {
      const box = shown.boxOf(row);
      if (box && shown.marks) flyTo(onRow(box, shown.marks, view()));
    },
    /** Shows a part of the view, given in its pixels. */
    fitBox(box: Box): void {
      if (moving.camera) flyTo(onPart(box, moving.camera, view(), shown.marks?.zooms ?? 'both'));
    },
    /** Zooms in on the node that the user goes to, if it is too small to be legible. */
    lookAtSought(): void {
      const { sought } = store.getState();
      const box = sought === none ? undefined : shown.boxOf(sought);
      if (!box || !moving.camera || !shown.marks) return;
      store.setState({ sought: none });
      const to = makingLegible(box, shown.marks, moving.camera, view());
      if (to) flyTo(to);
    },
  };
}

type DiveDeps = {
  readonly explorer: Explorer;
  readonly sight: () => Viewport | undefined;
  /** Called before the branch that fills the view becomes the focus, to keep nodes where they are on screen. */
  readonly onDive: (row: number) => void;
};

/** A zoom has settled when there was no input for this long. */
const settleMs = 400;

/**
 * Semantic zoom: once a zoom has settled, the branch that fills the view becomes the focus; far out, its parent does.
 * Disabled if branches must not open automatically.
 */
function createDiveByZoom({ explorer, sight, onDive }: DiveDeps) {
  const { store, tree } = explorer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settledAt: number | undefined;

  function settle(): void {
    const seen = sight();
    if (!seen || !store.getState().autoExpand) return;
    if (!isSameCamera(seen.drawnAt, seen.camera)) {
      settleSoon();
      return;
    }
    const { k } = seen.camera;
    const before = settledAt ?? 1;
    settledAt = k;
    const { focus, selected } = store.getState();
    const isNearer = k > before;
    const filling = isNearer ? keptAround(tree, fillingBranch(seen.marks, seen.view)) : focus;
    const to = !isNearer && k < leavingZoom ? tree.parent[focus]! : filling;
    if (to === focus || to === none) return;
    if (isNearer) onDive(to);
    settledAt = undefined;
    explorer.focusOn(to, selected !== none && isWithin(tree, selected, to) ? selected : isNearer ? to : focus);
  }

  function settleSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(settle, settleMs);
  }

  return {
    /** The user zoomed. */
    zoomed: settleSoon,
    /** The camera moved for another reason, to this zoom. */
    placed(k: number): void {
      clearTimeout(timer);
      settledAt = k;
    },
    close: (): void => clearTimeout(timer),
  };
}

type DiveByZoom = ReturnType<typeof createDiveByZoom>;

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

/**
 * The camera in the address: written with the size of the view it belongs to, and adapted to the current view when
 * read.
 */
function createAddressCamera({ address, store }: Pick<Explorer, 'address' | 'store'>) {
  /** Converts the camera of one view size to another. Only the Tree has an extent that does not depend on the view. */
  const inView = (camera: Camera, from: Size, to: Size): Camera =>
    fittedTo(camera, camera.of ?? from, to, store.getState().view !== 'tree');
  return {
    inView,
    read(view: Size): Camera | undefined {
      const camera = address.camera();
      return camera && inView(camera, view, view);
    },
    /** @param camera undefined where the whole chart is visible */
    write(camera: Camera | undefined, { width, height }: Size): void {
      address.moved(camera && { ...camera, of: { width, height } });
    },
  };
}

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
