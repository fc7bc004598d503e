import type { PaintContext } from './painter.ts';
import type { Writer } from './text.ts';
import { isVector } from './textures.ts';

/** A circle that text follows, in CSS pixels. */
type Ring = { readonly x: number; readonly y: number; readonly radius: number };

/** Letters of these scripts look the same in any context; letters of others join or change with their neighbours. */
const unjoined =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{N}\p{P}\p{Zs}$+<=>|~]*$/u;

/** Whether a text may be drawn letter by letter. */
export const canBend = (text: string): boolean => unjoined.test(text);

/**
 * Letters are rotated in this many steps. The browser rasterizes a letter again for every new angle, in every frame of
 * a move; cached letters cost half as much. The rounding turns no letter by more than a degree.
 */
const angles = 180;

/** Draws text along a ring, letter by letter, around a position in turns clockwise from the top; never upside down. */
export function bent(
  context: PaintContext,
  ring: Ring,
  writer: Writer,
  text: string,
  middle: number,
  ink: string,
): void {
  if (isVector(context.ctx)) {
    context.ctx.font = writer.font;
    context.ctx.fillStyle = ink;
    context.ctx.writeAlong(text, ring, middle, middle > 0.25 && middle < 0.75);
    return;
  }
  const { ctx } = context;
  const letters = [...text];
  const direction = middle > 0.25 && middle < 0.75 ? -1 : 1;
  const whole = letters.reduce((sum, letter) => sum + writer.width(letter), 0);
  const base = ctx.getTransform();
  ctx.font = writer.font;
  ctx.fillStyle = ink;
  ctx.direction = 'ltr';
  let at = -whole / 2;
  for (const letter of letters) {
    const width = writer.width(letter);
    const turn = middle + (direction * (at + width / 2)) / (2 * Math.PI * ring.radius);
    const [sin, cos] = [Math.sin(turn * 2 * Math.PI), Math.cos(turn * 2 * Math.PI)];
    const [x, y] = [ring.x + sin * ring.radius, ring.y - cos * ring.radius];
    const lean = direction * Math.cos(leaning(turn));
    const rise = direction * Math.sin(leaning(turn));
    if (letter !== ' ') {
      ctx.setTransform(
        base.a * lean + base.c * rise,
        base.b * lean + base.d * rise,
        base.c * lean - base.a * rise,
        base.d * lean - base.b * rise,
        base.a * x + base.c * y + base.e,
        base.b * x + base.d * y + base.f,
      );
      ctx.fillText(letter, 0, 0);
    }
    at += width;
  }
  ctx.setTransform(base);
}

/** The rotation of a letter at a position on a ring. */
const leaning = (turn: number) => (Math.round(turn * angles) / angles) * 2 * Math.PI;

/** Draws around a point of a ring, rotated by `by` relative to the direction of the ring. */
export function turned(
  ctx: CanvasRenderingContext2D,
  { x, y, radius }: Ring,
  turn: number,
  by: number,
  draw: () => void,
): void {
  const angle = turn * 2 * Math.PI;
  ctx.save();
  ctx.translate(x + Math.sin(angle) * radius, y - Math.cos(angle) * radius);
  ctx.rotate(angle + by);
  draw();
  ctx.restore();
}
