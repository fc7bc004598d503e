import type { VectorPen } from '../../charts/paint/textures.ts';
import { Definitions, fontOf, type Measure, n, type Paint, pathArc, roundedBox, textArc, xml } from './svg-parts.ts';

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
