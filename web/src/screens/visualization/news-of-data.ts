import { say } from '@kc/rules/messages';
import type { Visualization } from '@kc/rules/shapes';
import { useEffect, useRef } from 'react';
import { useToast } from '../../ui/toast.tsx';
import { newerOf } from './choice.ts';

/** Says that newer data has come while the page was open. Source: decisions §3 "dataRefreshInterval". */
export function useNewsOfData(all: readonly Visualization[] | undefined): void {
  const toast = useToast();
  const tell = useRef(toast);
  tell.current = toast;
  const before = useRef(all);
  useEffect(() => {
    const newer = newerOf(before.current, all);
    before.current = all;
    if (newer) tell.current(say('visualization/newer', { fileName: newer.fileName }));
  }, [all]);
}
