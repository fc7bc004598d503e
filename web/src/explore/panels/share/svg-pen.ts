import type { VectorPen } from '../../charts/paint/textures.ts';

type Alignment = 'left' | 'center' | 'right';
const anchors = { left: '', center: ' text-anchor="middle"', right: ' text-anchor="end"' } as const;

/** What `save` stores. Source: HTML, "the canvas state" */
class State {
  fillStyle: string | Paint = '#000';
  strokeStyle: string | Paint = '#000';
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin = 'miter';
  font = '';
  textAlign: Alignment = 'left';
  textBaseline = 'alphabetic';
  dash: readonly number[] = [];
  transform = '';
  /** The number of groups that end with this state. */
  groups = 0;
}

/**
 * Records drawing calls as SVG instead of painting a canvas, so that each chart has one painter for both. It implements
 * only the parts of the canvas API that the painters use. Texts stay texts and patterns become shapes. Units are CSS
 * pixels.
 */
export class SvgPen extends State {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly #measure: Measure;
  readonly #definitions: Definitions;
  readonly #body: string[] = [];
  readonly #saved: State[] = [];
  #path: string[] = [];

  /** @param prefix separates the names of this pen's definitions from those of other pens in the same document */
  constructor(canvas: SvgPen['canvas'], measure: Measure, prefix: string) {
    super();
    this.canvas = canvas;
    this.#measure = measure;
    this.#definitions = new Definitions(prefix);
  }

  /** The pen as painters expect it. */
  get context(): VectorPen {
    return this as unknown as VectorPen;
  }

  /** Everything drawn so far, as the content of an `svg` element. */
  markup(): string {
    return `${this.#definitions.markup()}${this.#body.join('')}`;
  }

