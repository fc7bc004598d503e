import { noPause, type Pause } from '../format/in-pieces.ts';
import { childrenOf } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { valuesOf } from '../levels/row-values.ts';
import { foldForSearch } from '../names/normal-form.ts';
import type { View } from '../sums/filtered-pack.ts';

/**
 * The rank of a figure among the siblings: the number of siblings that have it, and of those with a lower or an equal
 * value.
 */
export type SiblingRank = { known: number; below: number; equal: number };

const figures = ['keywords', 'volume', 'difficulty', 'cpc', 'competition', 'position'] as const;
type StandingFigure = (typeof figures)[number];

/** How a node compares with the other children of its parent. Same shape as in the HTTP contract. */
export type Siblings = {
  /** Excludes the node itself. */
  count: number;
  /** For each known figure of the node. */
  standing: { [Figure in StandingFigure]?: SiblingRank };
  /**
   * The siblings whose names share the most words with its own, not counting words of the parent's name; heaviest first
   * on a tie.
   */
  similar: { node: number; name: string; shared: string }[];
};

/** Nodes with more siblings get no ranks: that would be a pass over the whole file for one line of text. */
const maxSiblings = 1 << 18;
/** The number of heaviest siblings that are compared for similar names. */
const maxCompared = 2000;
const maxSimilar = 5;
const shortestWord = 3;

/**
 * @param source the source of the figures: the pack, or the filtered pack
 * @param rows the node and its siblings, in ascending order; see {@link runAround}
 */
export async function siblingsOf(
  pack: PackReader,
  row: number,
  rows: Uint32Array | undefined,
  source: View = pack,
  pause: Pause = noPause,
): Promise<Siblings | undefined> {
  if (!rows || rows.length < 2) return undefined;
  const self = rows.indexOf(row);
  const standing: Siblings['standing'] = {};
  for (const figure of figures) {
    const values = await valuesOf(source, figure, rows, pause);
    if (!Number.isNaN(values[self])) standing[figure] = standingOf(values, self);
  }
  return { count: rows.length - 1, standing, similar: await similarTo(pack, row, rows) };
}

/**
 * The children of a node's parent, only the node itself for the root; undefined if there are more than {@link
 * siblingsOf} compares.
 *
 * @param keeps which rows count
 */
export async function runAround(
  pack: PackReader,
  row: number,
  keeps?: (row: number) => boolean,
): Promise<Uint32Array | undefined> {
  if (row === 0) return Uint32Array.of(0);
  const [parent] = await pack.gather('parent', Uint32Array.of(row));
  const { start, end } = await childrenOf(pack, parent!);
  if (!keeps && end - start > maxSiblings) return undefined;
  const rows = new Uint32Array(Math.min(end - start, maxSiblings));
  let count = 0;
  for (let child = start; child < end; child++) {
    if (keeps && !keeps(child)) continue;
    if (count === maxSiblings) return undefined;
    rows[count++] = child;
  }
  return rows.subarray(0, count);
}

function standingOf(values: ArrayLike<number>, self: number): SiblingRank {
  const own = values[self]!;
  const standing = { known: -1, below: 0, equal: -1 };
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (Number.isNaN(value)) continue;
    standing.known++;
    if (value < own) standing.below++;
    else if (value === own) standing.equal++;
  }
  return standing;
}

/** The siblings that share the most words with a node's name, not counting words of the parent's name. */
async function similarTo(pack: PackReader, row: number, rows: Uint32Array): Promise<Siblings['similar']> {
  const heaviest = rows.subarray(0, maxCompared);
  const [parent] = await pack.gather('parent', Uint32Array.of(row));
  const [ofParent, own] = await namesAt(pack, Uint32Array.of(parent!, row));
  const common = new Set(wordsOf(ofParent!));
  const ownWords = new Set(wordsOf(own!).filter((word) => !common.has(word)));
  if (ownWords.size === 0) return [];
  const names = await namesAt(pack, heaviest);
  const found = Array.from(heaviest, (node, at) => ({
    node,
    name: names[at]!,
    words: [...new Set(wordsOf(names[at]!))].filter((word) => ownWords.has(word)),
  })).filter(({ node, words }) => node !== row && words.length > 0);
  return found
    .sort((one, other) => other.words.length - one.words.length)
    .slice(0, maxSimilar)
    .map(({ node, name, words }) => ({ node, name, shared: words.join(' ') }));
}

function wordsOf(name: string): string[] {
  return (foldForSearch(name).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= shortestWord);
}
