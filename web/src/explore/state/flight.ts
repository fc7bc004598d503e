import { interpolateZoom } from 'd3-interpolate';
import type { Camera } from '../layouts/layout.ts';
import type { Size } from './camera.ts';

/** A way from one camera to another: where it is after `ms`, and how long it takes. */
export type Flight = { readonly at: (ms: number) => Camera; readonly ms: number };

const shortestMs = 450;
const longestMs = 600;

/**
 * A smooth flight, its length by the way's.
 * Source: van Wijk and Nuij, "Smooth and Efficient Zooming and Panning", InfoVis 2003.
 */
export function flightBetween(from: Camera, to: Camera, view: Size): Flight {
  const zoom = interpolateZoom(viewOf(from, view), viewOf(to, view));
  const ms = Math.min(longestMs, Math.max(shortestMs, zoom.duration / 2));
  return { ms, at: (elapsed) => (elapsed >= ms ? to : cameraOf(zoom(eased(elapsed / ms)), view)) };
}

/** Slow at both ends. */
function eased(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The middle of what is seen and its width, in layout units: the paper's own terms. */
function viewOf({ x, y, k }: Camera, { width, height }: Size): [number, number, number] {
  return [x + width / 2 / k, y + height / 2 / k, width / k];
}

function cameraOf([cx, cy, seen]: [number, number, number], { width, height }: Size): Camera {
  const k = width / seen;
  return { x: cx - width / 2 / k, y: cy - height / 2 / k, k };
}
