import type { Writer } from '../paint/text.ts';

/** Circles with a smaller radius, in CSS pixels, have no room for a word. */
export const readablePx = 17;
const mostLines = 7;

export type CircleLines = { readonly lines: readonly string[]; readonly isWhole: boolean };

/**
 * The fewest lines that fit one of the names whole into a circle. The first name that fits wins; if none fits, there
 * are no lines, because part of a name would be misleading.
 *
 * @param more lines to leave room for below the name
 */
export function linesInCircle(writer: Writer, names: readonly string[], radius: number, more: number): CircleLines {
  for (const name of names) {
    const lines = linesOf(writer, name, radius, more) ?? linesOf(writer, withBreaks(name), radius, more);
    if (lines) return { lines, isWhole: true };
  }
  return { lines: [], isWhole: false };
}

function linesOf(writer: Writer, name: string, radius: number, more: number): readonly string[] | undefined {
  const fewest = Math.max(1, Math.ceil(writer.width(name) / (2 * radius)));
  for (let count = fewest; count <= mostLines; count++) {
    const room = roomAt(radius, ((count + more) * writer.lineHeight) / 2);
    if (room < readablePx) break;
    const lines = writer.wrap(name, room, count);
    if (lines.join(' ') === name) return lines;
  }
  return undefined;
}

/** Allows a line break after a slash or a hyphen as well. */
const withBreaks = (name: string) => name.replaceAll(/([/-])(?=[^\s/-])/g, '$1 ');

/** How wide text may be at this vertical distance from the centre of a circle. */
function roomAt(radius: number, away: number): number {
  return 2 * Math.sqrt(Math.max(0, radius * radius - away * away));
}

/**
 * Whether a figure fits as the last of so many lines. A truncated figure would be a different figure.
 *
 * @param linePx the height of a line
 */
export function hasRoomAsLast(writer: Writer, figure: string, radius: number, lines: number, linePx: number): boolean {
  return writer.width(figure) <= roomAt(radius, (lines * linePx) / 2);
}
