import type { Figure, Filter, Known, Range, TextPart } from '../filter/filter.ts';
import { figureName, typeWord } from './figure-name.ts';
import { anyOf, endText, type FilterPart, namedRange } from './filter-part.ts';
import { markPartsOf } from './mark-parts.ts';
import { presetPartsOf } from './preset-parts.ts';

/**
 * The conditions of a filter, as chips show them.
 *
 * @param placeName the name of the place with a node ID
 */
export function partsOf(filter: Filter, placeName: (address: string) => string = () => '…'): readonly FilterPart[] {
  const { contains, excludes, texts, types, intents, categories, ranges, known, within, outside, depth, hasChildren } =
    filter;
  const less = <K extends 'contains' | 'excludes' | 'texts' | 'categories' | 'ranges' | 'known' | 'outside'>(
    list: K,
    one: Filter[K][number],
  ): Filter => ({ ...filter, [list]: (filter[list] as readonly unknown[]).filter((other) => other !== one) });
  return [
    ...contains.map((text) => ({ text: `Contains “${text}”`, without: less('contains', text) })),
    ...excludes.map((text) => ({ text: `Without “${text}”`, without: less('excludes', text) })),
    ...texts.map((part) => ({ text: textPartText(part), without: less('texts', part) })),
    ...(types.length > 0 ? [{ text: `Type: ${anyOf(types.map(typeName))}`, without: { ...filter, types: [] } }] : []),
    ...(intents.length > 0 ? [{ text: `Intent: ${anyOf(intents)}`, without: { ...filter, intents: [] } }] : []),
    ...categories.map((part) => ({
      text: `${figureName(`field:${part.field}`)}: ${anyOf(part.values.map(valueName))}`,
      without: less('categories', part),
    })),
    ...ranges.map((range) => ({ text: rangeText(range.of, range), without: less('ranges', range) })),
    ...known.map((of) => ({ text: `${knownName(of)} known`, without: less('known', of) })),
    ...(within.length > 0
      ? [{ text: `Only in: ${anyOf(within.map(placeName))}`, without: { ...filter, within: [] } }]
      : []),
    ...outside.map((place) => ({ text: `Hidden: ${placeName(place)}`, without: less('outside', place), place })),
    ...(depth ? [{ text: levelsText(depth), without: { ...filter, depth: undefined } }] : []),
    ...(hasChildren === undefined
      ? []
      : [
          {
            text: hasChildren ? 'With children' : 'Without children',
            without: { ...filter, hasChildren: undefined },
          },
        ]),
    ...presetPartsOf(filter, placeName),
    ...markPartsOf(filter),
  ];
}

function textPartText({ mode, text, isIn }: TextPart): string {
  if (mode === 'regex') return `${isIn ? 'Matches' : 'Does not match'} /${text}/`;
  return `${isIn ? 'Contains' : 'Without'} ${mode} of “${text}”`;
}

/** The label of a figure that can be filtered by. */
export function filterName(of: Figure): string {
  return figureName(of === 'competition' || of === 'position' ? `field:${of}` : of);
}

/** "Volume 100 – 1,000", "Volume at least 100", "Volume at most 1,000" */
export const rangeText = (of: Figure, range: Range): string => namedRange(filterName(of), range);

function levelsText({ from, to }: Range): string {
  if (from === undefined) return `Down to level ${endText(to)}`;
  if (to === undefined) return `Level ${endText(from)} and deeper`;
  return from === to ? `Level ${endText(from)}` : `Levels ${endText(from)} – ${endText(to)}`;
}

export const typeName = (type: string): string => (type === '' ? 'no type' : typeWord(type));
export const valueName = (value: string): string => (value === '' ? 'unknown' : value);
const knownName = (of: Known): string => (of === 'intent' ? 'Intent' : filterName(of));