  /** A complete SVG file. */
  document(title: string): string {
    const { width, height } = this.canvas;
    const size = `width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}"`;
    return (
      `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${size} ` +
      `font-family="${xml(fontOf(this.font).family)}" xml:space="preserve">` +
      `<title>${xml(title)}</title>${this.markup()}</svg>\n`
    );
  }

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${n(x)} ${n(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#path.push(`C${n(x1)} ${n(y1)} ${n(x2)} ${n(y2)} ${n(x)} ${n(y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`);
  }

  roundRect(x: number, y: number, width: number, height: number, radii: number | readonly number[]): void {
    this.#path.push(roundedBox(x, y, width, height, radii));
  }

  arc(x: number, y: number, radius: number, start: number, end: number, isBackwards = false): void {
    this.lineTo(x + Math.cos(start) * radius, y + Math.sin(start) * radius);
    this.#path.push(pathArc(x, y, radius, start, end, isBackwards));
  }

  closePath(): void {
    this.#path.push('Z');
  }

  fill(): void {
    if (this.#path.length > 0) this.#body.push(`<path d="${this.#path.join('')}"${this.#filled()}/>`);
  }

  stroke(): void {
    if (this.#path.length > 0) this.#body.push(`<path d="${this.#path.join('')}"${this.#stroked()}/>`);
  }

  /** Until the previous state is restored. */
  clip(): void {
    const path = this.#path.join('');
    const name = this.#definitions.nameOf((id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`);
    this.#body.push(`<g clip-path="url(#${name})">`);
    this.groups++;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#body.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"${this.#filled()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#body.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"${this.#stroked()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    this.#write(text, x, y, this.#filled());
  }

  strokeText(text: string, x: number, y: number): void {
    this.#write(text, x, y, this.#stroked());
  }

  measureText(text: string): { readonly width: number } {
    return { width: this.#measure(text, this.font).width };
  }

  save(): void {
    this.#saved.push(Object.assign(new State(), this.#state()));
    this.groups = 0;
  }

  restore(): void {
    const before = this.#saved.pop();
    if (!before) return;
    this.#body.push('</g>'.repeat(this.groups));
    Object.assign(this, before);
  }

  translate(x: number, y: number): void {
    this.transform += `translate(${n(x)} ${n(y)})`;
  }

  rotate(angle: number): void {
    this.transform += `rotate(${n((angle * 180) / Math.PI)})`;
  }

  /** SVG has no device pixels. */
  setTransform(): void {
    this.transform = '';
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = dash;
  }

  createRadialGradient(x: number, y: number, _r: number, _x: number, _y: number, radius: number): Paint {
    const stops: string[] = [];
    const place = `gradientUnits="userSpaceOnUse" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"`;
    return {
      addColorStop: (offset, colour) => void stops.push(`<stop offset="${n(offset)}" stop-color="${colour}"/>`),
      name: () =>
        this.#definitions.nameOf((id) => `<radialGradient id="${id}" ${place}>${stops.join('')}</radialGradient>`),
    };
  }

  tile(side: number, draw: (pen: CanvasRenderingContext2D) => void): Paint {
    const inside = new SvgPen({ width: side, height: side }, this.#measure, '');
    draw(inside.context);
    const size = `width="${n(side)}" height="${n(side)}" patternUnits="userSpaceOnUse"`;
    return {
      name: () => this.#definitions.nameOf((id) => `<pattern id="${id}" ${size}>${inside.markup()}</pattern>`),
    };
  }

  writeAlong(text: string, ring: { x: number; y: number; radius: number }, turn: number, isBackwards: boolean): void {
    const { width, toBaseline } = this.#measure(text, this.font);
    const path = textArc(ring, turn, width, toBaseline, isBackwards);
    const name = this.#definitions.nameOf((id) => `<path id="${id}" d="${path}"/>`);
    this.#body.push(
      `<text text-anchor="middle"${fontOf(this.font).attributes}${this.#filled()}>` +
        `<textPath href="#${name}" startOffset="50%">${xml(text)}</textPath></text>`,
    );
  }

  /** Inserts the content of another pen at a position, clipped to its edges. */
  inset(x: number, y: number, pen: SvgPen): void {
    const { width, height } = pen.canvas;
    this.#body.push(`<svg x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}">${pen.markup()}</svg>`);
  }

  #write(text: string, x: number, y: number, look: string): void {
    const { width, toBaseline } = this.#measure(text, this.font);
    const down = this.textBaseline === 'middle' ? toBaseline : 0;
    // Fixes the width: a substitute font would run into neighbouring texts.
    const fitted = width > 0 ? ` textLength="${n(width)}" lengthAdjust="spacingAndGlyphs"` : '';
    const place = `x="${n(x)}" y="${n(y + down)}"${anchors[this.textAlign]}${fitted}`;
    this.#body.push(`<text ${place}${fontOf(this.font).attributes}${look}>${xml(text)}</text>`);
  }

  #filled(): string {
    return ` fill="${colourOf(this.fillStyle)}"${this.#placed()}`;
  }

  #stroked(): string {
    const dash = this.dash.length === 0 ? '' : ` stroke-dasharray="${this.dash.map(n).join(' ')}"`;
    const join = this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`;
    const line = `stroke="${colourOf(this.strokeStyle)}" stroke-width="${n(this.lineWidth)}"`;
    return ` fill="none" ${line}${dash}${join}${this.#placed()}`;
  }

  #placed(): string {
    const alpha = this.globalAlpha === 1 ? '' : ` opacity="${n(this.globalAlpha)}"`;
    return this.transform === '' ? alpha : `${alpha} transform="${this.transform}"`;
  }

  #state(): State {
    const state = new State();
    for (const name of Object.keys(state) as (keyof State)[]) Object.assign(state, { [name]: this[name] });
    return state;
  }
}

const colourOf = (paint: string | Paint): string => (typeof paint === 'string' ? paint : `url(#${paint.name()})`);

/** The width of a text, and the distance from the middle of its line down to the baseline, in CSS pixels. */
export type Measure = (text: string, font: string) => { readonly width: number; readonly toBaseline: number };

/** A gradient or a pattern. Requesting its name defines it. */
export type Paint = { name(): string; addColorStop?(offset: number, colour: string): void };

/** What a document defines once and references by name: paints, clips and text paths. */
class Definitions {
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
function pathArc(x: number, y: number, radius: number, start: number, end: number, isBackwards: boolean): string {
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

function roundedBox(x: number, y: number, width: number, height: number, radii: number | readonly number[]): string {
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
function textArc(
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
function fontOf(font: string): { readonly attributes: string; readonly family: string } {
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
