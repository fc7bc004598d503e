import type { NodeDetail } from '@kc/rules/shapes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';
import { KeywordListbox, useLines } from './keyword-listbox.tsx';

/** How many rows before the end the next page is requested. */
const ahead = 40;

/** Every keyword of a branch, heaviest first, loaded page by page while scrolling. */
export function KeywordList({ detail }: { detail: NodeDetail }) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keywords', explorer.id, detail.node, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      explorer.source.keywords({ node: detail.node, filter, after: pageParam }, signal),
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const keywords = useMemo(() => data?.pages.flatMap((page) => page.keywords) ?? [], [data]);
  const lines = useLines(keywords.length);
  const last = lines.list.lines.at(-1) ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last > keywords.length - ahead) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, last, keywords.length, fetchNextPage]);
  return (
    <KeywordListbox
      label={`All keywords of ${detail.name}, the heaviest first`}
      className="mt-2 max-h-80"
      lines={lines}
      setSize={hasNextPage ? -1 : keywords.length}
      keywordAt={(line) => keywords[line]}
      isSelected={(_, line) => line === lines.current}
      onChoose={({ node }) => void explorer.goToNode(node)}
      isBusy={isFetching}
      onRetry={isError ? () => void fetchNextPage() : undefined}
    />
  );
}
