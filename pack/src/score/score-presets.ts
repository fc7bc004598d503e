import type { FileFigures } from '../formula/parse-formula.ts';
import { readScore, writeScore } from './score.ts';

/** A ready-made score with a name. `text` is canonical. */
export type ScorePreset = { readonly name: string; readonly text: string };

type Known = Pick<FileFigures, 'has'>;

/**
 * The presets that a file has the figures for.
 *
 * A traffic potential in the file belongs to a page and is repeated for all its keywords, so it must not be added up.
 * Without it, the preset uses the clicks that position 3 would gain over the current position.
 */
export function presetsFor({ has }: Known): ScorePreset[] {
  const presets: ScorePreset[] = [];
  const add = (name: string, text: string) => {
    const score = readScore(text);
    if (!score) throw new Error(`No score: ${text}`);
    presets.push({ name, text: writeScore(score) });
  };
  if (has('volume') && has('difficulty')) add('Volume × ease', 'branch.volume * (1 - difficulty / 100)');
  if (has('trafficPotential')) add('Traffic potential', 'max.trafficPotential');
  else if (has('volume') && has('position'))
    add('Traffic potential', 'sum.max(0, volume * (ctrAt(3) - ctrAt(ifUnknown(position, 100))))');
  if (has('volume') && has('cpc')) add('CPC value', 'sum.volume * cpc');
  if (has('volume') && has('informational')) add('Intent weight', 'sum.volume * intentWeight(0.5, 0.1, 1, 1.5)');
  return presets;
}
