import type { PlainNode } from './filter-oracle.ts';

/** A node of a parsed file, with what the pack says about it. Independent of how packs are compared. */
export type Placed = {
  readonly name: string;
  readonly row: number;
  readonly depth: number;
  readonly isKeyword: boolean;
  readonly parent: Placed | undefined;
  readonly children: Placed[];
};

export type NaiveMatch = { readonly kind: 'same' | 'new' | 'moved' | 'renamed'; readonly before: number | undefined };

/**
 * The nodes of a file in file order.
 * @param rows the pack row of each @param isKeyword by row
 */
export function placeNodes(root: PlainNode, rows: readonly number[], isKeyword: ArrayLike<number>): Placed[] {
  const all: Placed[] = [];
  const add = (node: PlainNode, parent: Placed | undefined): Placed => {
    const row = rows[all.length]!;
    const placed: Placed = {
      name: node.name,
      row,
      depth: parent ? parent.depth + 1 : 0,
      isKeyword: isKeyword[row] === 1,
      parent,
      children: [],
    };
    all.push(placed);
    for (const child of node.children ?? []) placed.children.push(add(child, placed));
    return placed;
  };
  add(root, undefined);
  return all;
}

const nameOf = ({ name }: Placed) => name.normalize('NFC');
const textOf = ({ name }: Placed) =>
  name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The name and its ordinal among siblings of the same name. */
function stepOf(node: Placed): string {
  const same = node.parent!.children.filter((child) => nameOf(child) === nameOf(node));
  return JSON.stringify([nameOf(node), same.indexOf(node)]);
}

function within(node: Placed): Placed[] {
  return [node, ...node.children.flatMap(within)];
}

const textsIn = (node: Placed) =>
  new Set(
    within(node)
      .filter((one) => one.isKeyword)
      .map(textOf),
  );

/** By row of `after`. Follows the definition, without any index. */
export function matchNaively(after: readonly Placed[], before: readonly Placed[]): NaiveMatch[] {
  const found = new Map<Placed, Placed>();
  const taken = new Map<Placed, Placed>();
  const pair = (one: Placed, other: Placed) => {
    found.set(one, other);
    taken.set(other, one);
  };
  const matchBelow = (one: Placed, other: Placed): void => {
    for (const child of one.children) {
      const same = other.children.find((candidate) => stepOf(candidate) === stepOf(child));
      if (!same || found.has(child) || taken.has(same)) continue;
      pair(child, same);
      matchBelow(child, same);
    }
  };
  pair(after[0]!, before[0]!);
  matchBelow(after[0]!, before[0]!);

  const inRows = (nodes: readonly Placed[]) => [...nodes].sort((one, other) => one.row - other.row);
  const leftover = inRows(after).filter((node) => node.children.length > 0 && !found.has(node));
  const leftoverBefore = inRows(before).filter((node) => node.children.length > 0 && !taken.has(node));
  const overlap = (one: Placed, other: Placed) => {
    const [texts, others] = [textsIn(one), textsIn(other)];
    const union = new Set([...texts, ...others]).size;
    return union === 0 ? 0 : [...texts].filter((text) => others.has(text)).length / union;
  };
  const bestOf = (node: Placed, candidates: readonly Placed[]) =>
    candidates
      .map((other) => ({ other, is: overlap(node, other) }))
      .filter(({ is }) => is >= 0.6)
      .sort(
        (one, than) =>
          than.is - one.is ||
          Number(nameOf(than.other) === nameOf(node)) - Number(nameOf(one.other) === nameOf(node)) ||
          Math.abs(one.other.depth - node.depth) - Math.abs(than.other.depth - node.depth) ||
          one.other.row - than.other.row,
      )[0]?.other;
  const mutual = leftover.flatMap((node) => {
    const best = bestOf(node, leftoverBefore);
    return best && bestOf(best, leftover) === node ? [[node, best] as const] : [];
  });
  for (const [node, best] of mutual) {
    if (found.has(node) || taken.has(best)) continue;
    pair(node, best);
    matchBelow(node, best);
  }

  const leftKeywords = after.filter((node) => node.isKeyword && !found.has(node));
  const leftKeywordsBefore = before.filter((node) => node.isKeyword && !taken.has(node));
  for (const node of leftKeywords) {
    const has = (other: Placed) => textOf(other) === textOf(node);
    const others = leftKeywordsBefore.filter(has);
    if (leftKeywords.filter(has).length === 1 && others.length === 1) pair(node, others[0]!);
  }

  const result: NaiveMatch[] = [];
  for (const node of after) {
    const other = found.get(node);
    const kind = () => {
      if (!other) return 'new';
      if (!node.parent) return 'same';
      if (found.get(node.parent) !== other.parent) return 'moved';
      return nameOf(node) === nameOf(other) ? 'same' : 'renamed';
    };
    result[node.row] = { kind: kind(), before: other?.row };
  }
  return result;
}
