import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { panBy, zoomAt } from './camera.ts';
import type { Flight } from './flight.ts';

/** CSS pixels a millisecond. */
export type Velocity = { readonly x: number; readonly y: number };

/** Moves longer ago than this say nothing of how fast a hand was when it let go, in milliseconds. */
const rememberedMs = 90;
/** A slower hand meant to put the picture down. */
const slowest = 0.2;
/** A glide is over when a picture moves slower than this. */
const stillness = 0.02;
/** A glide has lost two thirds of its speed after so many milliseconds. */
const slowingMs = 280;
const zoomMs = 140;

/** How fast a hand moves: told of each move, asked when it lets go. Times in milliseconds. */
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
 * How a picture goes on when it is let go of, slower and slower; undefined when it was put down.
 *
 * @param held keeps a camera where it may stand
 */
export function glideFrom(
  camera: Camera,
  velocity: Velocity,
  zooms: Zooms,
  held: (camera: Camera) => Camera,
): Flight | undefined {
  const speed = Math.hypot(velocity.x, velocity.y);
  if (speed < slowest) return undefined;
  const at = (ms: number): Camera => {
    const gone = slowingMs * (1 - Math.exp(-ms / slowingMs));
    return held(panBy(camera, velocity.x * gone, velocity.y * gone, zooms));
  };
  return { at, ms: slowingMs * Math.log(speed / stillness) };
}

/** Zooming to `k` around a point of the viewport, fast at first. */
export function zoomFlight(camera: Camera, k: number, px: number, py: number, zooms: Zooms): Flight {
  const at = (ms: number): Camera => {
    const left = 1 - Math.min(1, ms / zoomMs);
    return zoomAt(camera, (k / camera.k) ** (1 - left * left * left), px, py, zooms);
  };
  return { at, ms: zoomMs };
}
