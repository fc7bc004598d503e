import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { exact } from '../../format/figure-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { listOf, plainCell } from './branch-text.ts';

type Asked = Pick<Explorer, 'source' | 'store'>;

/** Copies a branch as an indented list. @returns the message for the user */
export async function copyList({ source, store }: Asked, node: number): Promise<string> {
  const { filter } = store.getState();
  const query = { node, budget: limits.maxSliceRows, skip: 0, filter };
  const fetched = source.slice(query, new AbortController().signal);
  const count = exact(await copyLines(fetched.then(listOf)));
  const isCut = (await fetched).rows === limits.maxSliceRows;
  return say(isCut ? 'explore/list-cut' : 'explore/list-copied', { count });
}

/** Copies the distinct keywords of a branch, one per line, heaviest first. @returns the message for the user */
export async function copyKeywords({ source, store }: Asked, node: number, ofBranch: number): Promise<string> {
  const { filter } = store.getState();
  const asked = { node, filter, limit: limits.maxKeywordsAtATime };
  const lines = source
    .keywords(asked)
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
