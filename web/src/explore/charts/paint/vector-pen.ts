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
