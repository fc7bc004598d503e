/** The width of a text, and the distance from the middle of its line down to the baseline, in CSS pixels. */
export type Measure = (text: string, font: string) => { readonly width: number; readonly toBaseline: number };

/** A gradient or a pattern. Requesting its name defines it. */
export type Paint = { name(): string; addColorStop?(offset: number, colour: string): void };

/** What a document defines once and references by name: paints, clips and text paths. */
export class Definitions {
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  readonly #elements: string[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The name of a definition. Equal definitions share one. */
  nameOf(element: (name: string) => string): string {
    const key = element('');
    const known = this.#names.get(key);
    if (known) return known;
    const name = `${this.#prefix}${this.#names.size}`;
    this.#names.set(key, name);
    this.#elements.push(element(name));
    return name;
  }

  markup(): string {
    return this.#elements.length === 0 ? '' : `<defs>${this.#elements.join('')}</defs>`;
  }
}

/** The arc of a canvas, from its start. Source: HTML, "ellipse method steps"; SVG 2 §9.3.8 */
export function pathArc(
  x: number,
  y: number,
  radius: number,
  start: number,
  end: number,
  isBackwards: boolean,
): string {
  const turn = turnOf(start, end, isBackwards);
  // An SVG arc is given by its end point, so a full circle would be empty.
  const steps = Math.abs(turn) > Math.PI ? 2 : 1;
  return Array.from({ length: steps }, (_, step) => {
    const angle = start + (turn * (step + 1)) / steps;
    const to = `${n(x + Math.cos(angle) * radius)} ${n(y + Math.sin(angle) * radius)}`;
    return `A${n(radius)} ${n(radius)} 0 0 ${turn < 0 ? 0 : 1} ${to}`;
  }).join('');
}

/** In radians; negative is counterclockwise. */
function turnOf(start: number, end: number, isBackwards: boolean): number {
  const whole = 2 * Math.PI;
  const turn = isBackwards ? start - end : end - start;
  const positive = turn >= whole - 1e-9 ? whole : ((turn % whole) + whole) % whole;
  return isBackwards ? -positive : positive;
}

export function roundedBox(
  x: number,
  y: number,
  width: number,
  height: number,
  radii: number | readonly number[],
): string {
  const [first = 0, second = first, third = first, fourth = second] = typeof radii === 'number' ? [radii] : radii;
  const most = Math.max(0, Math.min(width, height) / 2);
  const fit = (radius: number) => Math.min(radius, most);
  const [a, b, c, d] = [fit(first), fit(second), fit(third), fit(fourth)];
  const corner = (r: number, dx: number, dy: number) => (r === 0 ? '' : `a${n(r)} ${n(r)} 0 0 1 ${n(dx)} ${n(dy)}`);
  return (
    `M${n(x + a)} ${n(y)}H${n(x + width - b)}${corner(b, b, b)}V${n(y + height - c)}${corner(c, -c, c)}` +
    `H${n(x + d)}${corner(d, -d, -d)}V${n(y + a)}${corner(a, a, -a)}Z`
  );
}

/** The path of a text around a point of a ring, `turn` of the way round from the top, centred on that point. */
export function textArc(
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
  turn: number,
  width: number,
  toBaseline: number,
  isBackwards: boolean,
): string {
  const r = isBackwards ? radius + toBaseline : radius - toBaseline;
  // Longer than the text, because the font of another program may be wider.
  const half = Math.min(0.98 * Math.PI, (width * 0.6) / radius + 0.05);
  const middle = turn * 2 * Math.PI - Math.PI / 2;
  const [from, to] = isBackwards ? [middle + half, middle - half] : [middle - half, middle + half];
  return `M${n(x + Math.cos(from) * r)} ${n(y + Math.sin(from) * r)}${pathArc(x, y, r, from, to, isBackwards)}`;
}

/** A canvas font as attributes, except for the family, which the document sets. */
export function fontOf(font: string): { readonly attributes: string; readonly family: string } {
  const [, weight = '400', size = '12', family = 'sans-serif'] = /^(\d+) (\d+)px (.+)$/.exec(font) ?? [];
  return { attributes: ` font-size="${size}" font-weight="${weight}"`, family };
}

/** Precision in pixels: a hundredth is invisible on paper. */
export const n = (value: number): string => String(Math.round(value * 100) / 100 || 0);

/** Replaces characters that XML cannot hold. Source: XML 1.0 §2.2 */
export const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
