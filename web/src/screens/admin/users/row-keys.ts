import type { ListedAccount } from '@kc/rules/shapes';
import type { KeyboardEvent } from 'react';
import { statusReason } from './account-changes.ts';
import { placeAfter } from './list-rows.ts';
import type { RowActions } from './row-actions.ts';
import { allOrNone, extended, noSelection, type Selection, toggled } from './selection.ts';
import type { RowChoice } from './user-row.tsx';

type RowKeyDeps = {
  readonly accounts: readonly ListedAccount[];
  readonly ids: readonly string[];
  readonly rowPx: number;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly goTo: (id: string) => void;
  readonly openChoice: (id: string, which: RowChoice) => void;
  readonly actions: RowActions;
};

/** Height of what surrounds the rows in the viewport: page header, table header and bulk bar. */
const aroundPx = 200;

/**
 * Keyboard commands of the focused row. The left and right arrows move through its controls, which handle their own
 * keys.
 */
export function rowKeys(parts: RowKeyDeps): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>('[data-user]');
    const place = parts.ids.indexOf(row?.dataset.user ?? '');
    const account = parts.accounts[place];
    if (!row || !account || event.altKey) return;
    const act = walk(row, target, event.key) ?? (target === row ? onRow(parts, event, account, place) : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** Moves the focus from the row through its controls and back. */
function walk(row: HTMLElement, from: HTMLElement, key: string): (() => void) | undefined {
  if (key === 'Escape' && from !== row) return () => row.focus();
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  const controls = [...row.querySelectorAll<HTMLElement>('button, a[href], input')].filter(
    (one) => one.tabIndex >= 0 && one.offsetParent !== null && !one.matches(':disabled, [aria-hidden=true]'),
  );
  const stops = [row, ...controls];
  const next = stops[stops.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)];
  return next && (() => next.focus());
}

function onRow(
  parts: RowKeyDeps,
  event: KeyboardEvent<HTMLElement>,
  account: ListedAccount,
  place: number,
): (() => void) | undefined {
  const { ids, selection, select, actions } = parts;
  const { id } = account;
  if (event.ctrlKey || event.metaKey) {
    return event.key === 'a' ? () => select(allOrNone(selection, ids)) : undefined;
  }
  const page = Math.max(1, Math.floor((window.innerHeight - aroundPx) / parts.rowPx));
  const next = placeAfter(event.key, place, ids.length, page);
  if (next !== undefined) {
    return () => {
      if (event.shiftKey) select(extended(selection, ids[next]!, id));
      parts.goTo(ids[next]!);
    };
  }
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => select(toggled(selection, id, ids)),
    Escape: () => select(noSelection),
    Enter: () => actions.open(account),
    s: () => parts.openChoice(id, 'status'),
    r: () => parts.openChoice(id, 'role'),
    u: () => actions.upload(account),
    a: () => decide(actions, account, 'approved'),
    d: () => decide(actions, account, 'denied'),
    z: () => actions.undo(),
    Delete: () => actions.remove(account),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.hasOwn(acts, key) ? acts[key] : undefined;
}

/** A and D decide only on pending accounts. */
function decide(actions: RowActions, account: ListedAccount, to: 'approved' | 'denied'): void {
  if (account.status === 'pending' && !statusReason(account)) actions.change({ account, what: 'status', to });
}
