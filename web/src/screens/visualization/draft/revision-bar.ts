import type { RouterHistory } from '@tanstack/react-router';
import type { AddressBar } from '../../../explore/model/parts.ts';
import { readUrlState, writeUrlState } from '../../../explore/model/url-state.ts';
import { draftIn, draftParameter } from '../router-bar.ts';
import type { AppliedEdit } from './draft-editor.ts';
import { addressesIn } from './edits.ts';

type RevisionBar = AddressBar & {
  /** From now on, reads and writes the page. What was written before becomes the current entry of the history. */
  readonly goLive: () => void;
  /** Sets what is read until then. */
  readonly hold: (search: string) => void;
};

/**
 * The address bar of one revision of a draft. The explorer knows the draft as `v`, the page as `draft`.
 *
 * A revision is opened while the one before is still on the screen: until it goes live, it reads and writes a text of
 * its own.
 */
export function createRevisionBar(history: RouterHistory, draftId: string): RevisionBar {
  let pendingSearch: string | undefined;
  let isWriting = false;
  const read = () => ofExplorer(history.location.search, draftId);
  function write(search: string, how: 'push' | 'replace'): void {
    isWriting = true;
    history[how](`${history.location.pathname}${ofPage(search)}`);
    isWriting = false;
  }
  return {
    read: () => pendingSearch ?? read(),
    write(search, how) {
      if (pendingSearch === undefined) write(search, how);
      else pendingSearch = search;
    },
    listen: (onChange) => history.subscribe(() => !isWriting && pendingSearch === undefined && onChange()),
    hold(search) {
      pendingSearch = search;
    },
    goLive() {
      const search = pendingSearch;
      pendingSearch = undefined;
      // The page may have left the draft meanwhile.
      if (search !== undefined && draftIn(history.location.search) === draftId) write(search, 'replace');
    },
  };
}

/** The query string as the explorer reads it. That of another page names nothing that is open. */
function ofExplorer(search: string, draftId: string): string {
  if (draftIn(search) !== draftId) return '?v=-';
  const parts = new URLSearchParams(search);
  parts.delete(draftParameter);
  parts.delete('v');
  return `?${new URLSearchParams([['v', draftId], ...parts])}`;
}

/** The query string as the page has it. */
export function ofPage(search: string): string {
  const parts = new URLSearchParams(search);
  const id = parts.get('v');
  parts.delete('v');
  return `?${new URLSearchParams([...(id === null ? [] : [[draftParameter, id] as [string, string]]), ...parts])}`;
}

/**
 * The address of the explorer after edits: renamed and merged nodes have other addresses, and what an edit took away is
 * no longer selected.
 *
 * @param applied the first one first
 * @param selectsResult whether the result of an operation is selected
 */
export const placesAfter = (search: string, applied: readonly AppliedEdit[], selectsResult: boolean): string =>
  applied.reduce((before, one) => placesAfterOne(before, one, selectsResult), search);

function placesAfterOne(search: string, applied: AppliedEdit, selectsResult: boolean): string {
  const state = readUrlState(search);
  const now = applied.addresses;
  const of = (address: string | undefined) => address && (now.get(address) ?? address);
  const changed = new Set(addressesIn(applied.edit));
  const isGone = state.selected !== undefined && changed.has(state.selected) && !now.has(state.selected);
  const origin = state.selected && applied.origins.get(state.selected);
  const result = selectsResult && applied.edit.kind === 'operate' ? applied.effect.node : undefined;
  return writeUrlState({
    ...state,
    focus: of(state.focus),
    selected: result ?? (isGone ? undefined : (origin ?? of(state.selected))),
    compared: state.compared.map((address) => of(address)!),
  });
}
