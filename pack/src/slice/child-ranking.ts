/** Another order of a node's children than the heaviest first, and where in it to begin. */
export type ChildRanking = {
  /** `name`, `type`, `keywords`, `volume`, `difficulty`, `cpc`, or `field:` and the name of a field. */
  readonly by: string;
  readonly descending: boolean;
  /** Pack row of the child behind which to go on; without it, or with what is no child of the node, from the first one on. */
  readonly after?: number;
};

/** Figures that every pack has to rank by; names and types it has, too. */
export const rankedFigures = ['keywords', 'volume', 'difficulty', 'cpc'] as const;

const fieldPrefix = 'field:';
const plainRankings: ReadonlySet<string> = new Set(['name', 'type', ...rankedFigures]);

/** The field that is ranked by, undefined where it is something that every pack has. */
export function rankedField(by: string): string | undefined {
  return by.startsWith(fieldPrefix) ? by.slice(fieldPrefix.length) : undefined;
}

/** Whether it is anything to rank by, in a pack that has such a field. */
export const isRanking = (by: string): boolean => plainRankings.has(by) || rankedField(by) !== undefined;

const collator = new Intl.Collator('en');
const isUnknown = (value: number | string): boolean => value === '' || Number.isNaN(value);

/**
 * How two values stand to each other, wherever they are compared: numbers by size, texts as people read them. What is
 * unknown, NaN or the empty text, comes last either way.
 */
export function compareRanked(one: number | string, other: number | string, descending: boolean): number {
  if (isUnknown(one) || isUnknown(other)) return Number(isUnknown(one)) - Number(isUnknown(other));
  const order = typeof one === 'string' ? collator.compare(one, String(other)) : one - Number(other);
  return descending ? -order : order;
}
