import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { exact } from '../../format/numbers.ts';
import type { Explorer } from '../../model/explorer.ts';
import { listOf, plainCell } from './branch-text.ts';

type Asked = Pick<Explorer, 'source' | 'store'>;

/** Copies a branch as an indented list. @returns what was done */
export async function copyList({ source, store }: Asked, node: number): Promise<string> {
  const { filter } = store.getState();
  const query = { node, budget: limits.maxSliceRows, skip: 0, filter };
  const fetched = source.slice(query, new AbortController().signal);
  const count = exact(await copyLines(fetched.then(listOf)));
  const isCut = (await fetched).rows === limits.maxSliceRows;
  return say(isCut ? 'explore/list-cut' : 'explore/list-copied', { count });
}

/** Copies the keywords of a branch, one a line, the heaviest first, each once. @returns what was done */
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
 * The clipboard opens to a press of a key or a button, and only for a moment: so it is asked at once, for a text that is
 * on its way.
 */
async function copyLines(lines: Promise<readonly string[]>): Promise<number> {
  const text = lines.then((all) => new Blob([all.join('\n')], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
  return (await lines).length;
}
