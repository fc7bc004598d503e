import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useRested } from '../../../ui/timers.ts';
import type { ExplorerSource } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

export type LatestQuery<Question, Answer> = {
  /** The newest answer, perhaps to an earlier question. */
  readonly found: { readonly question: Question; readonly answer: Answer } | undefined;
  readonly isStale: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
};

/**
 * Asks the server about a plot. The answer to the previous question stays until the next one comes.
 *
 * @param name of the kind of question
 * @param question JSON; undefined while it is not known or not needed
 * @param restMs how long it stays the same before it is asked: a drag passes many of them
 */
export function useLatestQuery<Question, Answer>(
  name: string,
  question: Question | undefined,
  fetchAnswer: (source: ExplorerSource, question: Question, signal: AbortSignal) => Promise<Answer>,
  restMs = 0,
): LatestQuery<Question, Answer> {
  const { id, source } = useExplorer();
  const key = JSON.stringify(question);
  const settled = useRested(key, restMs);
  const isSettled = restMs === 0 || settled === key;
  const query = useQuery({
    queryKey: [name, id, isSettled ? key : settled],
    queryFn: async ({ signal }) => ({ question: question!, answer: await fetchAnswer(source, question!, signal) }),
    enabled: question !== undefined && isSettled,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Answers are large, and few questions come twice.
    gcTime: 0,
    retry: false,
  });
  const newest = useRef(query.data);
  newest.current = query.data ?? newest.current;
  const found = newest.current;
  return {
    found,
    isStale: question !== undefined && JSON.stringify(found?.question) !== key,
    failure: isSettled ? (query.error ?? undefined) : undefined,
    retry: query.refetch,
  };
}
