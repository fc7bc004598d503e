import { interpolateZoom, type ZoomView } from 'd3-interpolate';
import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { panBy, type Size, zoomAt } from './camera.ts';

/** An animation from one camera to another: the camera after `ms`, and the duration. */
export type Flight = { readonly at: (ms: number) => Camera; readonly ms: number };

const arrivalMs = 1_200;
/** The initial zoom of a chart that appears for the first time. */
const farAway = 0.02;
const minMs = 450;
const maxMs = 600;
/** How much faster a camera moves than `interpolateZoom` recommends. */
const speedup = 2;

/**
 * A smooth flight that zooms out, pans and zooms in again, as far as the distance requires. In a chart that only zooms
 * vertically it is a straight one.
 *
 * Source: van Wijk and Nuij, "Smooth and Efficient Zooming and Panning", InfoVis 2003.
 */
export function flightBetween(from: Camera, to: Camera, view: Size, zooms: Zooms = 'both'): Flight {
  const isUpright = zooms === 'upright';
  const zoom = interpolateZoom(zoomViewOf(from, view, isUpright), zoomViewOf(to, view, isUpright));
  const ms = Math.min(maxMs, Math.max(minMs, Math.abs(zoom.duration) / speedup));
  const at = (elapsed: number): Camera => {
    if (elapsed >= ms) return to;
    const t = eased(elapsed / ms);
    const [cx, cy, length] = zoom(t);
    const k = (isUpright ? view.height : view.width) / length;
    const x = isUpright ? from.x + (to.x - from.x) * t : cx - view.width / 2 / k;
    return { x, y: cy - view.height / 2 / k, k };
  };
  return { ms, at };
}

/** The flight to a chart that is shown for the first time: from far away, straight at its centre. */
export function arrivalAt(home: Camera, view: Size, zooms: Zooms): Flight {
  const [px, py] = [view.width / 2, view.height / 2];
  const far = scaledAround(home, farAway, px, py, zooms);
  const at = (elapsed: number): Camera => {
    if (elapsed >= arrivalMs) return home;
    return scaledAround(far, farAway ** -easedOut(elapsed / arrivalMs), px, py, zooms);
  };
  return { ms: arrivalMs, at };
}

function scaledAround({ x, y, k }: Camera, factor: number, px: number, py: number, zooms: Zooms): Camera {
  const after = k * factor;
  return {
    x: zooms === 'upright' ? x : x + px / k - px / after,
    y: y + py / k - py / after,
    k: after,
  };
}

/** Eases out: fast at first. */
const easedOut = (t: number): number => 1 - (1 - t) ** 3;

/** Eases in and out: slow at both ends. */
export const eased = (t: number): number => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);

/** The centre of the visible part and its length along the path, in layout units. */
function zoomViewOf({ x, y, k }: Camera, { width, height }: Size, isUpright: boolean): ZoomView {
  return [isUpright ? 0 : x + width / 2 / k, y + height / 2 / k, (isUpright ? height : width) / k];
}

/** In CSS pixels per millisecond. */
export type Velocity = { readonly x: number; readonly y: number };

/** Moves older than this, in milliseconds, do not count towards the velocity at release. */
const rememberedMs = 90;
/** A release slower than this stops the chart at once. */
const minSpeed = 0.2;
/** A glide ends when the chart moves slower than this. */
const stillness = 0.02;
/** A glide loses two thirds of its speed in this time, in milliseconds. */
const slowingMs = 280;
const zoomMs = 140;

/** Measures the velocity of a pointer from its moves, for the moment of release. Times in milliseconds. */
export function createVelocity() {
  let moves: { readonly dx: number; readonly dy: number; readonly at: number }[] = [];
  return {
    begin(): void {
      moves = [];
    },
    moved(dx: number, dy: number, at: number): void {
      moves.push({ dx, dy, at });
      while (moves[0]!.at < at - rememberedMs) moves.shift();
    },
    now(at: number): Velocity {
      const recent = moves.filter((move) => move.at >= at - rememberedMs);
      const ms = Math.max(16, at - (recent[0]?.at ?? at));
      const sum = (part: 'dx' | 'dy') => recent.reduce((all, move) => all + move[part], 0);
      return { x: sum('dx') / ms, y: sum('dy') / ms };
    },
  };
}

/**
 * How a released chart glides on, slower and slower; undefined if it was not moving.
 *
 * @param clamp limits a camera to where the chart is still in view
 */
export function glideFrom(
  camera: Camera,
  velocity: Velocity,
  zooms: Zooms,
  clamp: (camera: Camera) => Camera,
): Flight | undefined {
  const speed = Math.hypot(velocity.x, velocity.y);
  if (speed < minSpeed) return undefined;
  const at = (ms: number): Camera => {
    const movedMs = slowingMs * (1 - Math.exp(-ms / slowingMs));
    return clamp(panBy(camera, velocity.x * movedMs, velocity.y * movedMs, zooms));
  };
  return { at, ms: slowingMs * Math.log(speed / stillness) };
}

/** Zooms to `k` around a point of the viewport, fast at first. */
export function zoomFlight(camera: Camera, k: number, px: number, py: number, zooms: Zooms): Flight {
  const at = (ms: number): Camera => {
    const remaining = 1 - Math.min(1, ms / zoomMs);
    return zoomAt(camera, (k / camera.k) ** (1 - remaining * remaining * remaining), px, py, zooms);
  };
  return { at, ms: zoomMs };
}
