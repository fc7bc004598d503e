import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader, Texts } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/search-fold.ts';
import { findFallback, hitKind, type TextFinder } from './find-fallback.ts';
import { findTexts } from './find-texts.ts';

/** Of every node, by row, how well its name answers: see `hitKind`; and how many do. */
export type Hits = { readonly kinds: Uint8Array; readonly total: number };

export type SearchInput = {
  readonly find?: TextFinder | undefined;
  /** Between pieces of the work of a few milliseconds; what it throws ends the search. */
  readonly pause?: Pause | undefined;
};

/**
 * Nodes by a part of their name, case and accents folded.
 *
 * Cost: one pass over the bytes of all names, which are read once and kept with the pack; 1 byte a node.
 */
export function findNames(pack: PackReader, text: string, parts?: SearchInput): Promise<Hits> {
  return findRows(pack, { first: 0, count: pack.metadata.nodes }, text, parts);
}

/** {@link findNames} of the keywords that no node names, whose rows stand behind the nodes; the first one's kind is `kinds[0]`. */
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
  // Most names are folded as they are written; the others are looked through in their folded form.
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
