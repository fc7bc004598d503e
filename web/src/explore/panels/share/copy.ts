import { say } from '@kc/rules/messages';
import { copyText, useCopyText } from '../../../ui/copy-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { defaultUrlState, writeUrlState } from '../../model/url-state.ts';
import { none } from '../../tree-data/columns.ts';
import { copyList } from './copy-branch.ts';

/** Copies a text and reports it, also if the browser refuses. */
export function useCopy(): (text: string, done: 'explore/name-copied' | 'explore/link-copied') => void {
  const copy = useCopyText();
  return (text, done) => copy(text, say(done), say('explore/copy-refused'));
}

/** The link to a row of this visualization: a branch becomes the focus, a leaf is selected. */
export function linkTo({ linkId, store, tree }: Explorer, row: number): string {
  const address = tree.addressOf(row);
  const place = tree.childCount[row]! > 0 ? { focus: address } : { selected: address };
  const state = { ...defaultUrlState, visualization: linkId, view: store.getState().view, ...place };
  return `${location.origin}${location.pathname}${writeUrlState(state)}`;
}

/**
 * The link to exactly this view, for other users: it names the visualization, which the address of the page may omit.
 */
export const linkToView = ({ address }: Explorer): string => `${location.origin}${location.pathname}${address.link()}`;

/** Copies what a key press requested. The script that writes lists is loaded on demand. */
export async function copyByKey(
  what: 'link' | 'branch',
  explorer: Explorer,
  toast: (text: string) => void,
): Promise<void> {
  const { tree, store } = explorer;
  const { selected, focus } = store.getState();
  const copied =
    what === 'link'
      ? copyText(linkToView(explorer)).then(() => say('explore/link-copied'))
      : copyList(explorer, tree.node[selected === none || tree.isLeftOut(selected) ? focus : selected]!);
  toast(await copied.catch(() => say('explore/copy-refused')));
}
