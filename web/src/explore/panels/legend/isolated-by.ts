import { intents, planMarks } from '@kc/pack/filter/filter';
import { changeNames } from '@kc/pack/vocabulary/changes';
import type { LegendEntry } from '../../charts/paint/legend.ts';
import type { Isolated } from '../../model/change-filter.ts';
import { figureOf } from '../../model/change-filter.ts';
import type { ColourBy } from '../../model/encodings.ts';

import { fieldName, isFieldKey } from '../../tree-data/figures.ts';

/** The filter criterion for keeping only one legend entry; undefined if keywords cannot be filtered by it. */
export function isolatedBy(colour: ColourBy, { value, step }: LegendEntry): Isolated | undefined {
  if (colour === 'keywords' || colour === 'covered') return undefined;
  if (colour === 'plan') {
    const mark = planMarks.find((one) => one === value);
    return mark && { kind: 'plan', value: mark };
  }
  if (colour === 'change') {
    const mark = changeNames.find((one) => one === value);
    return mark && { kind: 'change', value: mark };
  }
  if (step) {
    const isOfNames = colour === 'pillar' || colour === 'type' || colour === 'depth' || colour === 'intent';
    const of = isOfNames ? undefined : figureOf(colour);
    const hasEnd = step.from !== undefined || step.to !== undefined;
    return of && hasEnd ? { kind: 'range', of, range: step } : undefined;
  }
  if (value === undefined) return undefined;
  if (colour === 'pillar') return { kind: 'place', value };
  if (colour === 'type') return { kind: 'type', value };
  if (colour === 'depth') return Number(value) > 0 ? { kind: 'level', value: Number(value) } : undefined;
  if (colour === 'intent') {
    const intent = intents.find((one) => one === value);
    return intent && { kind: 'intent', value: intent };
  }
  return isFieldKey(colour) ? { kind: 'category', field: fieldName(colour), value } : undefined;
}
