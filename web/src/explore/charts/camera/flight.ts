import { interpolateZoom, type ZoomView } from 'd3-interpolate';
import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import type { Size } from './camera.ts';

/** An animation from one camera to another: the camera after `ms`, and the duration. */
export type Flight = { readonly at: (ms: number) => Camera; readonly ms: number };

const arrivalMs = 1_200;
/** The initial zoom of a chart that appears for the first time. */
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
function eased(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The centre of the visible part and its length along the path, in layout units. */
function seenBy({ x, y, k }: Camera, { width, height }: Size, isUpright: boolean): ZoomView {
  return [isUpright ? 0 : x + width / 2 / k, y + height / 2 / k, (isUpright ? height : width) / k];
}
