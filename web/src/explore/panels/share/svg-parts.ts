/** The width of a text, and how far its baseline lies under the middle of its line. In CSS pixels. */
export type Measure = (text: string, font: string) => { readonly width: number; readonly toBaseline: number };

/** A gradient or a pattern; asked for its name, it is defined. */
export type Paint = { name(): string; addColorStop?(offset: number, colour: string): void };

/** What a document defines once and uses by its name: paints, clips, and the ways of texts. */
export class Definitions {
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  readonly #elements: string[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The name of a definition; alike ones are one. */
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

/** The arc of a canvas from where it starts on. Source: HTML, "ellipse method steps"; SVG 2 §9.3.8 */
export function pathArc(
  x: number,
  y: number,
  radius: number,
  start: number,
  end: number,
  isBackwards: boolean,
): string {
  const turn = turnOf(start, end, isBackwards);
  // An arc of SVG is told by where it ends: a whole circle would be none.
  const steps = Math.abs(turn) > Math.PI ? 2 : 1;
  return Array.from({ length: steps }, (_, step) => {
    const angle = start + (turn * (step + 1)) / steps;
    const to = `${n(x + Math.cos(angle) * radius)} ${n(y + Math.sin(angle) * radius)}`;
    return `A${n(radius)} ${n(radius)} 0 0 ${turn < 0 ? 0 : 1} ${to}`;
  }).join('');
}

/** In radians; negative against the clock. */
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

/** The way of a text around a point of a ring, `turn` of the way round from the top; its middle is in the middle. */
export function textArc(
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
  turn: number,
  width: number,
  toBaseline: number,
  isBackwards: boolean,
): string {
  const r = isBackwards ? radius + toBaseline : radius - toBaseline;
  // Some room more than it is wide: another program's font may be wider.
  const half = Math.min(0.98 * Math.PI, (width * 0.6) / radius + 0.05);
  const middle = turn * 2 * Math.PI - Math.PI / 2;
  const [from, to] = isBackwards ? [middle + half, middle - half] : [middle - half, middle + half];
  return `M${n(x + Math.cos(from) * r)} ${n(y + Math.sin(from) * r)}${pathArc(x, y, r, from, to, isBackwards)}`;
}

/** A font as a canvas is told it, as attributes; the family is the document's. */
export function fontOf(font: string): { readonly attributes: string; readonly family: string } {
  const [, weight = '400', size = '12', family = 'sans-serif'] = /^(\d+) (\d+)px (.+)$/.exec(font) ?? [];
  return { attributes: ` font-size="${size}" font-weight="${weight}"`, family };
}

/** A hundredth of a pixel is seen on no paper. */
export const n = (value: number): string => String(Math.round(value * 100) / 100 || 0);

/** What XML cannot hold becomes a replacement character. Source: XML 1.0 §2.2 */
export const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
