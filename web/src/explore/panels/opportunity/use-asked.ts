import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useRested } from '../../../ui/timers.ts';
import type { ExplorerSource } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

export type Asked<Question, Answer> = {
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
export function useAsked<Question, Answer>(
  name: string,
  question: Question | undefined,
  ask: (source: ExplorerSource, question: Question, signal: AbortSignal) => Promise<Answer>,
  restMs = 0,
): Asked<Question, Answer> {
  const { id, source } = useExplorer();
  const key = JSON.stringify(question);
  const rested = useRested(key, restMs);
  const isRested = restMs === 0 || rested === key;
  const asked = useQuery({
    queryKey: [name, id, isRested ? key : rested],
    queryFn: async ({ signal }) => ({ question: question!, answer: await ask(source, question!, signal) }),
    enabled: question !== undefined && isRested,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Answers are large, and few questions come twice.
    gcTime: 0,
    retry: false,
  });
  const newest = useRef(asked.data);
  newest.current = asked.data ?? newest.current;
  const found = newest.current;
  return {
    found,
    isStale: question !== undefined && JSON.stringify(found?.question) !== key,
    failure: isRested ? (asked.error ?? undefined) : undefined,
    retry: asked.refetch,
  };
}
