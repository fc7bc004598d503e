import { say } from '@kc/rules/messages';
import { useToast } from '../../ui/toast.tsx';
import { defaultUrlState, readUrlState, writeUrlState } from '../state/url-state.ts';

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

/** The address of a node in this visualization: a branch is looked into, a leaf is selected. */
export function linkTo(address: string, isBranch: boolean): string {
  const here = readUrlState(location.search);
  const place = isBranch ? { focus: address } : { selected: address };
  const state = { ...defaultUrlState, visualization: here.visualization, view: here.view, ...place };
  return `${location.origin}${location.pathname}${writeUrlState(state)}`;
}
