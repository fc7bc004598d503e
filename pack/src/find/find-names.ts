import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/search-fold.ts';
import { findPlainly, hitKind, type TextFinder } from './find-plainly.ts';
import { findTexts } from './find-texts.ts';

/** Of every node, by row, how well its name answers: see `hitKind`; and how many do. */
export type Hits = { readonly kinds: Uint8Array; readonly total: number };

export type SearchParts = {
  readonly find?: TextFinder | undefined;
  /** Between pieces of the work of a few milliseconds; what it throws ends the search. */
  readonly pause?: Pause | undefined;
};

/**
 * Nodes by a part of their name, case and accents folded.
 *
 * Cost: one pass over the bytes of all names, which are read once and kept with the pack; 1 byte a node.
 */
export async function findNames(
  pack: PackReader,
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
  return { kinds, total };
}
