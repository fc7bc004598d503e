import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export type RowWindow = {
  /** Places in the list of the rows that are drawn, in order. */
  readonly drawn: readonly number[];
  /** Of the whole list, in CSS pixels. */
  readonly heightPx: number;
  /**
   * Scrolls just so far that a row is seen whole, by what is known of the list: whatever asks the browser has it lay the
   * page out in the middle of a key press, and again when the rows that came into sight are there.
   *
   * @param above what stands in the list before its first row, or always over it, in CSS pixels
   */
  readonly bringIntoSight: (at: number, above?: number) => void;
};

type Even = {
  readonly count: number;
  readonly rowPx: number;
  /** Rows that are drawn beyond those in sight, to either side. */
  readonly beyond: number;
  /** A row that is drawn wherever the list is scrolled to; -1 for none. */
  readonly always?: number;
};

/** The rows of a list of even rows that are drawn: those in sight and some beyond. Source: design, experience §7. */
export function useRowWindow(list: RefObject<HTMLElement | null>, rows: Even): RowWindow {
  const { rowPx } = rows;
  const place = useRef({ top: 0, height: 0 });
  const [sight, setSight] = useState<Sight>({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const look = () => {
      const seen = rowsInSight(place.current.top, place.current.height, rowPx);
      setSight((before) => (before.first === seen.first && before.last === seen.last ? before : seen));
    };
    const scrolled = () => {
      place.current.top = element.scrollTop;
      // Drawn in the frame that shows them: later, a list that is scrolled fast would be empty for a moment.
      flushSync(look);
    };
    const observer = new ResizeObserver(([entry]) => {
      place.current.height = entry!.borderBoxSize[0]!.blockSize;
      look();
    });
    place.current = { top: element.scrollTop, height: element.offsetHeight };
    look();
    element.addEventListener('scroll', scrolled, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      observer.disconnect();
    };
  }, [list, rowPx]);
  const bringIntoSight = useCallback(
    (at: number, above = 0) => {
      const { top: from, height } = place.current;
      if (!list.current || height === 0) return;
      const top = at * rowPx;
      const to = Math.min(top, Math.max(from, top + rowPx + above - height));
      if (to !== from) list.current.scrollTop = to;
    },
    [list, rowPx],
  );
  return { drawn: drawnRows(sight, rows), heightPx: rows.count * rowPx, bringIntoSight };
}

/** The rows that a part of a list shows, the last one included; `last` is before `first` where it has no height. */
export type Sight = { readonly first: number; readonly last: number };

export const rowsInSight = (top: number, height: number, rowPx: number): Sight => ({
  first: Math.max(0, Math.floor(top / rowPx)),
  last: Math.ceil((top + height) / rowPx) - 1,
});

/** Of a list that grew shorter than what was in sight, its end. */
export function drawnRows({ first, last }: Sight, { count, beyond, always = -1 }: Omit<Even, 'rowPx'>): number[] {
  const to = Math.min(count - 1, last + beyond);
  const from = Math.max(0, Math.min(first, to) - beyond);
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (always < 0 || always >= count || (always >= from && always <= to)) return rows;
  return always < from ? [always, ...rows] : [...rows, always];
}
