/**
 * The most that lines are given in the document, in CSS pixels. A browser ends an element somewhere: Firefox after
 * 2³⁰/60 (17.9 million), Chromium after 2³¹/64 (33.5 million) pixels of the screen, which a zoom of 500 % on a screen of
 * three pixels each makes 2.2 million.
 */
export const mostPx = 2_000_000;
/** How near an end of a shortened range a pixel of the scroll bar is a pixel of the lines still. */
const endsPx = 200_000;

/** A list of lines of one height, in CSS pixels. */
export type Lengths = {
  readonly count: number;
  readonly linePx: number;
  /** What stands in the list before its first line, or always over it. */
  readonly abovePx: number;
  /** All that stands in the list beside its lines. */
  readonly aroundPx: number;
  /** What of the list is seen at once. */
  readonly seenPx: number;
};

/** Where a list is scrolled to. */
export type Scrolled = {
  /** As the browser counts: pixels of what is in the document. */
  readonly top: number;
  /** The same in pixels of all lines, of which the document may have too few. */
  readonly position: number;
};

/** The height of what holds the lines. */
export const heightOf = ({ count, linePx }: Lengths): number => Math.min(count * linePx, mostPx);
export const isShortened = ({ count, linePx }: Lengths): boolean => count * linePx > mostPx;

const within = (value: number, last: number): number => Math.min(last, Math.max(0, value));
const lastTop = (list: Lengths): number => Math.max(0, heightOf(list) + list.aroundPx - list.seenPx);
const lastPosition = ({ count, linePx, aroundPx, seenPx }: Lengths): number =>
  Math.max(0, count * linePx + aroundPx - seenPx);

/**
 * Where the scroll bar stands for a position. In a shortened range both go alike near the ends, so that whoever comes
 * there by wheel or finger has as much way left as there are lines; between them, a pixel of the bar is many of lines.
 */
export function topAt(list: Lengths, position: number): number {
  const [top, end] = [lastTop(list), lastPosition(list)];
  const at = within(position, end);
  if (!isShortened(list) || at <= endsPx) return at;
  if (at >= end - endsPx) return top - (end - at);
  return Math.round(endsPx + ((at - endsPx) * (top - 2 * endsPx)) / (end - 2 * endsPx));
}

/** What is seen where the scroll bar stands: `topAt` the other way round. */
export function positionAt(list: Lengths, scrollTop: number): number {
  const [top, end] = [lastTop(list), lastPosition(list)];
  const at = within(scrollTop, top);
  if (!isShortened(list) || at <= endsPx) return at;
  if (at >= top - endsPx) return end - (top - at);
  return endsPx + ((at - endsPx) * (end - 2 * endsPx)) / (top - 2 * endsPx);
}

/**
 * Where a list is once the browser has scrolled it. A wheel, a finger and small steps go on by as many pixels of lines
 * as of the bar, so that no line is jumped over; who drags the bar goes where the bar is.
 *
 * @param byHand whether a wheel or a finger did it
 */
export function afterScroll(list: Lengths, before: Scrolled, scrollTop: number, byHand: boolean): Scrolled {
  const end = lastTop(list);
  const top = within(scrollTop, end);
  if (!isShortened(list)) return { top, position: top };
  const by = top - before.top;
  // The browser brings a bar that was set to a pixel of the screen.
  if (Math.abs(by) < 1) return before;
  // Half of what a pixel of the bar's own length stands for cannot be dragged.
  const isStep = Math.abs(by) <= Math.min(list.seenPx, end / list.seenPx / 2);
  const position = byHand || isStep ? within(before.position + by, lastPosition(list)) : positionAt(list, top);
  return { top, position };
}

/** The position nearest to another one where a line is seen whole. */
export function positionOf({ linePx, abovePx, seenPx }: Lengths, index: number, from: number): number {
  const top = index * linePx;
  return Math.min(top, Math.max(from, top + linePx - (seenPx - abovePx)));
}

/**
 * The lines that are seen, from the first to before the last, and some more on either side; the first ones where it is not
 * known yet what is seen.
 */
export function seenLines(list: Lengths, position: number, more: number): readonly [from: number, to: number] {
  const { count, linePx, abovePx, seenPx } = list;
  if (seenPx <= 0) return [0, within(more, count)];
  const at = within(position, lastPosition(list)) - abovePx;
  const from = Math.floor(at / linePx) - more;
  const to = Math.ceil((at + seenPx) / linePx) + more;
  return [within(from, count), within(to, count)];
}

/** What of a list is seen, and where it is scrolled to. */
type Sight = Scrolled & Pick<Lengths, 'seenPx'>;

/** Whether the same lines are seen and stand at the same places. */
export function isSameSight(list: Lengths, one: Sight, other: Sight): boolean {
  // Where the list was longer before, its end stands in for a place beyond it, which it may get again.
  if (Math.abs(one.position - other.position) >= list.linePx || one.seenPx !== other.seenPx) return false;
  const [from, to] = seenLines({ ...list, seenPx: one.seenPx }, one.position, 0);
  const [otherFrom, otherTo] = seenLines({ ...list, seenPx: other.seenPx }, other.position, 0);
  return from === otherFrom && to === otherTo && one.top - one.position === other.top - other.position;
}

/** Those, and in its place one that is drawn wherever the list is scrolled to; -1 for none. */
export function drawnLines(list: Lengths, position: number, more: number, always = -1): number[] {
  const [from, to] = seenLines(list, position, more);
  const lines = Array.from({ length: to - from }, (_, i) => from + i);
  if (always < 0 || always >= list.count || (always >= from && always < to)) return lines;
  return always < from ? [always, ...lines] : [...lines, always];
}
