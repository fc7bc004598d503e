import type { FilteredPack } from './filtered-pack.ts';
import { findPlainly, hitKind, type TextFinder } from './find-plainly.ts';
import { findTexts } from './find-texts.ts';
import { holdWeights } from './held-weights.ts';
import { eachPiece, type Pause } from './in-pieces.ts';
import { fates } from './kept-tree.ts';
import type { PackReader } from './pack-reader.ts';
import { foldForSearch } from './search-fold.ts';

/** Of every node, by row, how well its name answers: see `hitKind`; and how many do. */
export type Hits = { readonly kinds: Uint8Array; readonly total: number };

/** `total` nodes have a name that contains the text; `rows` are the best `limit` of them, best first. */
export type SearchResult = { readonly total: number; readonly rows: readonly number[] };

export type SearchParts = {
  readonly find?: TextFinder | undefined;
  /** Between pieces of the work of a few milliseconds; what it throws ends the search. */
  readonly pause?: Pause | undefined;
};

/** A search in one go: {@link findHits} and {@link rankHits}. */
export async function searchPack(
  pack: PackReader | FilteredPack,
  text: string,
  limit: number,
  parts?: SearchParts,
): Promise<SearchResult> {
  const hits = await findHits(pack, text, parts);
  return { total: hits.total, rows: await rankHits(pack, hits, 0, limit) };
}

/**
 * Nodes by a part of their name, case and accents folded.
 *
 * Of a pack under a filter, only what is kept.
 *
 * Cost: one pass over the bytes of all names, which are read once and kept with the pack; 1 byte a node.
 */
export async function findHits(
  pack: PackReader | FilteredPack,
  text: string,
  { find: finder, pause = noPause }: SearchParts = {},
): Promise<Hits> {
  const needle = new TextEncoder().encode(foldForSearch(text.trim()));
  const { nodes } = pack.metadata;
  const kinds = new Uint8Array(nodes);
  if (needle.length === 0) return { kinds, total: 0 };
  const find = finder?.find ?? findPlainly;
  const foldStarts = await pack.column('folded');
  const folds = new Uint8Array(foldStarts[nodes]!);
  let total = await findTexts(await pack.texts('name', finder?.room), needle, kinds, find, pause);
  // Most names are folded as they are written; the others are looked through in their folded form.
  if (folds.length > 0) {
    await findTexts(await pack.texts('fold', finder?.room), needle, folds, find, pause);
    await eachPiece(nodes, pause, (from, end) => {
      if (foldStarts[from] === foldStarts[end]) return;
      for (let row = from; row < end; row++) {
        if (foldStarts[row] === foldStarts[row + 1]) continue;
        const kind = folds[foldStarts[row]!]!;
        total += Number(kind !== hitKind.none) - Number(kinds[row] !== hitKind.none);
        kinds[row] = kind;
      }
    });
  }
  if (!('kept' in pack)) return { kinds, total };
  const { fate } = pack.kept;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (kinds[row] === hitKind.none || fate[row] !== fates.gone) continue;
      kinds[row] = hitKind.none;
      total--;
    }
  });
  return { kinds, total };
}

/**
 * Hits by rank: first names that are the text, then those that begin with it, then those with a word that begins with it,
 * then the rest; in each the heaviest first (volume, keywords, place in the tree).
 *
 * Cost: a pass over the nodes, a look at the weight of the first ones among siblings, and some more for those that are
 * among the best so far.
 *
 * @param skip how many of the best are passed over
 */
export async function rankHits(
  pack: PackReader | FilteredPack,
  { kinds }: Hits,
  skip: number,
  limit: number,
  pause: Pause = noPause,
): Promise<number[]> {
  const { volume, keywords, isReordered } = 'kept' in pack ? await pack.weights() : await holdWeights(pack);
  const whole = 'kept' in pack ? pack.whole : pack;
  const [firstChild, childCount] = await Promise.all([whole.column('first_child'), whole.column('child_count')]);
  const best = new BestOf(
    skip + limit,
    (one, other) =>
      kinds[one]! - kinds[other]! || volume(other) - volume(one) || keywords(other) - keywords(one) || one - other,
  );
  let worstKind: number = hitKind.part;
  let least = 0;
  /** Offers the hits among siblings. The heaviest come first: behind one that is too light, only better kinds do. */
  const offerRun = (from: number, end: number): void => {
    let worstOfRun = worstKind;
    for (let row = nextHit(kinds, from, end, worstOfRun); row < end; row = nextHit(kinds, row + 1, end, worstOfRun)) {
      const kind = kinds[row]!;
      if (kind === worstKind && volume(row) < least) {
        if (!isReordered) worstOfRun = kind - 1;
        continue;
      }
      best.offer(row);
      const worst = best.worst();
      if (worst === undefined) continue;
      worstKind = kinds[worst]!;
      least = volume(worst);
      worstOfRun = Math.min(worstOfRun, worstKind);
    }
  };
  offerRun(0, 1);
  await eachPiece(firstChild.length, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      offerRun(firstChild[branch]!, firstChild[branch]! + childCount[branch]!);
    }
  });
  return best.inOrder().slice(skip);
}

/** The first row from one on to before another that is a hit of this kind or a better one; `end` where there is none. */
function nextHit(kinds: Uint8Array, from: number, end: number, worst: number): number {
  let row = from;
  while (row < end && (kinds[row] === hitKind.none || kinds[row]! > worst)) row++;
  return row;
}

/** The best of many numbers: a heap with the worst of them on top. */
class BestOf {
  readonly #heap: number[] = [];
  readonly #limit: number;
  readonly #compare: (one: number, other: number) => number;

  /** @param compare below 0 when the first is the better one; never 0 */
  constructor(limit: number, compare: (one: number, other: number) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  offer(item: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push(item);
      this.#rise(heap.length - 1);
    } else if (heap.length > 0 && this.#compare(item, heap[0]!) < 0) {
      heap[0] = item;
      this.#sink();
    }
  }

  /** Undefined while there is room for more. */
  worst(): number | undefined {
    return this.#heap.length === this.#limit ? this.#heap[0] : undefined;
  }

  inOrder(): number[] {
    return this.#heap.toSorted(this.#compare);
  }

  #rise(at: number): void {
    const heap = this.#heap;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#compare(heap[at]!, heap[above]!) < 0) return;
      [heap[at], heap[above]] = [heap[above]!, heap[at]!];
      at = above;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#compare(heap[child]!, heap[worst]!) > 0) worst = child;
      }
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
      at = worst;
    }
  }
}

async function noPause(): Promise<void> {
  // Whoever has nothing else to do in this thread.
}
