import { tileOf } from './vector-pen.ts';

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
