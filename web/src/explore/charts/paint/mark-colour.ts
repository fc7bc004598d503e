import type { Form } from '../layout/layout.ts';
import { mix } from './colour.ts';
import type { Theme } from './paint.ts';
import { palettes } from './palettes.ts';
import { type ColourScale, neutralIndex } from './scale-indices.ts';
import { tonesOf } from './tones.ts';

/** How much of what is below it a point covers. */
export const pointOpacity = 0.82;

/** The marks of a chart: their form, and the level below the focus at which they are closed. */
export type MarkLook = { readonly form: Form['form']; readonly level: number };

/**
 * The colour of a mark as its chart draws it, by its index in the scale: of a closed box or circle, of an arc or bar of
 * the first level, of the bar at a box of the tree, of a point.
 */
export function markColour(scale: ColourScale, theme: Theme, { form, level }: MarkLook): (index: number) => string {
  const { cell } = tonesOf(scale, theme);
  switch (form) {
    case 'boxes':
    case 'circles':
      // What has no colour of its own is the root, or strays, which are in the place of a pillar.
      return (index) => cell(index, index === neutralIndex ? 1 : level);
    case 'arcs':
    case 'bars':
      return (index) => cell(index, 1);
    case 'scatter':
      return (index) => mix(palettes[theme].canvas, cell(index, 1), pointOpacity);
    case 'links':
      return (index) => scale.colours[index]!;
  }
}
