import { say } from '@kc/rules/messages';
import { useToast } from '../../../ui/toast.tsx';
import type { Explorer } from '../../model/explorer.ts';
import { defaultUrlState, writeUrlState } from '../../model/url-state.ts';
import { none } from '../../tree-data/no-row.ts';

/** Copies a text and says so; what the browser does not allow is said too. */
export function useCopy(): (text: string, done: 'explore/name-copied' | 'explore/link-copied') => void {
  const toast = useToast();
  return (text, done) => {
    navigator.clipboard.writeText(text).then(
      () => toast(say(done)),
      () => toast(say('explore/copy-refused')),
    );
  };
}

/** The address of a row in this visualization: a branch is looked into, a leaf is selected. */
export function linkTo({ linkId, store, tree }: Explorer, row: number): string {
  const address = tree.addressOf(row);
  const place = tree.childCount[row]! > 0 ? { focus: address } : { selected: address };
  const state = { ...defaultUrlState, visualization: linkId, view: store.getState().view, ...place };
  return `${location.origin}${location.pathname}${writeUrlState(state)}`;
}

/** The address of exactly what is shown, for anybody: it names the visualization, which the page's own may leave open. */
export const linkToView = ({ address }: Explorer): string => `${location.origin}${location.pathname}${address.link()}`;

/** Copies what a key asked for. A list is made by a script that comes when it is needed. */
export async function copyByKey(
  what: 'link' | 'branch',
  explorer: Explorer,
  toast: (text: string) => void,
): Promise<void> {
  const { tree, store } = explorer;
  const { selected, focus } = store.getState();
  const copied =
    what === 'link'
      ? navigator.clipboard.writeText(linkToView(explorer)).then(() => say('explore/link-copied'))
      : import('./copy-branch.ts').then(({ copyList }) =>
          copyList(explorer, tree.node[selected === none || tree.isLeftOut(selected) ? focus : selected]!),
        );
  toast(await copied.catch(() => say('explore/copy-refused')));
}
