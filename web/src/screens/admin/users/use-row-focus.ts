import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import { rowAfterChange } from './row-focus.ts';
import { rowElementId } from './user-row.tsx';

/** A row that something outside the table wants the focus on; a new object for each wish. */
export type WantedRow = { readonly id: string };

/**
 * The one row of a table that the Tab key leads to. It stays with its account; when that leaves the table, the next one
 * takes its place and, if the focus was inside, the focus.
 */
export function useRowFocus(ids: readonly string[], wanted: WantedRow | undefined) {
  const [at, setAt] = useState<{ id: string; among: readonly string[] }>();
  const current = (at && rowAfterChange(at.id, at.among, ids)) ?? ids[0];
  const inside = useRef(false);
  const shown = useRef(current);
  const due = useRef(false);
  const granted = useRef<WantedRow | undefined>(undefined);

  const goTo = (id: string, move = true) => {
    due.current = move;
    setAt({ id, among: ids });
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
    if (!wanted || granted.current === wanted || !ids.includes(wanted.id)) return;
    granted.current = wanted;
    due.current = true;
    setAt({ id: wanted.id, among: ids });
  }, [wanted, ids]);

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

function focusRow(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowElementId(id));
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
