import { type FocusEvent, useLayoutEffect, useRef } from 'react';
import { gridRowId } from '../../../ui/data-grid.tsx';
import { useCursor } from '../../../ui/loaded-rows.ts';

/** A row that should get the focus; a new object for each request. */
export type RequestedRow = { readonly id: string };

/**
 * Roving tabindex: the one row of a list that Tab reaches. It follows its account. If that account leaves the list, the
 * next row takes over, and gets the focus if the list had it.
 */
export function useRowFocus(ids: readonly string[], requested: RequestedRow | undefined) {
  const { current, goTo: setCurrent, at } = useCursor(ids);
  const inside = useRef(false);
  const shown = useRef(current);
  const due = useRef(false);
  const handled = useRef<RequestedRow | undefined>(undefined);

  const goTo = (id: string, move = true) => {
    due.current = move;
    setCurrent(id);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a move to the row that is current already is a move too
  useLayoutEffect(() => {
    const left = shown.current !== undefined && shown.current !== current && !ids.includes(shown.current);
    shown.current = current;
    if (!due.current && !(left && inside.current)) return;
    due.current = false;
    focusRow(current);
  }, [current, ids, at]);

  useLayoutEffect(() => {
    if (!requested || handled.current === requested || !ids.includes(requested.id)) return;
    handled.current = requested;
    due.current = true;
    setCurrent(requested.id);
  }, [requested, ids, setCurrent]);

  const holders = {
    onFocus: (event: FocusEvent<HTMLElement>) => {
      inside.current = true;
      const row = event.target.closest<HTMLElement>('[data-user]')?.dataset.user;
      if (row !== undefined && row !== current) goTo(row, false);
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      inside.current = event.currentTarget.contains(event.relatedTarget);
    },
  };
  return { current, goTo, holders };
}

export const rowIdPrefix = 'user';
/** The element ID of a row or a card. */
export const rowElementId = (id: string): string => gridRowId(rowIdPrefix, id);

function focusRow(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowElementId(id));
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
