import { mix } from '../paint/colour.ts';
import type { Window } from '../paint/glow.ts';
import type { PaintContext } from '../paint/painter.ts';
import type { Tones } from '../paint/tones.ts';
import { isVector } from '../paint/vector-pen.ts';

/** The minimum width of a band of light, in CSS pixels, and the number of bands: neighbours look alike. */
const bandPx = 10;
const [fewestBands, mostBands] = [3, 32];

const made = new WeakMap<Tones, Map<number, readonly string[]>>();

/**
 * Fills a circle around `(x, y)` with a soft light that fades towards a faint edge.
 *
 * Drawn as bands of one colour each, the outermost first: a gradient is computed per pixel and costs several times as
 * much.
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

/** Whether a circle covers the whole window. */
export function covers({ width, height }: Window, x: number, y: number, radius: number): boolean {
  return radius > 1 && Math.hypot(Math.max(x, width - x), Math.max(y, height - y)) < radius - 1;
}

type Lit = Pick<PaintContext, 'scale' | 'tones' | 'palette'>;
type Stops = readonly (readonly [at: number, colour: string])[];

/** Colours from the centre to the edge. */
function stopsOf({ scale, tones, palette }: Lit, index: number): Stops {
  const edge = tones.frame(index, 1);
  return [
    [0, scale.isSequential ? edge : mix(palette.canvas, scale.colours[index]!, 0.26)],
    [0.75, edge],
    [1, mix(palette.canvas, edge, 0.75)],
  ];
}

/** The colours at the middle of each of `count` bands, the outermost first; computed once. */
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
