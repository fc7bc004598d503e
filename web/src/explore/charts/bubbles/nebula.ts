import { mix } from '../paint/colour.ts';
import type { Window } from '../paint/glow.ts';
import type { PaintContext } from '../paint/painter.ts';
import type { Tones } from '../paint/tones.ts';
import { isVector } from '../paint/vector-pen.ts';

/** A band of the light is at least so wide, in CSS pixels, and there are so many of them: neighbours look alike. */
const bandPx = 10;
const [fewestBands, mostBands] = [3, 32];

const made = new WeakMap<Tones, Map<number, readonly string[]>>();

/**
 * A soft light that fades towards the edge, and a faint edge; fills a circle around `(x, y)`.
 *
 * In bands of one colour each, the outermost first: a gradient, which is computed for each pixel, costs several times that.
 */
export function fillNebula(
  { ctx, paint, ...context }: PaintContext,
  index: number,
  x: number,
  y: number,
  radius: number,
): void {
  if (isVector(ctx)) {
    const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
    for (const [at, colour] of stopsOf(context, index)) light.addColorStop(at, colour);
    ctx.fillStyle = light;
    ctx.fill();
    return;
  }
  const count = Math.round(Math.min(mostBands, Math.max(fewestBands, radius / bandPx)));
  const colours = bandsOf(context, index, count);
  for (let band = 0; band < count; band++) {
    const inner = radius * (1 - (band + 1) / count);
    if (covers(paint.window, x, y, inner)) continue;
    if (band > 0) {
      ctx.beginPath();
      ctx.arc(x, y, radius * (1 - band / count), 0, 2 * Math.PI);
    }
    ctx.fillStyle = colours[band]!;
    ctx.fill();
  }
}

/** Whether nothing of the window lies outside of a circle. */
export function covers({ width, height }: Window, x: number, y: number, radius: number): boolean {
  return radius > 1 && Math.hypot(Math.max(x, width - x), Math.max(y, height - y)) < radius - 1;
}

type Lit = Pick<PaintContext, 'scale' | 'tones' | 'palette'>;
type Stops = readonly (readonly [at: number, colour: string])[];

/** Colours from the middle to the edge. */
function stopsOf({ scale, tones, palette }: Lit, index: number): Stops {
  const edge = tones.frame(index, 1);
  return [
    [0, scale.isSequential ? edge : mix(palette.canvas, scale.colours[index]!, 0.26)],
    [0.75, edge],
    [1, mix(palette.canvas, edge, 0.75)],
  ];
}

/** The colours in the middle of each of `count` bands, the outermost first; made once. */
function bandsOf(context: Lit, index: number, count: number): readonly string[] {
  const ofTones = made.get(context.tones) ?? new Map<number, readonly string[]>();
  made.set(context.tones, ofTones);
  const key = index * (mostBands + 1) + count;
  const known = ofTones.get(key);
  if (known) return known;
  const stops = stopsOf(context, index);
  const colours = Array.from({ length: count }, (_, band) => {
    const at = 1 - (band + 0.5) / count;
    const next = stops.findIndex(([end]) => end >= at);
    const [[from, before], [to, after]] = [stops[next - 1]!, stops[next]!];
    return mix(before, after, (at - from) / (to - from));
  });
  ofTones.set(key, colours);
  return colours;
}
