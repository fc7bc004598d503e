import { inkOn, mix } from './colour.ts';
import type { ColourScale } from './colour-scale.ts';
import { neutralIndex, unknownIndex } from './colour-scale.ts';
import type { Theme } from './paint.ts';
import { palettes } from './palettes.ts';

/** How strongly a mark shows its colour over the canvas, by what it is and how deep it lies. */
const strengths = {
  dark: { frame: [0.05, 0.13, 0.2, 0.26], header: [0, 0.3, 0.36, 0.42], cell: [0.4, 0.46, 0.52, 0.58] },
  light: { frame: [0.02, 0.08, 0.13, 0.18], header: [0, 0.2, 0.26, 0.32], cell: [0.24, 0.28, 0.33, 0.38] },
} as const;
const levels = 4;

/** Fills and inks of every colour of a scale, made once: drawing only looks them up, at `index * levels + level`. */
export type Tones = {
  readonly frame: readonly string[];
  readonly header: readonly string[];
  readonly cell: readonly string[];
  readonly headerInk: readonly string[];
  readonly cellInk: readonly string[];
};

const made = new WeakMap<ColourScale, Tones>();
/** A scale is made anew with every slice that arrives; its colours are those of the one before, nearly always. */
const remembered = new Map<string, Tones>();
const mostRemembered = 20;

export function tonesOf(scale: ColourScale, theme: Theme): Tones {
  const known = made.get(scale);
  if (known) return known;
  const key = `${theme} ${scale.isSequential} ${scale.colours.join()}`;
  const tones = remembered.get(key) ?? makeTones(scale, theme);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, tones);
  made.set(scale, tones);
  return tones;
}

/** Where the tones of a colour stand for a mark `level` levels below the focus; the deepest are alike. */
export function toneAt(index: number, level: number): number {
  return index * levels + Math.min(level, levels - 1);
}

function makeTones(scale: ColourScale, theme: Theme): Tones {
  const palette = palettes[theme];
  const { frame, header, cell } = strengths[theme];
  const each = (tone: (index: number, level: number) => string): string[] =>
    scale.colours.flatMap((_, index) => Array.from({ length: levels }, (_, level) => tone(index, level)));
  const over = (colour: string, strength: number) => mix(palette.canvas, colour, strength);
  // Where colour stands for an amount, only the marks that have the amount wear it.
  const groupColour = (index: number) => scale.colours[scale.isSequential ? neutralIndex : index]!;
  const headers = each((index, level) => over(groupColour(index), header[level]!));
  const cells = each((index, level) => {
    const colour = scale.colours[index]!;
    return scale.isSequential || index === unknownIndex ? colour : over(colour, cell[level]!);
  });
  const ink = (ground: string) => inkOn(ground, palette.lightInk, palette.darkInk);
  return {
    frame: each((index, level) => over(groupColour(index), frame[level]!)),
    header: headers,
    cell: cells,
    headerInk: headers.map(ink),
    cellInk: cells.map(ink),
  };
}
