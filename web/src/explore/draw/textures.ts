/** Fills that say "not one thing": stripes for unknown values, dots for many nodes behind one mark. */
export type Texture = 'stripes' | 'dots';

const tilePx = 6;
const patterns = new Map<string, CanvasPattern>();

/** Made once for each colour and pixel ratio. */
export function textureOf(ctx: CanvasRenderingContext2D, texture: Texture, colour: string, dpr: number): CanvasPattern {
  const key = `${texture} ${colour} ${dpr}`;
  const known = patterns.get(key);
  if (known) return known;
  const tile = document.createElement('canvas');
  tile.width = Math.round(tilePx * dpr);
  tile.height = tile.width;
  const pen = tile.getContext('2d');
  if (!pen) throw new Error('no 2D canvas');
  pen.scale(tile.width / tilePx, tile.height / tilePx);
  if (texture === 'dots') dots(pen, colour);
  else stripes(pen, colour);
  const pattern = ctx.createPattern(tile, 'repeat');
  if (!pattern) throw new Error('no canvas pattern');
  pattern.setTransform(new DOMMatrix().scale(tilePx / tile.width));
  patterns.set(key, pattern);
  return pattern;
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
