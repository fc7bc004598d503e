import { readUrlState, writeUrlState } from '../../../explore/model/url-state.ts';
import type { Answer } from './draft-editor.ts';
import { addressesIn } from './edits.ts';

/**
 * The address of the explorer after an edit: renamed and merged nodes have other addresses, and what the edit took away
 * is not selected any more.
 *
 * @param goesToResult whether the result of the operation is selected
 */
export function placesAfter(search: string, done: Answer | undefined, goesToResult: boolean): string {
  if (!done) return search;
  const state = readUrlState(search);
  const now = done.addresses;
  const of = (address: string | undefined) => address && (now.get(address) ?? address);
  const changed = new Set(addressesIn(done.edit));
  const isGone = state.selected !== undefined && changed.has(state.selected) && !now.has(state.selected);
  const result = goesToResult && done.edit.kind === 'operate' ? done.effect.node : undefined;
  return writeUrlState({
    ...state,
    focus: of(state.focus),
    selected: result ?? (isGone ? undefined : of(state.selected)),
    compared: state.compared.map((address) => of(address)!),
  });
}
