import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import { halfSipHash } from '../names/half-sip-hash.ts';
import type { HashKey } from '../names/hash-key.ts';
import { TextKey } from '../names/text-key.ts';
import type { ComparedTree } from './compared-tree.ts';
import { PairTable } from './pair-table.ts';

/** The keywords among the rows of one side that have no match, by the number of their text. */
export type LeftoverKeywords = {
  /** Ascending rows. */
  readonly rows: Uint32Array;
  /** The number of the text of each: the same for both sides. */
  readonly texts: Uint32Array;
  /** By row: its text; `noRow` for a row that is matched or no keyword. */
  readonly textAt: Uint32Array;
};

/**
 * Numbers the texts of the unmatched keywords of both sides. Two are the same if their text keys have the same 64-bit
 * hash, see {@link TextKey}: among 10^7 texts, one wrong pair is expected in 10^5 comparisons.
 *
 * Memory: 4 bytes per node of each side, 8 per keyword, and 24 to 48 per text.
 */
export async function numberLeftovers(
  sides: readonly (readonly [ComparedTree, matched: Uint32Array])[],
  key: HashKey,
  pause: Pause,
): Promise<{ readonly texts: number; readonly sides: readonly LeftoverKeywords[] }> {
  const found: Uint32Array[] = [];
  for (const [tree, matched] of sides) found.push(await unmatchedKeywords(tree, matched, pause));
  const table = new PairTable(
    found.reduce((sum, rows) => sum + rows.length, 0),
    key,
  );
  const fold = new TextKey();
  const out = new Uint32Array(2);
  let count = 0;
  const numbered: LeftoverKeywords[] = [];
  for (const [side, rows] of found.entries()) {
    const [{ nodes, names }] = sides[side]!;
    const texts = new Uint32Array(rows.length);
    const textAt = new Uint32Array(nodes).fill(noRow);
    await eachPiece(rows.length, pause, (from, end) => {
      for (let index = from; index < end; index++) {
        const row = rows[index]!;
        const length = fold.write(names.bytes, names.start[row]!, names.start[row + 1]!);
        halfSipHash(key[0], key[1], fold.buffer.view, 0, length, out, 0);
        const text = table.take(out[0]!, out[1]!, count);
        if (text === count) count++;
        texts[index] = text;
        textAt[row] = text;
      }
    });
    numbered.push({ rows, texts, textAt });
  }
  return { texts: count, sides: numbered };
}

async function unmatchedKeywords({ nodes, isKeyword }: ComparedTree, matched: Uint32Array, pause: Pause) {
  const isLeft = (row: number) => matched[row] === noRow && isKeyword[row] === 1;
  let count = 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (isLeft(row)) count++;
  });
  const rows = new Uint32Array(count);
  let next = 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (isLeft(row)) rows[next++] = row;
  });
  return rows;
}
