import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Colouring } from './colour-scale.ts';
import { type Pose, reachOf, traceOutline } from './mark-outline.ts';
import { plainFills } from './minimap-marks.ts';
import type { Paint } from './paint.ts';
import { palettes } from './palettes.ts';

/** How long marks fly. Source: experience.md §5.2. */
export const morphMs = 450;
/** Marks that fly, at most; the others fade. */
export const mostFlying = 2_000;

/** The outlines of the nodes that two pictures have in common, both with the same number of points. */
export type Morph = {
  readonly count: number;
  /** Held row of each flying mark, and its places in both poses. */
  readonly row: Int32Array;
  readonly source: Int32Array;
  readonly mark: Int32Array;
  /** Mark `i` has the points `[start[i], start[i + 1])`; a point is two numbers. */
  readonly start: Uint32Array;
  readonly from: Float32Array;
  readonly to: Float32Array;
};

/** Matches two pictures node by node; marks that only one of them has do not fly. */
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

/** Enough for its edge to look round while it flies. */
const pointsFor = (reach: number) => (reach <= 14 ? 8 : reach <= 80 ? 16 : reach <= 300 ? 32 : 64);

/** How strongly each layer shows, `t` of the way from one picture to the other. All 0 to 1. */
export function strengthsAt(t: number) {
  const part = (from: number, to: number) => Math.min(1, Math.max(0, (t - from) / (to - from)));
  return {
    /** Ground that hides the picture that comes. */
    veil: 1 - part(0.55, 0.95),
    /** The picture that goes, its texts with it: gone before anything is far from its place. */
    leaving: 1 - part(0, 0.3),
    flying: Math.min(part(0, 0.15), 1 - part(0.75, 1)),
  };
}

/** Slow at both ends. */
const eased = (t: number) => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);

type MorphPaint = Colouring & Pick<Paint, 'dpr'> & { readonly selected: number };

/** Paints what lies over the picture that comes. Create one for each morph. */
export function createMorphPainter(morph: Morph, from: Pose, to: Pose, tree: LoadedTree, paint: MorphPaint) {
  const palette = palettes[paint.theme];
  const [before, after] = [plainFills(from, tree, paint), plainFills(to, tree, paint)];
  // A focus is as pale as the ground: a branch that becomes one, or was one, flies as what it is in the other picture.
  const fills = Array.from(morph.mark, (mark, i) => {
    const source = morph.source[i]!;
    return from.level[source]! > to.level[mark]! ? before(source) : after(mark);
  });

  /** @param still the picture that goes, over the whole canvas; `t` from 0 to 1; of the flying marks the first `most` */
  return (ctx: CanvasRenderingContext2D, still: CanvasImageSource, t: number, most: number): void => {
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
    const way = eased(t);
    for (let i = 0; i < most; i++) {
      ctx.beginPath();
      trace(ctx, morph, i, way);
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

function trace(ctx: CanvasRenderingContext2D, { start, from, to }: Morph, i: number, way: number): void {
  const end = start[i + 1]! * 2;
  for (let at = start[i]! * 2; at < end; at += 2) {
    ctx.lineTo(from[at]! + (to[at]! - from[at]!) * way, from[at + 1]! + (to[at + 1]! - from[at + 1]!) * way);
  }
}
