import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import { eased } from '../camera/flights.ts';
import type { Marks } from '../layout/layout.ts';
import type { Colouring } from '../paint/colour-scale.ts';
import { palettes } from '../paint/colours.ts';
import { movedDown, type Pose, plainFills, poseOf, reachOf, type Shift, traceOutline } from '../paint/mark-outline.ts';
import type { Paint } from '../paint/painter.ts';

type MotionDeps = {
  readonly canvas: HTMLCanvasElement;
  /** Covers the canvas. */
  readonly overlay: HTMLCanvasElement;
  /** Whether animation is allowed. */
  readonly allowsMotion: () => boolean;
};

/** A transition that has run for less than this was not visible yet. */
const barelyMs = 100;

export type Motion = ReturnType<typeof createMotion>;

/** Animates the marks of one chart to the next. */
export function createMotion({ canvas, overlay, allowsMotion }: MotionDeps) {
  let departure: (Departure & { readonly content: Content }) | undefined;
  /** The running animation and when it began. */
  let latest: { readonly from: NonNullable<typeof departure>; readonly at: number } | undefined;
  let endFlight = (): void => undefined;
  function end(): void {
    endFlight();
    endFlight = () => undefined;
  }

  return {
    /** Call before the canvas shows another chart. `shift` is the current position of the old one. */
    leave({ content }: LoadedTree, marks: Marks, view: Size, shift: Shift): void {
      end();
      latest = undefined;
      departure = undefined;
      // A canvas without an area cannot be copied.
      if (allowsMotion() && canvas.width > 0 && canvas.height > 0)
        departure = { ...depart(canvas, marks, view, shift), content };
    },
    /** Lets another chart replace the next one of a transition that has just started. @returns whether there was one */
    leaveAgain(): boolean {
      if (!latest || performance.now() - latest.at > barelyMs) return false;
      departure = latest.from;
      return true;
    },
    /** Whether {@link leave} waits for the next chart. */
    isLeaving: (): boolean => departure !== undefined,
    /** Call when the canvas shows the next chart. */
    arrive(arrival: Arrival): void {
      if (!departure) return;
      const from = departure;
      departure = undefined;
      const isAlike =
        from.still.width === canvas.width && Math.abs(from.still.height - canvas.height) <= canvas.height / 4;
      // In other content, row numbers identify other nodes.
      if (!isAlike || from.content !== arrival.tree.content) return;
      latest = { from, at: performance.now() };
      endFlight = arrive(overlay, canvas.height, from, arrival);
    },
    end,
    close: end,
  };
}

/** The chart before a transition: what of it can fly, and a copy of how it looked. */
type Departure = { readonly pose: Pose; readonly still: HTMLCanvasElement };

type Arrival = {
  readonly marks: Marks;
  readonly view: Size;
  readonly tree: LoadedTree;
  readonly paint: Pick<Paint, 'theme' | 'colourBy' | 'dpr'> & { readonly selected: number };
};

/** If a frame takes longer, in milliseconds, fewer marks fly from then on. */
const slowMs = 12;
const minFlying = 200;
const noShift: Shift = { scaleX: 1, scale: 1, x: 0, y: 0 };

/** Copies the canvas before the next chart is drawn. */
function depart(canvas: HTMLCanvasElement, marks: Marks, view: Size, shift: Shift): Departure {
  const still = document.createElement('canvas');
  still.width = canvas.width;
  still.height = canvas.height;
  still.getContext('2d')?.drawImage(canvas, 0, 0);
  return { pose: poseOf(marks, view, shift, maxFlying), still };
}

/**
 * Animates the marks of the previous chart to their positions in the new one, which is drawn under the overlay.
 *
 * @param height of the new chart, in device pixels
 * @returns ends the animation at once
 */
export function arrive(overlay: HTMLCanvasElement, height: number, departure: Departure, arrival: Arrival): () => void {
  const { pose, still } = alignedAtBottom(departure, height, arrival.paint.dpr);
  const context = overlay.getContext('2d')!;
  overlay.width = still.width;
  overlay.height = height;
  const to = poseOf(arrival.marks, arrival.view, noShift, maxFlying);
  const morph = matchPoses(pose, to);
  const paint = createMorphPainter(morph, pose, to, arrival.tree, arrival.paint);
  let maxMarks = morph.count;
  let began: number | undefined;
  let frame = requestAnimationFrame(fly);
  paint(context, still, 0, maxMarks);

  function fly(now: number): void {
    began ??= now;
    const t = (now - began) / morphMs;
    if (t >= 1) {
      end();
      return;
    }
    const started = performance.now();
    paint(context, still, t, maxMarks);
    if (performance.now() - started > slowMs) maxMarks = Math.max(minFlying, maxMarks >> 1);
    frame = requestAnimationFrame(fly);
  }

  function end(): void {
    cancelAnimationFrame(frame);
    // A canvas without a size uses no memory.
    overlay.width = 0;
  }
  return end;
}

/**
 * The previous chart as seen from a canvas of another height, aligned at the bottom: panels appear and disappear above
 * it.
 */
