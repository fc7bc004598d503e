import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { panBy, zoomAt } from './camera.ts';
import type { Flight } from './flight.ts';

/** In CSS pixels per millisecond. */
export type Velocity = { readonly x: number; readonly y: number };

/** Moves older than this, in milliseconds, do not count towards the velocity at release. */
const rememberedMs = 90;
/** A release slower than this stops the chart at once. */
const slowest = 0.2;
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
 * @param held clamps a camera to its limits
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

/** Zooms to `k` around a point of the viewport, fast at first. */
export function zoomFlight(camera: Camera, k: number, px: number, py: number, zooms: Zooms): Flight {
  const at = (ms: number): Camera => {
    const left = 1 - Math.min(1, ms / zoomMs);
    return zoomAt(camera, (k / camera.k) ** (1 - left * left * left), px, py, zooms);
  };
  return { at, ms: zoomMs };
}
