import type { Virtualizer } from '@tanstack/react-virtual';

type List = Pick<Virtualizer<HTMLDivElement, Element>, 'scrollElement' | 'scrollOffset' | 'scrollRect'>;

/**
 * Scrolls a list of even lines just so far that one of them is seen whole.
 *
 * By what the list knows of itself: whatever asks the browser has it lay the page out in the middle of a key press, and
 * again when the lines that came into sight are there.
 *
 * @param above what stands in the list before its first line, or always over it, in CSS pixels
 */
export function bringIntoSight(
  { scrollElement, scrollOffset, scrollRect }: List,
  at: number,
  linePx: number,
  above: number,
) {
  if (!scrollElement || !scrollRect) return;
  const [top, seen] = [at * linePx, scrollRect.height - above];
  const from = scrollOffset ?? 0;
  const to = Math.min(top, Math.max(from, top + linePx - seen));
  if (to !== from) scrollElement.scrollTop = to;
}
