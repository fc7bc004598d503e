import type { FilteredPack } from './filtered-pack.ts';
import { findPlainly, placeOf, type TextFinder } from './find-plainly.ts';
import { findTexts } from './find-texts.ts';
import { holdWeights } from './held-weights.ts';
import type { PackReader } from './pack-reader.ts';
import { foldForSearch } from './search-fold.ts';

/** The nodes whose name contains a text, in the pack's order, and of each how well it does: see `hitKind`. */
export type Hits = { readonly rows: Uint32Array; readonly kinds: Uint8Array };

/** `total` nodes have a name that contains the text; `rows` are the best `limit` of them, best first. */
export type SearchResult = { readonly total: number; readonly rows: readonly number[] };

export type SearchParts = {
  readonly find?: TextFinder | undefined;
  /** Between pieces of the work of a few milliseconds; what it throws ends the search. */
  readonly pause?: (() => Promise<void>) | undefined;
};

/** A search in one go: {@link findHits} and {@link rankHits}. */
export async function searchPack(
  pack: PackReader | FilteredPack,
  text: string,
  limit: number,
  parts?: SearchParts,
): Promise<SearchResult> {
  const hits = await findHits(pack, text, parts);
  return { total: hits.rows.length, rows: await rankHits(pack, hits, 0, limit) };
}

/**
 * Nodes by a part of their name, case and accents folded.
 *
 * Of a pack under a filter, only what is kept.
 *
 * Cost: one pass over the bytes of all names, which are read once and kept with the pack.
 */
export async function findHits(
  pack: PackReader | FilteredPack,
  text: string,
  { find = findPlainly, pause = noPause }: SearchParts = {},
): Promise<Hits> {
  const needle = new TextEncoder().encode(foldForSearch(text.trim()));
  if (needle.length === 0) return { rows: new Uint32Array(0), kinds: new Uint8Array(0) };
  const { nodes } = pack.metadata;
  const isKept = 'kept' in pack ? pack.keeps : () => true;
  const foldStarts = await pack.column('folded');
  const names = new HitList();
  const folds = new HitList();
  // Most names are folded as they are written; the others are looked through in their folded form.
  await findTexts(
    await pack.texts('name'),
    nodes,
    needle,
    (row, kind) => {
      if (foldStarts[row] === foldStarts[row + 1] && isKept(row)) names.add(row, kind);
    },
    find,
    pause,
  );
  let row = 0;
  await findTexts(
    await pack.texts('fold'),
    foldStarts[nodes]!,
    needle,
    (fold, kind) => {
      row = placeOf(foldStarts, fold, row, nodes);
      if (isKept(row)) folds.add(row, kind);
    },
    find,
    pause,
  );
  return merged(names.hits(), folds.hits());
}

/**
 * Hits by rank: first names that are the text, then those that begin with it, then those with a word that begins with it,
 * then the rest; in each the heaviest first (volume, keywords, place in the tree).
 *
 * Cost: one comparison a hit, and some more for those that are among the best so far.
 *
 * @param skip how many of the best are passed over
 */
export async function rankHits(
  pack: PackReader | FilteredPack,
  { rows, kinds }: Hits,
  skip: number,
  limit: number,
): Promise<number[]> {
  const { volume, keywords } = 'kept' in pack ? await pack.weights() : await holdWeights(pack);
  const best = new BestOf(
    skip + limit,
    (one, other) =>
      kinds[one]! - kinds[other]! ||
      volume(rows[other]!) - volume(rows[one]!) ||
      keywords(rows[other]!) - keywords(rows[one]!) ||
      one - other,
  );
  let worstKind = Number.POSITIVE_INFINITY;
  let least = 0;
  for (let hit = 0; hit < rows.length; hit++) {
    // Most are not among the best, which is soon said.
    const kind = kinds[hit]!;
    if (kind > worstKind || (kind === worstKind && volume(rows[hit]!) < least)) continue;
    best.offer(hit);
    const worst = best.worst();
    if (worst === undefined) continue;
    worstKind = kinds[worst]!;
    least = volume(rows[worst]!);
  }
  return best
    .inOrder()
    .slice(skip)
    .map((hit) => rows[hit]!);
}

/** Grows as it must. */
class HitList {
  #count = 0;
  #rows = new Uint32Array(1024);
  #kinds = new Uint8Array(1024);

  add(row: number, kind: number): void {
    if (this.#count === this.#rows.length) {
      const [rows, kinds] = [this.#rows, this.#kinds];
      this.#rows = new Uint32Array(2 * rows.length);
      this.#rows.set(rows);
      this.#kinds = new Uint8Array(2 * kinds.length);
      this.#kinds.set(kinds);
    }
    this.#rows[this.#count] = row;
    this.#kinds[this.#count++] = kind;
  }

  hits(): Hits {
    return { rows: this.#rows.slice(0, this.#count), kinds: this.#kinds.slice(0, this.#count) };
  }
}

/** Two lists of different rows, both rising, as one. */
function merged(one: Hits, other: Hits): Hits {
  if (other.rows.length === 0) return one;
  if (one.rows.length === 0) return other;
  const total = one.rows.length + other.rows.length;
  const rows = new Uint32Array(total);
  const kinds = new Uint8Array(total);
  for (let at = 0, i = 0, j = 0; at < total; at++) {
    const isOne = j === other.rows.length || (i < one.rows.length && one.rows[i]! < other.rows[j]!);
    const [from, index] = isOne ? [one, i++] : [other, j++];
    rows[at] = from.rows[index]!;
    kinds[at] = from.kinds[index]!;
  }
  return { rows, kinds };
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
