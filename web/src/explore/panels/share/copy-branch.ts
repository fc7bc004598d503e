import type { Slice } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { exact } from '../../format/figure-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { ownRowName } from '../../model/place-names.ts';

type CopyParts = Pick<Explorer, 'source' | 'store'>;

/** Copies a branch as an indented list. @returns the message for the user */
export async function copyList({ source, store }: CopyParts, node: number): Promise<string> {
  const { filter } = store.getState();
  const query = { node, budget: limits.maxSliceRows, skip: 0, filter };
  const fetched = source.slice(query, new AbortController().signal);
  const count = exact(await copyLines(fetched.then(listOf)));
  const isCut = (await fetched).rows === limits.maxSliceRows;
  return say(isCut ? 'explore/list-cut' : 'explore/list-copied', { count });
}

/** Copies the distinct keywords of a branch, one per line, heaviest first. @returns the message for the user */
export async function copyKeywords({ source, store }: CopyParts, node: number, ofBranch: number): Promise<string> {
  const { filter } = store.getState();
  const query = { node, filter, limit: limits.maxKeywordsAtATime };
  const lines = source
    .keywords(query)
    .then(({ keywords }) => [...new Set(keywords.map(({ name }) => plainCell(name)))]);
  const count = await copyLines(lines);
  return say('explore/keywords-copied', { count: exact(count), all: exact(Math.max(count, ofBranch)) });
}

/**
 * Browsers allow clipboard access only for a moment after a key press or a click, so the access is requested at once,
 * with a promise of the text.
 */
async function copyLines(lines: Promise<readonly string[]>): Promise<number> {
  const text = lines.then((all) => new Blob([all.join('\n')], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
  return (await lines).length;
}

/**
 * A slice as an indented list: one line per node, one tab per level, so that each level has its own column in a
 * spreadsheet.
 *
 * @returns the lines
 */
export function listOf(slice: Slice): string[] {
  const { first, count } = childrenOf(slice);
  const lines: string[] = [];
  const open = [{ row: 0, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    lines.push('\t'.repeat(next.level) + plainCell(ownRowName(slice, next.row)));
    for (let child = first[next.row]! + count[next.row]! - 1; child >= first[next.row]!; child--) {
      open.push({ row: child, level: next.level + 1 });
    }
  }
  return lines;
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
