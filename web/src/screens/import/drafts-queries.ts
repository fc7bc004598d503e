import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

const movingMs = 3_000;
const isMoving = ({ state }: Draft): boolean => state === 'queued' || state === 'working';

/** The drafts of one account; polled while any of them makes progress. */
export const draftsOf = (userId: string) =>
  queryOptions({
    queryKey: ['drafts', userId],
    queryFn: ({ signal }) => client.drafts.list({ userId }, { signal }),
    staleTime: limits.draftPollMs,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? movingMs : false),
  });

/** Drafts that are still to be decided about. */
export const openDrafts = (drafts: readonly Draft[]): Draft[] => drafts.filter(({ state }) => state !== 'published');
