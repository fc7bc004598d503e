import type { Filter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { useMemo } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';

/** The requested filter, applied or still loading, and a function to change it. */
export function useFilter(): { filter: Filter; change: (next: Filter, settleMs?: number) => void } {
  const explorer = useExplorer();
  const text = useLook((state) => state.filtering ?? state.filter);
  const filter = useMemo(() => readFilter(text)!, [text]);
  return { filter, change: (next, settleMs) => void explorer.setFilter(writeFilter(next), settleMs) };
}