function alignedAtBottom({ pose, still }: Departure, height: number, dpr: number): Departure {
  const down = height - still.height;
  if (down === 0) return { pose, still };
  const moved = document.createElement('canvas');
  moved.width = still.width;
  moved.height = height;
  moved.getContext('2d')?.drawImage(still, 0, down);
  return { pose: movedDown(pose, down / dpr), still: moved };
}

/** Duration of the animation. */
const morphMs = 450;
/** Maximum number of marks that fly; the others fade. */
const maxFlying = 2_000;

/** The outlines of the nodes that two charts have in common, with the same number of points in both. */
type Morph = {
  readonly count: number;
  /** Loaded row of each flying mark, and its indices in both poses. */
  readonly row: Int32Array;
  readonly source: Int32Array;
  readonly mark: Int32Array;
  /** Mark `i` has the points `[start[i], start[i + 1])`; a point is two numbers. */
  readonly start: Uint32Array;
  readonly from: Float32Array;
  readonly to: Float32Array;
};

/** Matches two charts node by node; marks that occur in only one of them do not fly. */
export function matchPoses(from: Pose, to: Pose): Morph {
  const placeOf = new Map<number, number>();
  for (let i = 0; i < from.count; i++) placeOf.set(from.row[i]!, i);
  const mark = Int32Array.from({ length: to.count }, (_, i) => i).filter((i) => placeOf.has(to.row[i]!));
  const source = mark.map((i) => placeOf.get(to.row[i]!)!);
  const start = new Uint32Array(mark.length + 1);
  for (const [at, i] of mark.entries()) {
    start[at + 1] = start[at]! + pointsFor(Math.max(reachOf(to, i), reachOf(from, source[at]!)));
  }
  const [a, b] = [new Float32Array(start.at(-1)! * 2), new Float32Array(start.at(-1)! * 2)];
  for (const [at, i] of mark.entries()) {
    const points = start[at + 1]! - start[at]!;
    traceOutline(from, source[at]!, points, a, start[at]! * 2);
    traceOutline(to, i, points, b, start[at]! * 2);
  }
  return { count: mark.length, row: mark.map((i) => to.row[i]!), source, mark, start, from: a, to: b };
}

/** Enough points for a round edge while it flies. */
const pointsFor = (reach: number) => (reach <= 14 ? 8 : reach <= 80 ? 16 : reach <= 300 ? 32 : 64);

/** The opacity of each layer at progress `t`. All 0 to 1. */
export function strengthsAt(t: number) {
  const part = (from: number, to: number) => Math.min(1, Math.max(0, (t - from) / (to - from)));
  return {
    /** Background that hides the new chart. */
    veil: 1 - part(0.55, 0.95),
    /** The old chart with its texts: gone before any mark has moved far. */
    leaving: 1 - part(0, 0.3),
    flying: Math.min(part(0, 0.15), 1 - part(0.75, 1)),
  };
}

type MorphPaint = Colouring & Pick<Paint, 'dpr'> & { readonly selected: number };

/** Creates the painter of the layer over the new chart. Create one for each animation. */
export function createMorphPainter(morph: Morph, from: Pose, to: Pose, tree: LoadedTree, paint: MorphPaint) {
  const palette = palettes[paint.theme];
  const [before, after] = [plainFills(from, tree, paint), plainFills(to, tree, paint)];
  // The fill of a focus is the background: a branch that becomes or was the focus has its fill from the other chart.
  const fills = Array.from(morph.mark, (mark, i) => {
    const source = morph.source[i]!;
    return from.level[source]! > to.level[mark]! ? before(source) : after(mark);
  });

  /** @param still the old chart, over the whole canvas; `t` from 0 to 1; `count` limits the flying marks */
  return (ctx: CanvasRenderingContext2D, still: CanvasImageSource, t: number, count: number): void => {
    const { veil, leaving, flying } = strengthsAt(t);
    const { canvas } = ctx;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.globalAlpha = veil;
    ctx.fillStyle = palette.canvas;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.globalAlpha = leaving;
    if (leaving > 0) ctx.drawImage(still, 0, 0);
    ctx.setTransform(paint.dpr, 0, 0, paint.dpr, 0, 0);
    ctx.globalAlpha = flying;
    const progress = eased(t);
    for (let i = 0; i < count; i++) {
      ctx.beginPath();
      trace(ctx, morph, i, progress);
      ctx.fillStyle = fills[i]!;
      ctx.fill();
      if (morph.row[i] !== paint.selected) continue;
      ctx.closePath();
      ctx.strokeStyle = palette.selection;
      ctx.lineWidth = 2;
      ctx.stroke();
    }
  };
}

function trace(ctx: CanvasRenderingContext2D, { start, from, to }: Morph, i: number, progress: number): void {
  const end = start[i + 1]! * 2;
  for (let at = start[i]! * 2; at < end; at += 2) {
    ctx.lineTo(from[at]! + (to[at]! - from[at]!) * progress, from[at + 1]! + (to[at + 1]! - from[at + 1]!) * progress);
  }
}
