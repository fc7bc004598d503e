import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../../session/session.ts';

export type StatusChecks = {
  readonly session: Session | undefined;
  readonly error: unknown;
  /** The first look is still shown as such, for at least 1.5 s. */
  readonly loading: boolean;
  readonly checking: boolean;
  /** When the last check ended, ms since 1970; `undefined` before the first. */
  readonly checkedAt: number | undefined;
  readonly check: () => Promise<unknown>;
};

/**
 * Asks for the account's status: 0.2 s after the start, every 30 s, when the tab is looked at again and when the network
 * returns. The frame around every page asks at once when the server says that something changed.
 *
 * Source: spec §4 "Pending page status".
 */
export function useStatusChecks(): StatusChecks {
  const openedAt = useRef(Date.now());
  const started = useAfter(limits.statusFirstCheckMs);
  const shown = useAfter(limits.statusLoadingMs);
  const query = useQuery({
    ...sessionQuery,
    enabled: started,
    staleTime: 0,
    refetchInterval: limits.statusPollMs,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  const endedAt = Math.max(query.dataUpdatedAt, query.errorUpdatedAt);
  const checkedAt = endedAt > openedAt.current ? endedAt : undefined;
  return {
    session: query.data,
    error: query.error,
    loading: !shown || checkedAt === undefined,
    checking: query.isFetching,
    checkedAt,
    check: query.refetch,
  };
}

function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}
