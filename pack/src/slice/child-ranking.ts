import { figuresFor } from '../format/figures.ts';

/** An order of a node's children other than heaviest first, and where to start in it. */
export type ChildRanking = {
  /** `name`, `type`, `keywords`, `volume`, `difficulty`, `cpc`, or `field:` and the name of a field. */
  readonly by: string;
  readonly descending: boolean;
  /** The pack row of the child to continue after. If absent or not a child of the node, starts at the first child. */
  readonly after?: number;
};

/** Figures that every pack can be ranked by, besides names and types. */
export const rankedFigures = figuresFor('rank');

const fieldPrefix = 'field:';
const plainRankings: ReadonlySet<string> = new Set(['name', 'type', ...rankedFigures]);

/** The ranked field; undefined for a ranking that every pack has. */
export function rankedField(by: string): string | undefined {
  return by.startsWith(fieldPrefix) ? by.slice(fieldPrefix.length) : undefined;
}

/** Whether this is a valid ranking for a pack that has such a field. */
export const isRanking = (by: string): boolean => plainRankings.has(by) || rankedField(by) !== undefined;

const collator = new Intl.Collator('en');
const isUnknown = (value: number | string): boolean => value === '' || Number.isNaN(value);

/**
 * The single definition of how two ranked values compare: numbers by size, texts in natural order. Unknown values, NaN
 * or the empty text, come last in both directions.
 */
export function compareRanked(one: number | string, other: number | string, descending: boolean): number {
  if (isUnknown(one) || isUnknown(other)) return Number(isUnknown(one)) - Number(isUnknown(other));
  const order = typeof one === 'string' ? collator.compare(one, String(other)) : one - Number(other);
  return descending ? -order : order;
}
