import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A row that should get the focus; a new object for each request. */
export type WantedRow = { readonly id: string };

/**
 * Roving tabindex: the one row of a list that Tab reaches. It follows its account. If that account leaves the list, the
 * next row takes over, and gets the focus if the list had it.
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

/** The element ID of a row or a card. */
export const rowElementId = (id: string): string => `user-${id}`;

function focusRow(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowElementId(id));
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/**
 * The row that a navigation key moves to, clamped to the list.
 *
 * @param page number of rows per page
 * @returns `undefined` for other keys
 */
export function placeAfter(key: string, place: number, count: number, page: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/**
 * The current row after the list changed: the same row if it is still there, else the next one that is, else the
 * previous one.
 *
 * @param was the rows when `id` was among them
 * @returns `undefined` if none of those rows is left
 */
export function rowAfterChange(id: string, was: readonly string[], now: readonly string[]): string | undefined {
  const left = new Set(now);
  if (left.has(id)) return id;
  const place = was.indexOf(id);
  return was.slice(place + 1).find((one) => left.has(one)) ?? was.slice(0, place).findLast((one) => left.has(one));
}

/** Shorter lists are rendered in full, so that the browser's find-in-page works. */
const wholeUpTo = 100;

/**
 * Virtualizes a long list: renders the rows near the viewport, and the current row wherever it is so that it keeps the
 * focus.
 *
 * @param rowPx the height of a row; an estimate if rows measure themselves
 */
export function useWindowRows(list: RefObject<HTMLElement | null>, count: number, rowPx: number, current: number) {
  const scrollMargin = usePageTop(list);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: 10,
    scrollMargin,
    rangeExtractor: (range) => (count <= wholeUpTo ? all(count) : withRow(range, current)),
  });
  const { measure } = virtual;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row height needs a new measurement
  useLayoutEffect(() => measure(), [measure, rowPx]);
  return virtual;
}

const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function withRow(range: Range, row: number): number[] {
  const rows = defaultRangeExtractor(range);
  return row < 0 || rows.includes(row) ? rows : [...rows, row].sort((a, b) => a - b);
}

/**
 * The distance of an element from the top of the page in CSS pixels, kept up to date as the content above it changes.
 */
function usePageTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
