import { interpolateZoom } from 'd3-interpolate';
import type { Camera, Zooms } from '../layouts/layout.ts';
import type { Size } from './camera.ts';

/** A way from one camera to another: where it is after `ms`, and how long it takes. */
export type Flight = { readonly at: (ms: number) => Camera; readonly ms: number };

const shortestMs = 450;
const longestMs = 600;

/**
 * A smooth flight, its length by the way's. Across a picture that zooms upright only it is a straight one.
 * Source: van Wijk and Nuij, "Smooth and Efficient Zooming and Panning", InfoVis 2003.
 */
export function flightBetween(from: Camera, to: Camera, view: Size, zooms: Zooms = 'both'): Flight {
  const isUpright = zooms === 'upright';
  const zoom = interpolateZoom(seenBy(from, view, isUpright), seenBy(to, view, isUpright));
  const ms = Math.min(longestMs, Math.max(shortestMs, zoom.duration / 2));
  const at = (elapsed: number): Camera => {
    if (elapsed >= ms) return to;
    const t = eased(elapsed / ms);
    const [cx, cy, seen] = zoom(t);
    const k = (isUpright ? view.height : view.width) / seen;
    const x = isUpright ? from.x + (to.x - from.x) * t : cx - view.width / 2 / k;
    return { x, y: cy - view.height / 2 / k, k };
  };
  return { ms, at };
}

/** Slow at both ends. */
function eased(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The middle of what is seen and its length along the way, in layout units: the paper's own terms. */
function seenBy({ x, y, k }: Camera, { width, height }: Size, isUpright: boolean): [number, number, number] {
  return [isUpright ? 0 : x + width / 2 / k, y + height / 2 / k, (isUpright ? height : width) / k];
}
