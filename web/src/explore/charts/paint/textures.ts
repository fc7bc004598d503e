import type { PaintContext } from './painter.ts';

/** Fills for marks that are not one value: stripes for unknown values, dots for many nodes behind one mark. */
export type Texture = 'stripes' | 'dots';

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
export function tileOf(
  ctx: CanvasRenderingContext2D,
  key: string,
  side: number,
  dpr: number,
  draw: (pen: CanvasRenderingContext2D) => void,
): CanvasPattern {
  if (isVector(ctx)) return ctx.tile(side, draw);
  const known = kept.get(`${key} ${dpr}`);
  if (known) return known;
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
