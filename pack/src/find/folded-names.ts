import type { PackReader, Texts } from '../format/pack-reader.ts';
import type { TextFinder } from './find-fallback.ts';

/**
 * The folded names of a pack. Most names equal their fold; the others are stored folded as well.
 *
 * A row with `starts[row] !== starts[row + 1]` has text `starts[row]` of `folds`; any other has text `row` of `names`.
 */
export type FoldedNames = { readonly names: Texts; readonly folds: Texts; readonly starts: Uint32Array };

export async function foldedNames(pack: PackReader, find: TextFinder | undefined): Promise<FoldedNames> {
  const names = await pack.texts('name', find?.room);
  const starts = await pack.column('folded');
  const folds = starts.at(-1)! > 0 ? await pack.texts('fold', find?.room) : names;
  return { names, folds, starts };
}

/** Decodes the folded name of a row. */
export function foldedReader({ names, folds, starts }: FoldedNames): (row: number) => string {
  return (row) => {
    const isFolded = starts[row] !== starts[row + 1];
    return isFolded ? textAt(folds, starts[row]!) : textAt(names, row);
  };
}

/** Decodes one of some texts. */
export const textAt = ({ start, bytes }: Texts, at: number): string =>
  decoder.decode(bytes.subarray(start[at]!, start[at + 1]!));
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
