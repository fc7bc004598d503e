import type { Camera } from '../../model/camera.ts';
import type { Size } from '../camera/camera.ts';
import { type Flight, flightBetween } from '../camera/flights.ts';
import type { Zooms } from '../layout/layout.ts';
import type { FramePace } from './frame-pace.ts';

type MovingCameraDeps = {
  /** The camera to start with; undefined to show the whole chart. */
  readonly initial: Camera | undefined;
  readonly pace: Pick<FramePace, 'moving'>;
  readonly view: () => Size;
  /** Whether animations are allowed. */
  readonly allowsMotion: () => boolean;
  /** Requests a frame, with a new layout or without. */
  readonly redraw: (layoutToo: boolean) => void;
  /** Called with the zoom to start with, and when it has changed. */
  readonly onZoom: (k: number) => void;
  /** Called when the camera has been at rest for a moment. */
  readonly onRest: () => void;
};

type Start = {
  readonly flight: Flight;
  /** The zoom that the user is heading for. The next zoom step continues from there. */
  readonly zoom?: number;
  /** Whether the user can catch the camera with the pointer. */
  readonly byHand?: boolean;
  /** Whether this shows a chart for the first time. Any input ends it. */
  readonly isArrival?: boolean;
};

/** How long the camera must not move to be at rest. */
const restMs = 120;

/** The position of a camera over time. */
export class MovingCamera {
  readonly #deps: MovingCameraDeps;
  #camera: Camera | undefined;
  /** Whether the user chose the position. Until then the camera follows the chart as it grows. */
  #isChosen: boolean;
  #flight: (Start & { readonly from: number }) | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: MovingCameraDeps) {
    this.#deps = deps;
    this.#camera = deps.initial;
    this.#isChosen = deps.initial !== undefined;
    // Another chart may have had another zoom.
    deps.onZoom(deps.initial?.k ?? 1);
  }

  /** Undefined until the first layout, and again before the layout of another chart. */
  get camera(): Camera | undefined {
    return this.#camera;
  }

  get isFlying(): boolean {
    return this.#flight !== undefined;
  }

  /** The zoom after the zoom step in progress. */
  get zoomTarget(): number | undefined {
    return this.#flight?.zoom ?? this.#camera?.k;
  }

  /** Moves the camera to its position in a flight. */
  step(now: number): void {
    if (!this.#flight) return;
    const { flight, from, isArrival } = this.#flight;
    this.#camera = flight.at(Math.max(0, now - from));
    if (now - from < flight.ms) return;
    if (isArrival) this.#isChosen = false;
    this.#flight = undefined;
    this.restSoon();
  }

  /** The position at a later time, if the camera zooms out until then. */
  outwardsAt(time: number): Camera | undefined {
    if (!this.#flight || !this.#camera) return undefined;
    const { flight, from } = this.#flight;
    const ahead = flight.at(Math.max(0, time - from));
    return ahead.k < this.#camera.k ? ahead : undefined;
  }

  /** Forgets the position, for another chart. */
  reset(): void {
    this.#flight = undefined;
    this.#camera = undefined;
    this.#isChosen = false;
  }

  /** Forgets the position unless the user chose it or a flight is in progress. */
  resetUnlessChosen(): void {
    if (!this.#isChosen && !this.#flight) this.#camera = undefined;
  }

  /** Sets the first position over a chart. Starts no flight and requests no frame. */
  place(at: Camera, isChosen: boolean): void {
    this.#camera = at;
    this.#isChosen = isChosen;
    this.#deps.onZoom(at.k);
  }

  /** Moves to where the user has moved the camera. */
  moveTo(to: Camera): void {
    this.#flight = undefined;
    this.#isChosen = true;
    this.#camera = to;
    this.#deps.pace.moving(true);
    this.restSoon();
    this.#deps.redraw(false);
  }

  /** Flies to a position, or is there at once if animations are not allowed. */
  flyTo(to: Camera, zooms: Zooms | undefined): void {
    if (this.#camera && this.#deps.allowsMotion()) {
      this.start({ flight: flightBetween(this.#camera, to, this.#deps.view(), zooms) });
      return;
    }
    this.#camera = to;
    this.#isChosen = true;
    this.restSoon();
    this.#deps.redraw(true);
  }

  start(start: Start, from = performance.now()): void {
    this.#deps.pace.moving(true);
    clearTimeout(this.#restTimer);
    this.#isChosen = true;
    this.#flight = { ...start, from };
    this.#deps.redraw(false);
  }

  /** Stops where the camera is. */
  stop(): void {
    this.#flight = undefined;
  }

  /** The view changes its size. A flight ends where it leads. */
  resize(adapt: (camera: Camera) => Camera): void {
    if (this.#flight && !this.#flight.isArrival) this.step(Number.POSITIVE_INFINITY);
    if (!this.#camera) return;
    this.#camera = adapt(this.#camera);
    this.#deps.onZoom(this.#camera.k);
  }

  /** Any input ends an arrival; the pointer catches a gliding chart. */
  caughtBy(input: 'keyboard' | 'pointer'): void {
    if (this.#flight?.isArrival) this.#flight = { ...this.#flight, from: Number.NEGATIVE_INFINITY };
    if (input !== 'pointer' || !this.#flight?.byHand) return;
    this.#flight = undefined;
    this.restSoon();
  }

  /** Calls `onRest` unless the camera moves before. */
  restSoon(ms = restMs): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.#deps.pace.moving(false);
      this.#deps.redraw(true);
      this.#deps.onRest();
    }, ms);
    if (this.#camera) this.#deps.onZoom(this.#camera.k);
  }

  close(): void {
    clearTimeout(this.#restTimer);
  }
}
