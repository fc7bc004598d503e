import type { RouterHistory } from '@tanstack/react-router';
import type { AddressBar } from '../../../explore/model/sync-address.ts';
import { draftIn, draftParameter } from '../draft-address.ts';

export type RevisionBar = AddressBar & {
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
  let held: string | undefined;
  let isWriting = false;
  const read = () => ofExplorer(history.location.search, draftId);
  function write(search: string, how: 'push' | 'replace'): void {
    isWriting = true;
    history[how](`${history.location.pathname}${ofPage(search)}`);
    isWriting = false;
  }
  return {
    read: () => held ?? read(),
    write(search, how) {
      if (held === undefined) write(search, how);
      else held = search;
    },
    listen: (onChange) => history.subscribe(() => !isWriting && held === undefined && onChange()),
    hold(search) {
      held = search;
    },
    goLive() {
      const search = held;
      held = undefined;
      // The page may have left the draft meanwhile.
      if (search !== undefined && draftIn(history.location.search) === draftId) write(search, 'replace');
    },
  };
}

/** The query string as the explorer reads it. That of another page names nothing that is open. */
export function ofExplorer(search: string, draftId: string): string {
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
