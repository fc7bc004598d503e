import { contrast, inkOn, mix, withLightness } from './colour.ts';
import type { Theme } from './paint.ts';
import { palettes } from './palettes.ts';
import { type ColourScale, neutralIndex, unknownIndex } from './scale-indices.ts';

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
export type Tone = (index: number, level: number) => string;

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

const made = new WeakMap<ColourScale, Tones>();
/** Every new slice creates a new scale, but its colours are nearly always the same as before. */
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
  const made: string[] = [];
  return (index, level) => {
    const levelMade = Math.min(level, levels - 1);
    const at = index * levels + levelMade;
    made[at] ??= make(index, levelMade);
    return made[at];
  };
}
