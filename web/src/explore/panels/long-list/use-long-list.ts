import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  afterScroll,
  drawnLines,
  heightOf,
  isSameSight,
  isShortened,
  type Lengths,
  positionOf,
  type Scrolled,
  topAt,
} from './long-list.ts';

type Given = {
  readonly count: number;
  readonly linePx: number;
  /** The height of what is above the first row, scrolling or fixed, in CSS pixels. */
  readonly abovePx?: number;
  /** The height of everything in the list other than rows. */
  readonly aroundPx?: number;
  /** Overscan: rows rendered before and after the visible ones. */
  readonly more: number;
  /** A row that is always rendered; -1 for none. */
  readonly always?: number;
};

export type LongList = {
  /** The indices of the rows to render, in ascending order. */
  readonly lines: readonly number[];
  /** The height of the element that contains the rows. */
  readonly heightPx: number;
  /** The position of a row within that element. */
  readonly topOf: (index: number) => number;
  /** Scrolls the minimum distance that makes a row fully visible. */
  readonly bringIntoSight: (index: number) => void;
};

/** Idle time after which the scroll bar is moved to its proper position. */
const restMs = 150;

/**
 * A virtual list of rows of equal height, of any length. If a document cannot hold all rows, the range is compressed,
 * while scrolling near the current position still moves by pixels.
 *
 * It keeps its own measurements, because reading them from the browser would force a layout during a key press.
 */
export function useLongList(scroller: RefObject<HTMLElement | null>, given: Given): LongList {
  const { count, linePx, abovePx = 0, aroundPx = abovePx, more, always } = given;
  const now = useRef<Scrolled>({ top: 0, position: 0 });
  const seenPx = useRef(0);
  const lengths = useRef<Lengths>(undefined);
  const [drawn, setDrawn] = useState({ ...now.current, seenPx: 0 });
  const list: Lengths = { count, linePx, abovePx, aroundPx, seenPx: drawn.seenPx };

  /** Re-renders if other rows are visible, or if they have moved. */
  const draw = useCallback(() => {
    const known = lengths.current!;
    const next = { ...now.current, seenPx: seenPx.current };
    setDrawn((last) => (isSameSight(known, last, next) ? last : next));
  }, []);

  const moveTo = useCallback(
    (position: number) => {
      const top = topAt(lengths.current!, position);
      if (scroller.current && top !== now.current.top) scroller.current.scrollTop = top;
      now.current = { top, position };
      draw();
    },
    [draw, scroller],
  );

  useLayoutEffect(() => {
    lengths.current = { count, linePx, abovePx, aroundPx, seenPx: seenPx.current };
    // After a change of length, the same position has another scroll bar position.
    if (isShortened(lengths.current)) moveTo(now.current.position);
  }, [count, linePx, abovePx, aroundPx, moveTo]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let byHand = false;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      byHand = false;
      moveTo(now.current.position);
    };
    const settleSoon = () => {
      clearTimeout(rest);
      if (isShortened(lengths.current!)) rest = setTimeout(settle, restMs);
    };
    const scrolled = () => {
      now.current = afterScroll(lengths.current!, now.current, element.scrollTop, byHand);
      settleSoon();
    };
    const onScroll = () => {
      scrolled();
      // Render synchronously: a list rendered after the browser scrolls would flash empty.
      flushSync(draw);
    };
    const onHand = () => {
      byHand = isShortened(lengths.current!);
      settleSoon();
    };
    const measure = () => {
      seenPx.current = element.clientHeight;
      lengths.current = { ...lengths.current!, seenPx: element.clientHeight };
      scrolled();
      draw();
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onHand, { passive: true });
    element.addEventListener('touchmove', onHand, { passive: true });
    return () => {
      clearTimeout(rest);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onHand);
      element.removeEventListener('touchmove', onHand);
    };
  }, [scroller, draw, moveTo]);

  const bringIntoSight = useCallback(
    (index: number) => {
      const known = lengths.current!;
      if (known.seenPx <= 0) return;
      const to = positionOf(known, index, now.current.position);
      if (to !== now.current.position) moveTo(to);
    },
    [moveTo],
  );

  const shiftPx = drawn.top - drawn.position;
  return {
    lines: drawnLines(list, drawn.position, more, always),
    heightPx: heightOf(list),
    topOf: (index) => index * linePx + shiftPx,
    bringIntoSight,
  };
}
