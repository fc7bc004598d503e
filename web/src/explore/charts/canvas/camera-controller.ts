import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { createAddressCamera } from '../camera/address-camera.ts';
import { homeCamera, isSameCamera, type Size } from '../camera/camera.ts';
import { arrivalAt, type Flight } from '../camera/flight.ts';
import { homeCameraOf } from '../camera/home-camera.ts';
import type { Marks } from '../layout/layout.ts';
import { createCameraMoves } from './camera-moves.ts';
import { createDiveByZoom } from './dive-by-zoom.ts';
import type { FramePace } from './frame-pace.ts';
import type { Motion } from './motion.ts';
import { MovingCamera } from './moving-camera.ts';
import { rememberCentre } from './remember-centre.ts';
import type { ShownMarks } from './shown-marks.ts';
import type { Viewport } from './viewport.ts';

export type CameraControllerDeps = {
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
