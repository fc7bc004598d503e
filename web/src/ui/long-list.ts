import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Options = {
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
  /** Whether the page scrolls instead of the list, which then has all its height. */
  readonly isPage?: boolean;
};

type LongList = {
  /** The indices of the rows to render, in ascending order. */
  readonly lines: readonly number[];
  /** The same without the row that is always rendered: from the first to before the last. */
  readonly visible: readonly [from: number, to: number];
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
export function useLongList(scroller: RefObject<HTMLElement | null>, options: Options): LongList {
  const { count, linePx, abovePx = 0, aroundPx = abovePx, more, always, isPage = false } = options;
  const now = useRef<Scrolled>({ top: 0, position: 0 });
  const viewPx = useRef(0);
  const lengths = useRef<Lengths>(undefined);
  const [drawn, setDrawn] = useState({ ...now.current, viewPx: 0 });
  const limitPx = isPage ? Number.POSITIVE_INFINITY : maxPx;
  const list: Lengths = { count, linePx, abovePx, aroundPx, viewPx: drawn.viewPx, limitPx };

  /** Re-renders if other rows are visible, or if they have moved. */
  const draw = useCallback(() => {
    const current = lengths.current!;
    const next = { ...now.current, viewPx: viewPx.current };
    setDrawn((last) => (isSameSight(current, last, next) ? last : next));
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
    lengths.current = { count, linePx, abovePx, aroundPx, viewPx: viewPx.current, limitPx };
    // After a change of length, the same position has another scroll bar position.
    if (isShortened(lengths.current)) moveTo(now.current.position);
  }, [count, linePx, abovePx, aroundPx, limitPx, moveTo]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const port = isPage ? window : element;
    const scrollTop = () => (isPage ? -element.getBoundingClientRect().top : element.scrollTop);
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
      now.current = afterScroll(lengths.current!, now.current, scrollTop(), byHand);
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
      viewPx.current = isPage ? window.innerHeight : element.clientHeight;
      lengths.current = { ...lengths.current!, viewPx: viewPx.current };
      scrolled();
      draw();
    };
    const observer = new ResizeObserver(measure);
    measure();
    // What is above the list on its page moves it.
    observer.observe(isPage ? document.body : element);
    port.addEventListener('scroll', onScroll, { passive: true });
    port.addEventListener('wheel', onHand, { passive: true });
    port.addEventListener('touchmove', onHand, { passive: true });
    return () => {
      clearTimeout(rest);
      observer.disconnect();
      port.removeEventListener('scroll', onScroll);
      port.removeEventListener('wheel', onHand);
      port.removeEventListener('touchmove', onHand);
    };
  }, [scroller, isPage, draw, moveTo]);

  const bringIntoSight = useCallback(
    (index: number) => {
      const current = lengths.current!;
      if (current.viewPx <= 0) return;
      const to = positionOf(current, index, now.current.position);
      if (to !== now.current.position) moveTo(to);
    },
    [moveTo],
  );

  const shiftPx = drawn.top - drawn.position;
  return {
    lines: drawnLines(list, drawn.position, more, always),
    visible: visibleLines(list, drawn.position, more),
    heightPx: heightOf(list),
    topOf: (index) => index * linePx + shiftPx,
    bringIntoSight,
  };
}

/**
 * The largest height of all rows in the document, in CSS pixels. Browsers limit the height of an element: Firefox to
 * 2³⁰/60 (17.9 million) and Chromium to 2³¹/64 (33.5 million) device pixels. With a zoom of 500 % on a screen with
 * three pixels per CSS pixel, the latter is 2.2 million.
 */
export const maxPx = 2_000_000;
/** Distance from the ends of a compressed range within which a scroll bar pixel equals a row pixel. */
const endsPx = 200_000;

/** A list of rows of equal height, in CSS pixels. */
export type Lengths = {
  readonly count: number;
  readonly linePx: number;
  /** The height of what is above the first row, scrolling or fixed. */
  readonly abovePx: number;
  /** The height of everything in the list other than rows. */
  readonly aroundPx: number;
  /** The height of the viewport. */
  readonly viewPx: number;
  /** The largest height of all rows in the document. */
  readonly limitPx?: number;
};

/** The scroll position of a list. */
export type Scrolled = {
  /** As the browser counts it: pixels of the document. */
  readonly top: number;
  /** The same in pixels of all rows, which may be more than the document has. */
  readonly position: number;
};

