import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect } from 'react';
import { usePageTop } from './use-page-top.ts';

/** Lists up to here are drawn whole, so that the browser's own search finds everybody. Source: experience §4.2. */
const wholeUpTo = 100;

/**
 * The rows of a long list that are drawn: those near the window, and the current one wherever it is, so that it keeps
 * the focus.
 *
 * @param rowPx a row's height; of rows that measure themselves, about
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are to be counted anew
  useLayoutEffect(() => measure(), [measure, rowPx]);
  return virtual;
}

const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function withRow(range: Range, row: number): number[] {
  const rows = defaultRangeExtractor(range);
  return row < 0 || rows.includes(row) ? rows : [...rows, row].sort((a, b) => a - b);
}
