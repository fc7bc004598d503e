import type { Slice } from '@kc/pack/slice/slice';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';

/**
 * A slice as an indented list: one line per node, one tab per level, so that each level has its own column in a
 * spreadsheet.
 *
 * @returns the lines
 */
export function listOf(slice: Slice): string[] {
  const name = namesOf(slice);
  const { first, count } = childrenOf(slice);
  const lines: string[] = [];
  const open = [{ row: 0, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    lines.push('\t'.repeat(next.level) + plainCell(name(next.row)));
    for (let child = first[next.row]! + count[next.row]! - 1; child >= first[next.row]!; child--) {
      open.push({ row: child, level: next.level + 1 });
    }
  }
  return lines;
}

function namesOf({ names, nameStart }: Slice): (row: number) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (row) => decoder.decode(names.subarray(nameStart[row], nameStart[row + 1]));
}

/** Siblings are adjacent in a slice. */
function childrenOf({ rows, parent }: Slice) {
  const first = new Uint32Array(rows);
  const count = new Uint32Array(rows);
  for (let row = rows - 1; row > 0; row--) {
    first[parent[row]!] = row;
    count[parent[row]!]! += 1;
  }
  return { first, count };
}

/**
 * Keeps the name in one line and one cell, and defuses what a spreadsheet would run as a formula. Source: SECURITY.md,
 * T49
 */
export const plainCell = (name: string): string => harmlessCell(name.replace(/[\t\r\n]+/g, ' '));
