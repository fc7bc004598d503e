import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { LeftoverKeywords } from './leftover-keywords.ts';
import { type Matches, match } from './match-paths.ts';

/** Matches keywords whose text occurs once on each side, among those that have no match yet. */
export async function matchKeywords(
  after: LeftoverKeywords,
  before: LeftoverKeywords,
  texts: number,
  matches: Matches,
  pause: Pause,
): Promise<void> {
  const only = await onlyRows(after, texts, matches.before, pause);
  const onlyBefore = await onlyRows(before, texts, matches.after, pause);
  await eachPiece(texts, pause, (from, end) => {
    for (let text = from; text < end; text++) {
      if (only[text]! < several && onlyBefore[text]! < several) match(matches, only[text]!, onlyBefore[text]!);
    }
  });
}

const several = noRow - 1;

/** By text: the only row that has it; `several` or `noRow` if there is not exactly one. */
async function onlyRows({ rows, texts }: LeftoverKeywords, count: number, matched: Uint32Array, pause: Pause) {
  const only = new Uint32Array(count).fill(noRow);
  await eachPiece(rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      if (matched[rows[index]!] !== noRow) continue;
      only[texts[index]!] = only[texts[index]!] === noRow ? rows[index]! : several;
    }
  });
  return only;
}
