import { smartLabel } from '../paint/smart-label.ts';
import type { Writer } from '../paint/text.ts';

/** Circles with a smaller radius, in CSS pixels, have no room for a word. */
export const readablePx = 17;
const mostLines = 4;
/** A name says enough with this share of it, or with so many of its letters. */
const leastShare = 0.5;
const leastLetters = 4;

export type CircleLines = { readonly lines: readonly string[]; readonly isWhole: boolean };

/**
 * The fewest lines that hold the whole name in a circle, else the name without what its parent says already, else as much
 * as says enough of either; none where even that has no room.
 *
 * @param more lines that are to stand under it
 */
export function linesInCircle(writer: Writer, name: string, parent: string, radius: number, more: number): CircleLines {
  let best: readonly string[] = [];
  let bestShare = 0;
  for (const text of [name, smartLabel(name, parent)]) {
    const all = letters(text);
    for (let count = 1; count <= mostLines; count++) {
      const room = roomAt(radius, ((count + more) * writer.lineHeight) / 2);
      if (room < readablePx) break;
      const lines = writer.wrap(text, room, count);
      const shown = letters(lines.join(''));
      if (shown === all) return { lines, isWhole: true };
      const share = withoutCut(shown) / all.length;
      if (share > bestShare) [best, bestShare] = [lines, share];
    }
  }
  const isEnough = bestShare >= leastShare || withoutCut(letters(best.join(''))) >= leastLetters;
  return { lines: isEnough ? best : [], isWhole: false };
}

/** How wide text may be so far above or below the middle of a circle. */
function roomAt(radius: number, away: number): number {
  return 2 * Math.sqrt(Math.max(0, radius * radius - away * away));
}

/**
 * Whether a figure has room as the last of so many lines; a part of it would be another figure.
 *
 * @param linePx the height of a line
 */
export function hasRoomAsLast(writer: Writer, figure: string, radius: number, lines: number, linePx: number): boolean {
  return writer.width(figure) <= roomAt(radius, (lines * linePx) / 2);
}

/** Without the blanks that a name may have, its own and the one beside an ellipsis. */
const letters = (text: string) => (blank.test(text) ? text.replace(blanks, '') : text);
const [blank, blanks] = [/[ \u00a0]/, /[ \u00a0]/g];
const withoutCut = (shown: string) => shown.replaceAll('…', '').length;
