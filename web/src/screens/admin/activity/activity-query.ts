import type { ActivityFilter } from '@kc/rules/shapes';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';

/** The filtered activity, newest first, a page at a time. */
export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['activity', filter],
    queryFn: ({ pageParam, signal }) =>
      client.activity.list({ ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
