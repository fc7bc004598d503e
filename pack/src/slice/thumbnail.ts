import type { Slice } from './slice.ts';

/** The two upper levels of a tree by keywords, small enough for a list of a hundred. Shares are out of 10,000. */
export type Thumbnail = {
  /**
   * Pillars in the order that determines their colours. For each, the shares of its heaviest children, followed by the
   * share of all its other children together. A pillar without children is one part.
   */
  readonly pillars: number[][];
  /** The share of the other pillars together. */
  readonly rest: number;
};

const whole = 10_000;
const maxPillars = 12;
const maxParts = 6;

/**
 * Reduces a tree to what can be distinguished at thumbnail size.
 *
 * @param slice starts at the root. Its children are in the order of their weight, so the omitted ones are the lightest
 */
export function thumbnailOf(slice: Slice): Thumbnail {
  const { keywords, childKeywords } = slice;
  const childrenOf = childrenByParent(slice);
  const all = childKeywords[0]!;
  if (all === 0) return { pillars: [], rest: whole };
  const share = (part: number) => Math.round((whole * part) / all);
  const visible = (childrenOf.get(0) ?? []).slice(0, maxPillars).filter((pillar) => share(keywords[pillar]!) > 0);
  const pillars = visible.map((pillar) => {
    const children = (childrenOf.get(pillar) ?? []).slice(0, maxParts);
    if (children.length === 0) return [share(keywords[pillar]!)];
    // A keyword under several children counts once for the pillar, so the parts are scaled to the pillar's total.
    const scale = keywords[pillar]! / childKeywords[pillar]!;
    const others = childKeywords[pillar]! - sum(children.map((child) => keywords[child]!));
    return [...children.map((child) => share(scale * keywords[child]!)), share(scale * others)].filter(
      (part) => part > 0,
    );
  });
  return { pillars, rest: share(all - sum(visible.map((pillar) => keywords[pillar]!))) };
}

/** The rows below the root and below its children, heaviest first as in the slice. */
function childrenByParent({ rows, parent }: Slice): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>();
  for (let row = 1; row < rows; row++) {
    const siblings = children.get(parent[row]!);
    if (siblings) siblings.push(row);
    else children.set(parent[row]!, [row]);
  }
  return children;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((before, number) => before + number, 0);
