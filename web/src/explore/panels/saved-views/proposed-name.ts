import { limits } from '@kc/rules/limits';
import { choiceName } from '../../model/choices.ts';
import { usualAxes } from '../../model/encodings.ts';
import type { UrlState } from '../../model/url-state.ts';
import { figureName } from '../../tree-data/figures.ts';
import { viewNames } from '../view-names.ts';

type Looked = Pick<UrlState, 'view' | 'colour' | 'size' | 'x' | 'y' | 'query' | 'filter'>;

/**
 * Suggests a name for a view: "Trail shoes – Sunburst, colour by difficulty, filtered". Defaults are omitted, and a
 * number is appended to a name that is taken.
 *
 * @param looked its size is undefined if it is the default of the data
 * @param place the name of the focus, truncated so that the whole fits the maximum length
 */
export function proposedName(place: string, looked: Looked, taken: readonly string[]): string {
  const how = saidOf(looked).join(', ');
  for (let number = 1; ; number++) {
    const end = ` – ${how}${number > 1 ? ` (${number})` : ''}`;
    const room = limits.maxViewNameLength - end.length;
    const name = `${place.length > room ? `${place.slice(0, Math.max(0, room - 1)).trimEnd()}…` : place}${end}`;
    if (!taken.includes(name)) return name.slice(0, limits.maxViewNameLength);
  }
}

function saidOf({ view, colour, size, x, y, query, filter }: Looked): string[] {
  const isDrawn = view !== 'table';
  const isPlotted = view === 'opportunity' && (x !== usualAxes.x || y !== usualAxes.y);
  return [
    viewNames[view],
    ...(isPlotted ? [`${small(figureName(x))} against ${small(figureName(y))}`] : []),
    ...(isDrawn && colour !== 'pillar' ? [`colour by ${small(choiceName(colour))}`] : []),
    ...(isDrawn && size !== undefined ? [`size by ${small(choiceName(size))}`] : []),
    ...(query === '' ? [] : [`“${query.slice(0, 40)}”`]),
    ...(filter === '' ? [] : ['filtered']),
  ];
}

/** Lower case for use within a sentence. Acronyms keep their capitals. */
const small = (name: string): string => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name);
