import type { PatternMaker } from '../../model/encodings.ts';
import type { PaintContext } from './painter.ts';
import { firstIndex } from './value-steps.ts';

/** Fills for marks that are not one value: stripes for unknown values, dots for many nodes behind one mark. */
type Texture = 'stripes' | 'dots';

const tilePx = 6;

export function textureOf(ctx: CanvasRenderingContext2D, texture: Texture, colour: string, dpr: number): CanvasPattern {
  return tileOf(ctx, `${texture} ${colour}`, tilePx, dpr, (pen) => (texture === 'dots' ? dots : stripes)(pen, colour));
}

function dots(pen: CanvasRenderingContext2D, colour: string): void {
  pen.fillStyle = colour;
  pen.fillRect(1, 1, 1.5, 1.5);
  pen.fillRect(1 + tilePx / 2, 1 + tilePx / 2, 1.5, 1.5);
}

function stripes(pen: CanvasRenderingContext2D, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  for (const offset of [-tilePx, 0, tilePx]) {
    pen.beginPath();
    pen.moveTo(offset, tilePx);
    pen.lineTo(offset + tilePx, 0);
    pen.stroke();
  }
}

const opacities = { dots: 0.45, stripes: 0.7 } as const;

/** Fills the current path with a texture. @param opacity 0 to 1 */
export function fillTexture(
  { ctx, paint, palette }: PaintContext,
  texture: Texture,
  opacity: number = opacities[texture],
  colour = palette.neutral,
): void {
  ctx.fillStyle = textureOf(ctx, texture, colour, paint.dpr);
  ctx.globalAlpha = opacity;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Clearly visible, with names still readable over it. */
const strength = 0.3;

/**
 * Fills the current path with the pattern of a colour, if patterns are enabled; for marks large enough to show one.
 *
 * @param ink a colour that is visible on the mark
 */
export function fillPattern({ ctx, paint, scale }: PaintContext, index: number, ink: string): void {
  const pattern = paint.patterns?.(ctx, index, scale.isSequential, ink, paint.dpr);
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.globalAlpha = strength;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** A context that records drawing as vectors rather than pixels: patterns as shapes, bent names as one text. */
export type VectorPen = CanvasRenderingContext2D & {
  tile(side: number, draw: (pen: CanvasRenderingContext2D) => void): CanvasPattern;
  /** Draws text along a circle around its point `turn`, see `bent`. */
  writeAlong(
    text: string,
    circle: { readonly x: number; readonly y: number; readonly radius: number },
    turn: number,
    isBackwards: boolean,
  ): void;
};

export const isVector = (ctx: CanvasRenderingContext2D): ctx is VectorPen => 'writeAlong' in ctx;

const kept = new Map<string, CanvasPattern>();

/**
 * A square tile, repeated over the filled area; created once for each key and pixel ratio.
 *
 * @param side in CSS pixels
 */
function tileOf(
  ctx: CanvasRenderingContext2D,
  key: string,
  side: number,
  dpr: number,
  draw: (pen: CanvasRenderingContext2D) => void,
): CanvasPattern {
  if (isVector(ctx)) return ctx.tile(side, draw);
  const cached = kept.get(`${key} ${dpr}`);
  if (cached) return cached;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(side * dpr);
  const pen = tile.getContext('2d');
  if (!pen) throw new Error('no 2D canvas');
  pen.scale(tile.width / side, tile.height / side);
  draw(pen);
  const pattern = ctx.createPattern(tile, 'repeat');
  if (!pattern) throw new Error('no canvas pattern');
  pattern.setTransform(new DOMMatrix().scale(side / tile.width));
  kept.set(`${key} ${dpr}`, pattern);
  return pattern;
}

/** Side of a pattern's tile, in CSS pixels. */
const patternPx = 12;
type Pen = CanvasRenderingContext2D;

const line = (pen: Pen, ...points: readonly number[]) => {
  pen.beginPath();
  for (let i = 0; i < points.length; i += 2) pen.lineTo(points[i]!, points[i + 1]!);
  pen.stroke();
};
const falling = (pen: Pen) => {
  for (const offset of [-tilePx, 0, patternPx]) line(pen, offset, 0, offset + patternPx, patternPx);
};
const rising = (pen: Pen) => {
  for (const offset of [-tilePx, 0, patternPx]) line(pen, offset, patternPx, offset + patternPx, 0);
};
const level = (pen: Pen) => {
  for (const y of [3, 9]) line(pen, 0, y, patternPx, y);
};
const upright = (pen: Pen) => {
  for (const x of [3, 9]) line(pen, x, 0, x, patternPx);
};

/**
 * Patterns that distinguish names in addition to their colour. Stripes and dots are not among them: they mark unknown
 * values and tails.
 */
const named: readonly ((pen: Pen) => void)[] = [
  falling,
  level,
  upright,
  (pen) => {
    line(pen, 0, 6, patternPx, 6);
    line(pen, 6, 0, 6, patternPx);
  },
  (pen) => {
    falling(pen);
    rising(pen);
  },
  (pen) => {
    pen.beginPath();
    pen.arc(6, 6, 3, 0, 2 * Math.PI);
    pen.stroke();
  },
  (pen) => {
    line(pen, 3, 6, 9, 6);
    line(pen, 6, 3, 6, 9);
  },
  (pen) => line(pen, 0, 8, 3, 4, 6, 8, 9, 4, patternPx, 8),
  (pen) => {
    line(pen, 0, 3, 6, 3);
    line(pen, 6, 9, patternPx, 9);
  },
  (pen) => {
    line(pen, 3, 0, 3, 6);
    line(pen, 9, 6, 9, patternPx);
  },
  (pen) => line(pen, 6, 3, 9.5, 9, 2.5, 9, 6, 3),
  (pen) => pen.strokeRect(3.5, 3.5, 5, 5),
];

/** More lines for larger amounts. */
const amount = (step: number) => (pen: Pen) => {
  for (let at = 0; at < step; at++)
    line(pen, 0, ((at + 0.5) * patternPx) / step, patternPx, ((at + 0.5) * patternPx) / step);
};

export const patternOf: PatternMaker = (ctx, index, isSequential, ink, dpr) => {
  if (index < firstIndex) return undefined;
  const i = index - firstIndex;
  const draw = isSequential ? amount(i) : named[i % named.length]!;
  return tileOf(ctx, `${isSequential} ${isSequential ? i : i % named.length} ${ink}`, patternPx, dpr, (pen) => {
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    draw(pen);
  });
};