/** The height of the element that contains the rows. */
export const heightOf = ({ count, linePx, limitPx = maxPx }: Lengths): number => Math.min(count * linePx, limitPx);
export const isShortened = ({ count, linePx, limitPx = maxPx }: Lengths): boolean => count * linePx > limitPx;

const within = (value: number, last: number): number => Math.min(last, Math.max(0, value));
const lastTop = (list: Lengths): number => Math.max(0, heightOf(list) + list.aroundPx - list.viewPx);
const lastPosition = ({ count, linePx, aroundPx, viewPx }: Lengths): number =>
  Math.max(0, count * linePx + aroundPx - viewPx);

/**
 * The scroll bar position for a list position. In a compressed range, both advance equally near the ends, so that
 * scrolling by wheel or touch there has as much distance left as there are rows. In between, a scroll bar pixel is
 * worth many row pixels.
 */
export function topAt(list: Lengths, position: number): number {
  const [top, end] = [lastTop(list), lastPosition(list)];
  const at = within(position, end);
  if (!isShortened(list) || at <= endsPx) return at;
  if (at >= end - endsPx) return top - (end - at);
  return Math.round(endsPx + ((at - endsPx) * (top - 2 * endsPx)) / (end - 2 * endsPx));
}

/** The list position for a scroll bar position: the inverse of `topAt`. */
export function positionAt(list: Lengths, scrollTop: number): number {
  const [top, end] = [lastTop(list), lastPosition(list)];
  const at = within(scrollTop, top);
  if (!isShortened(list) || at <= endsPx) return at;
  if (at >= top - endsPx) return end - (top - at);
  return endsPx + ((at - endsPx) * (end - 2 * endsPx)) / (top - 2 * endsPx);
}

/**
 * The position of a list after the browser has scrolled it. Wheel, touch and small steps advance by equal pixels, so
 * that no row is skipped. Dragging the scroll bar jumps to the position of the bar.
 *
 * @param byHand whether a wheel or a touch scrolled it
 */
export function afterScroll(list: Lengths, before: Scrolled, scrollTop: number, byHand: boolean): Scrolled {
  const end = lastTop(list);
  const top = within(scrollTop, end);
  if (!isShortened(list)) return { top, position: top };
  const by = top - before.top;
  // Browsers round the scroll position to device pixels.
  if (Math.abs(by) < 1) return before;
  // A drag cannot move by less than half of what one pixel of the scroll bar represents.
  const isStep = Math.abs(by) <= Math.min(list.viewPx, end / list.viewPx / 2);
  const position = byHand || isStep ? within(before.position + by, lastPosition(list)) : positionAt(list, top);
  return { top, position };
}

/** The position nearest to another one at which a row is fully visible. */
export function positionOf({ linePx, abovePx, viewPx }: Lengths, index: number, from: number): number {
  const top = index * linePx;
  return Math.min(top, Math.max(from, top + linePx - (viewPx - abovePx)));
}

/**
 * The range of visible rows (end exclusive), plus some on either side. The first rows if the viewport has not been
 * measured.
 */
export function visibleLines(list: Lengths, position: number, more: number): readonly [from: number, to: number] {
  const { count, linePx, abovePx, viewPx } = list;
  if (viewPx <= 0) return [0, within(more, count)];
  const at = within(position, lastPosition(list)) - abovePx;
  const from = Math.floor(at / linePx) - more;
  const to = Math.ceil((at + viewPx) / linePx) + more;
  return [within(from, count), within(to, count)];
}

/** The visible part of a list and its scroll position. */
type Sight = Scrolled & Pick<Lengths, 'viewPx'>;

/** Whether the same rows are visible at the same places. */
export function isSameSight(list: Lengths, one: Sight, other: Sight): boolean {
  // After the list has shrunk, its end stands in for a position beyond it, which may become valid again.
  if (Math.abs(one.position - other.position) >= list.linePx || one.viewPx !== other.viewPx) return false;
  const [from, to] = visibleLines({ ...list, viewPx: one.viewPx }, one.position, 0);
  const [otherFrom, otherTo] = visibleLines({ ...list, viewPx: other.viewPx }, other.position, 0);
  return from === otherFrom && to === otherTo && one.top - one.position === other.top - other.position;
}

/** The visible rows plus one that is always rendered, in ascending order; -1 for none. */
export function drawnLines(list: Lengths, position: number, more: number, always = -1): number[] {
  const [from, to] = visibleLines(list, position, more);
  const lines = Array.from({ length: to - from }, (_, i) => from + i);
  if (always < 0 || always >= list.count || (always >= from && always < to)) return lines;
  return always < from ? [always, ...lines] : [...lines, always];
}
