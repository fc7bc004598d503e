import type { Filter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { useMemo } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';

/** The filter that is wanted, shown already or on its way, and how to want another one. */
export function useFilter(): { filter: Filter; change: (next: Filter, settleMs?: number) => void } {
  const explorer = useExplorer();
  const text = useLook((state) => state.filtering ?? state.filter);
  const filter = useMemo(() => readFilter(text)!, [text]);
  return { filter, change: (next, settleMs) => void explorer.setFilter(writeFilter(next), settleMs) };
}
