import type { ReviewPage, ReviewTab } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { useDraft } from './draft-context.ts';

/** A review list of the draft as it is now, page by page. The list before stays until the next one arrives. */
export function useReview(tab: ReviewTab) {
  const { id, revision } = useDraft();
  return useInfiniteQuery({
    // Revisions are immutable, so each has lists of its own.
    queryKey: ['draft review', id, tab, revision?.viewId],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => client.drafts.review({ id, tab, after: pageParam }, { signal }),
    getNextPageParam: ({ total }: ReviewPage, pages) =>
      pages.length * limits.reviewPageRows < total ? pages.length * limits.reviewPageRows : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
