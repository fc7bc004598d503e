import type { Theme } from '../../../ui/environment.ts';
import type { Form } from '../layout/layout.ts';
import { type ColourScale, neutralIndex, unknownIndex } from './value-steps.ts';

/** The colours of the charts, as `#rrggbb`. */
export type Palette = {
  /** The background. */
  readonly canvas: string;
  /** Text, and a fainter ink for secondary text. */
  readonly ink: string;
  readonly mutedInk: string;
  /** The two inks to choose from on a filled mark. */
  readonly lightInk: string;
  readonly darkInk: string;
  /** Axes, and links between marks. */
  readonly line: string;
  /** Rings: around selected and compared marks; around the mark under the pointer and search hits. */
  readonly selection: string;
  readonly highlight: string;
  /** Marks without a pillar, and unknown values. */
  readonly neutral: string;
  readonly unknown: string;
  /** Colours of names, such as pillar topics, in order of use. */
  readonly categories: readonly string[];
  /**
   * The sequential scale: one hue, given by a colour, in OKLCH lightnesses (0 to 1) from the lowest to the highest
   * value.
   */
  readonly sequential: { readonly hue: string; readonly low: number; readonly high: number };
  /** For values on both sides of 0. */
  readonly diverging: ThreeColours;
  /** From easy to hard: green, amber and red, as usual in keyword tools. */
  readonly difficulty: ThreeColours;
};

/** The ends of a scale and the colour halfway between them. */
export type ThreeColours = { readonly low: string; readonly middle: string; readonly high: string };

/** @param isColourBlindSafe whether to use colours that colour-blind users can distinguish */
export const paletteOf = (theme: Theme, isColourBlindSafe = false): Palette =>
  (isColourBlindSafe ? safePalettes : palettes)[theme];

export const palettes: Readonly<Record<Theme, Palette>> = {
  dark: {
    canvas: '#070a18',
    ink: '#f3f5ff',
    mutedInk: '#b6bddb',
    lightInk: '#f3f5ff',
    darkInk: '#070a18',
    line: '#3b4266',
    selection: '#ffffff',
    highlight: '#ffd166',
    neutral: '#6c76a3',
    unknown: '#262d4c',
    categories: [
      '#8f8bff',
      '#38bdf8',
      '#34d399',
      '#fbbf24',
      '#fb923c',
      '#f472b6',
      '#c084fc',
      '#2dd4bf',
      '#a3e635',
      '#f87171',
      '#93c5fd',
      '#e879f9',
    ],
    sequential: { hue: '#8f8bff', low: 0.32, high: 0.86 },
    diverging: { low: '#f87171', middle: '#3b4266', high: '#34d399' },
    difficulty: { low: '#22a06b', middle: '#f5c451', high: '#ef5b5b' },
  },
  light: {
    canvas: '#fbfbff',
    ink: '#12162b',
    mutedInk: '#535b7c',
    lightInk: '#ffffff',
    darkInk: '#12162b',
    line: '#b9bfd9',
    selection: '#12162b',
    highlight: '#a16207',
    neutral: '#7f87a8',
    unknown: '#e3e6f3',
    categories: [
      '#4f46e5',
      '#0369a1',
      '#047857',
      '#a16207',
      '#c2410c',
      '#be185d',
      '#7e22ce',
      '#0f766e',
      '#4d7c0f',
      '#b91c1c',
      '#1d4ed8',
      '#a21caf',
    ],
    sequential: { hue: '#4f46e5', low: 0.92, high: 0.38 },
    diverging: { low: '#b91c1c', middle: '#dfe2f0', high: '#047857' },
    difficulty: { low: '#2f9e6b', middle: '#f0b93a', high: '#cf3f3f' },
  },
};

/**
 * Eight colours that people with any of the three kinds of colour blindness can distinguish, and scales that do not run
 * between red and green. They are darker on the light canvas, so that names and edges are readable.
 * Source: Masataka Okabe and Kei Ito, "Color Universal Design", 2008.
 */
const safePalettes: Readonly<Record<Theme, Palette>> = {
  dark: {
    ...palettes.dark,
    categories: ['#56b4e9', '#e69f00', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#bbbbbb'],
    diverging: { low: '#e69f00', middle: '#3b4266', high: '#56b4e9' },
    difficulty: { low: '#56b4e9', middle: '#e9dfa8', high: '#d55e00' },
  },
  light: {
    ...palettes.light,
    categories: ['#0072b2', '#b35900', '#007a58', '#857a00', '#2a86bd', '#a33f00', '#a8507f', '#4d4d4d'],
    diverging: { low: '#b35900', middle: '#dfe2f0', high: '#0072b2' },
    difficulty: { low: '#2a86bd', middle: '#e6d78f', high: '#c04a00' },
  },
};

/** Opacity of a mark's colour over the canvas, by kind and level. */
const strengths = {
  dark: { frame: [0.05, 0.13, 0.2, 0.26], header: [0, 0.3, 0.36, 0.42], cell: [0.4, 0.46, 0.52, 0.58] },
  light: { frame: [0.05, 0.18, 0.28, 0.36], header: [0, 0.46, 0.53, 0.6], cell: [0.6, 0.68, 0.76, 0.84] },
} as const;
/**
 * OKLCH lightness of fills on the light canvas. The colours of the light theme are dark, for readable lines and dots;
 * mixed with white as they are, they would turn grey.
 */
const lightFill = 0.7;
const levels = 4;
/** Below this contrast with the group around it, a cell has no visible edge of its own. */
const visibleEdge = 1.25;

/** The colour of a scale, adapted for a mark `level` levels below the focus; the deepest levels look the same. */
type Tone = (index: number, level: number) => string;

/** Fills and inks, each computed on first use. */
export type Tones = {
  readonly frame: Tone;
  readonly header: Tone;
  readonly cell: Tone;
  readonly headerInk: Tone;
  readonly cellInk: Tone;
  /** Of a cell that hardly differs from the group around it; '' for any other, whose fill is edge enough. */
  readonly cellEdge: Tone;
};

const tonesOfScale = new WeakMap<ColourScale, Tones>();
/** Every new slice creates a new scale, but its colours are nearly always the same as before. */
const remembered = new Map<string, Tones>();
const maxRemembered = 20;

export function tonesOf(scale: ColourScale, theme: Theme): Tones {
  const cached = tonesOfScale.get(scale);
  if (cached) return cached;
  const key = `${theme} ${scale.isSequential} ${scale.colours.join()}`;
  const tones = remembered.get(key) ?? makeTones(scale, theme);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, tones);
  tonesOfScale.set(scale, tones);
  return tones;
}

