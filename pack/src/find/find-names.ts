import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader, Texts } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/search-fold.ts';
import { findFallback, hitKind, type TextFinder } from './find-fallback.ts';
import { findTexts } from './find-texts.ts';

/** How well the name of every node matches, by row (see `hitKind`), and the number of matches. */
export type Hits = { readonly kinds: Uint8Array; readonly total: number };

export type SearchInput = {
  readonly find?: TextFinder | undefined;
  /** Called between pieces of work of a few milliseconds; an error it throws ends the search. */
  readonly pause?: Pause | undefined;
};

/**
 * Finds nodes by a part of their name, ignoring case and accents.
 *
 * Cost: one pass over the bytes of all names, which are read once and cached with the pack; 1 byte per node.
 */
export function findNames(pack: PackReader, text: string, parts?: SearchInput): Promise<Hits> {
  return findRows(pack, { first: 0, count: pack.metadata.nodes }, text, parts);
}

/**
 * {@link findNames} for the keywords that no node names. Their rows follow the nodes; `kinds[0]` is the first of them.
 */
export function findUnplaced(pack: PackReader, text: string, parts?: SearchInput): Promise<Hits> {
  const { nodes, notInHierarchy } = pack.metadata;
  return findRows(pack, { first: nodes, count: notInHierarchy }, text, parts);
}

async function findRows(
  pack: PackReader,
  { first, count }: { readonly first: number; readonly count: number },
  text: string,
  { find: finder, pause = noPause }: SearchInput = {},
): Promise<Hits> {
  const needle = new TextEncoder().encode(foldForSearch(text.trim()));
  const kinds = new Uint8Array(count);
  if (needle.length === 0 || count === 0) return { kinds, total: 0 };
  const find = finder?.find ?? findFallback;
  const foldStarts = (await pack.column('folded')).subarray(first);
  const firstFold = foldStarts[0]!;
  const folds = new Uint8Array(foldStarts[count]! - firstFold);
  let total = await findTexts(textsFrom(await pack.texts('name', finder?.room), first), needle, kinds, find, pause);
  // Most names equal their fold; for the others, the folded form is searched.
  if (folds.length > 0) {
    await findTexts(textsFrom(await pack.texts('fold', finder?.room), firstFold), needle, folds, find, pause);
    await eachPiece(count, pause, (from, end) => {
      if (foldStarts[from] === foldStarts[end]) return;
      for (let row = from; row < end; row++) {
        if (foldStarts[row] === foldStarts[row + 1]) continue;
        const kind = folds[foldStarts[row]! - firstFold]!;
        total += Number(kind !== hitKind.none) - Number(kinds[row] !== hitKind.none);
        kinds[row] = kind;
      }
    });
  }
  return { kinds, total };
}

const textsFrom = ({ start, bytes }: Texts, first: number): Texts => ({ start: start.subarray(first), bytes });
