import type { PatternMaker } from '../../model/encodings.ts';
import { tileOf } from './textures.ts';
import { firstIndex } from './value-steps.ts';

/** Side of a pattern's tile, in CSS pixels. */
const tilePx = 12;
type Pen = CanvasRenderingContext2D;

const line = (pen: Pen, ...points: readonly number[]) => {
  pen.beginPath();
  for (let i = 0; i < points.length; i += 2) pen.lineTo(points[i]!, points[i + 1]!);
  pen.stroke();
};
const falling = (pen: Pen) => {
  for (const offset of [-tilePx, 0, tilePx]) line(pen, offset, 0, offset + tilePx, tilePx);
};
const rising = (pen: Pen) => {
  for (const offset of [-tilePx, 0, tilePx]) line(pen, offset, tilePx, offset + tilePx, 0);
};
const level = (pen: Pen) => {
  for (const y of [3, 9]) line(pen, 0, y, tilePx, y);
};
const upright = (pen: Pen) => {
  for (const x of [3, 9]) line(pen, x, 0, x, tilePx);
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
    line(pen, 0, 6, tilePx, 6);
    line(pen, 6, 0, 6, tilePx);
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
  (pen) => line(pen, 0, 8, 3, 4, 6, 8, 9, 4, tilePx, 8),
  (pen) => {
    line(pen, 0, 3, 6, 3);
    line(pen, 6, 9, tilePx, 9);
  },
  (pen) => {
    line(pen, 3, 0, 3, 6);
    line(pen, 9, 6, 9, tilePx);
  },
  (pen) => line(pen, 6, 3, 9.5, 9, 2.5, 9, 6, 3),
  (pen) => pen.strokeRect(3.5, 3.5, 5, 5),
];

/** More lines for larger amounts. */
const amount = (step: number) => (pen: Pen) => {
  for (let at = 0; at < step; at++) line(pen, 0, ((at + 0.5) * tilePx) / step, tilePx, ((at + 0.5) * tilePx) / step);
};

export const patternOf: PatternMaker = (ctx, index, isSequential, ink, dpr) => {
  if (index < firstIndex) return undefined;
  const nth = index - firstIndex;
  const draw = isSequential ? amount(nth) : named[nth % named.length]!;
  return tileOf(ctx, `${isSequential} ${isSequential ? nth : nth % named.length} ${ink}`, tilePx, dpr, (pen) => {
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    draw(pen);
  });
};
