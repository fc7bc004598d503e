import type { Theme } from './paint.ts';

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
