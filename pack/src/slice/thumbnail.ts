import type { Slice } from './slice.ts';

/** The two upper levels of a tree by their keywords, small enough to lie in a list of a hundred. Shares are of 10,000. */
export type Thumbnail = {
  /**
   * Pillars in the order that gives them their colours; of each the shares of its heaviest children, and last that of all
   * its others together. A pillar without children is one part.
   */
  readonly pillars: number[][];
  /** What the other pillars have together. */
  readonly rest: number;
};

const whole = 10_000;
const maxPillars = 12;
const maxParts = 6;

/**
 * What can be told apart of a tree in a picture the size of a stamp.
 *
 * @param slice begins at the root. Its children stand in the order of their weight, so the ones left out are the lightest
 */
export function thumbnailOf(slice: Slice): Thumbnail {
  const { keywords, childKeywords } = slice;
  const childrenOf = heldChildren(slice);
  const all = childKeywords[0]!;
  if (all === 0) return { pillars: [], rest: whole };
  const share = (part: number) => Math.round((whole * part) / all);
  const shown = (childrenOf.get(0) ?? []).slice(0, maxPillars).filter((pillar) => share(keywords[pillar]!) > 0);
  const pillars = shown.map((pillar) => {
    const children = (childrenOf.get(pillar) ?? []).slice(0, maxParts);
    if (children.length === 0) return [share(keywords[pillar]!)];
    // A keyword under several children counts once for the pillar: its parts are scaled to what it has.
    const scale = keywords[pillar]! / childKeywords[pillar]!;
    const others = childKeywords[pillar]! - sum(children.map((child) => keywords[child]!));
    return [...children.map((child) => share(scale * keywords[child]!)), share(scale * others)].filter(
      (part) => part > 0,
    );
  });
  return { pillars, rest: share(all - sum(shown.map((pillar) => keywords[pillar]!))) };
}

/** The rows below the root and below its children, heaviest first as they stand. */
function heldChildren({ rows, parent }: Slice): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>();
  for (let row = 1; row < rows; row++) {
    const siblings = children.get(parent[row]!);
    if (siblings) siblings.push(row);
    else children.set(parent[row]!, [row]);
  }
  return children;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((before, number) => before + number, 0);