function makeTones({ colours, isSequential }: ColourScale, theme: Theme): Tones {
  const palette = palettes[theme];
  const { frame, header, cell } = strengths[theme];
  const base = theme === 'light' ? (colour: string) => withLightness(colour, lightFill) : (colour: string) => colour;
  const over = (colour: string, strength: number) => mix(palette.canvas, base(colour), strength);
  const ink = (ground: string) => inkOn(ground, palette.lightInk, palette.darkInk);
  // If colour encodes an amount, only the marks that have the amount are coloured.
  const groupColour = (index: number) => colours[isSequential ? neutralIndex : index]!;
  const headerTone = tone((index, level) => over(groupColour(index), header[level]!));
  const cellTone = tone((index, level) => {
    const colour = colours[index]!;
    // What has no amount must not stand out among the amounts.
    if (isSequential && index === neutralIndex) return headerTone(index, level);
    return isSequential || index === unknownIndex ? colour : over(colour, cell[level]!);
  });
  const frameTone = tone((index, level) => over(groupColour(index), frame[level]!));
  const isFaint = (index: number, level: number) =>
    contrast(cellTone(index, level), frameTone(index, Math.max(0, level - 1))) < visibleEdge;
  return {
    frame: frameTone,
    header: headerTone,
    cell: cellTone,
    headerInk: tone((index, level) => ink(headerTone(index, level))),
    cellInk: tone((index, level) => ink(cellTone(index, level))),
    cellEdge: tone((index, level) => (isFaint(index, level) ? palette.line : '')),
  };
}

function tone(make: Tone): Tone {
  const cache: string[] = [];
  return (index, level) => {
    const clamped = Math.min(level, levels - 1);
    const at = index * levels + clamped;
    cache[at] ??= make(index, clamped);
    return cache[at];
  };
}

/** Colours as numbers: perceptual mixing, and the contrast of text. */

/**
 * Lightness 0 to 1 and two opponent axes. Source: Björn Ottosson, "A perceptual color space for image processing",
 * 2020.
 */
type Oklab = readonly [lightness: number, a: number, b: number];

/** @param share of `b`, 0 to 1; colours are `#rrggbb` */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [toOklab(a), toOklab(b)];
  const part = (i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * share;
  return toHex([part(0), part(1), part(2)]);
}

/** The same hue and chroma at another lightness, 0 to 1; colours outside sRGB are clipped. */
export function withLightness(colour: string, lightness: number): string {
  const [, a, b] = toOklab(colour);
  return toHex([lightness, a, b]);
}

/** Contrast of two colours, 1 to 21. Source: WCAG 2.2 "contrast ratio". */
export function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The one of two inks with more contrast on a background; white or black if neither is readable. */
function inkOn(ground: string, light: string, dark: string): string {
  const better = (a: string, b: string) => (contrast(ground, a) >= contrast(ground, b) ? a : b);
  const soft = better(light, dark);
  return contrast(ground, soft) >= minTextContrast ? soft : better('#ffffff', '#000000');
}

/** Source: WCAG 2.2, success criterion 1.4.3. */
const minTextContrast = 4.5;

function luminance(colour: string): number {
  const [r, g, b] = toLinear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Linear light, 0 to 1. */
function toLinear(colour: string): readonly [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function toOklab(colour: string): Oklab {
  const [r, g, b] = toLinear(colour);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([lightness, a, b]: Oklab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (value: number) => {
    const linear = Math.min(1, Math.max(0, value));
    const encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  const red = channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return `#${red}${green}${blue}`;
}

/** The marks of a chart: their form, and the level below the focus at which they are closed. */
export type MarkLook = { readonly form: Form['form']; readonly level: number };

/**
 * The colour of a mark as its chart draws it, by its index in the scale: of a closed box or circle, of an arc or bar of
 * the first level, of the bar at a box of the tree.
 */
export function markColour(scale: ColourScale, theme: Theme, { form, level }: MarkLook): (index: number) => string {
  const { cell } = tonesOf(scale, theme);
  switch (form) {
    case 'boxes':
    case 'circles':
      // Only the root and strays, which are in the place of a pillar, have no colour of their own.
      return (index) => cell(index, index === neutralIndex ? 1 : level);
    case 'arcs':
    case 'bars':
      return (index) => cell(index, 1);
    case 'links':
      return (index) => scale.colours[index]!;
  }
}
