import { interpolateZoom, type ZoomView } from 'd3-interpolate';
import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import type { Size } from './camera.ts';

/** A way from one camera to another: where it is after `ms`, and how long it takes. */
export type Flight = { readonly at: (ms: number) => Camera; readonly ms: number };

const arrivalMs = 1_200;
/** How small a picture is that somebody comes upon. */
const farAway = 0.02;
const shortestMs = 450;
const longestMs = 600;
/** How much faster a camera moves than `interpolateZoom` recommends. */
const haste = 2;

/**
 * A smooth flight that zooms out, pans and zooms in again, as far as the distance requires. In a chart that only zooms
 * vertically it is a straight one.
 *
 * Source: van Wijk and Nuij, "Smooth and Efficient Zooming and Panning", InfoVis 2003.
 */
export function flightBetween(from: Camera, to: Camera, view: Size, zooms: Zooms = 'both'): Flight {
  const isUpright = zooms === 'upright';
  const zoom = interpolateZoom(seenBy(from, view, isUpright), seenBy(to, view, isUpright));
  const ms = Math.min(longestMs, Math.max(shortestMs, Math.abs(zoom.duration) / haste));
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

/** The way to a picture that is seen for the first time: from far, straight at its middle. Source: experience.md §6. */
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

/** Fast at first. */
const easedOut = (t: number): number => 1 - (1 - t) ** 3;

/** Slow at both ends. */
function eased(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The middle of what is seen and its length along the way, in layout units. */
function seenBy({ x, y, k }: Camera, { width, height }: Size, isUpright: boolean): ZoomView {
  return [isUpright ? 0 : x + width / 2 / k, y + height / 2 / k, (isUpright ? height : width) / k];
}
