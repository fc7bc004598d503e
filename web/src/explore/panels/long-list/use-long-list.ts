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
  /** What stands in the list before its first line, or always over it, in CSS pixels. */
  readonly abovePx?: number;
  /** All that stands in the list beside its lines. */
  readonly aroundPx?: number;
  /** Lines that are drawn before and after those that are seen. */
  readonly more: number;
  /** A line that is drawn wherever the list is scrolled to; -1 for none. */
  readonly always?: number;
};

export type LongList = {
  /** The indices of the lines to draw, ascending. */
  readonly lines: readonly number[];
  /** The height of what holds them. */
  readonly heightPx: number;
  /** Where in there a line stands. */
  readonly topOf: (index: number) => number;
  /** Scrolls just so far that a line is seen whole. */
  readonly bringIntoSight: (index: number) => void;
};

/** After so long without scrolling the bar is brought to where it belongs. */
const restMs = 150;

/**
 * Of a list of even lines those that are in sight, however many there are: where they are more than a document has room
 * for, they stand in a range that is shortened, and near to where one is the list still moves by pixels.
 *
 * It works by what it knows of itself: whatever asks the browser has it lay the page out in the middle of a key press.
 */
export function useLongList(scroller: RefObject<HTMLElement | null>, given: Given): LongList {
  const { count, linePx, abovePx = 0, aroundPx = abovePx, more, always } = given;
  const now = useRef<Scrolled>({ top: 0, position: 0 });
  const seenPx = useRef(0);
  const lengths = useRef<Lengths>(undefined);
  const [drawn, setDrawn] = useState({ ...now.current, seenPx: 0 });
  const list: Lengths = { count, linePx, abovePx, aroundPx, seenPx: drawn.seenPx };

  /** Draws anew if other lines are in sight, or they stand elsewhere. */
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
    // Of another length, the bar stands elsewhere for what is seen.
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
      // A list that is drawn later than the browser scrolls shows nothing for a moment.
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
