import type { LevelPoints } from '@kc/rules/points-shapes';
import { useEffect, useState } from 'react';
import type { PointsQuery } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

export type Asked<T> = {
  /** The newest answer, perhaps to an earlier query. */
  readonly found: { readonly query: PointsQuery; readonly points: T } | undefined;
  readonly isStale: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** How long a threshold rests before totals are asked for: a drag passes many values. */
const restMs = 120;

/**
 * The points of a level, or only their totals, as the server counts them. The answer to the previous query stays until
 * the next one comes.
 *
 * @param query undefined while it is not known or not needed
 */
export function usePoints(query: PointsQuery | undefined, isMoving = false): Asked<LevelPoints> {
  const { source } = useExplorer();
  const [found, setFound] = useState<Asked<LevelPoints>['found']>();
  const [failed, setFailed] = useState<{ readonly key: string; readonly why: unknown } | undefined>();
  const [tries, setTries] = useState(0);
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query, and every retry asks again
  useEffect(() => {
    if (!query) return;
    const asking = new AbortController();
    const ask = () =>
      source
        .levels()
        .then((levels) => levels.points(query, asking.signal))
        .then(
          (points) => {
            if (asking.signal.aborted) return;
            setFound({ query, points });
            setFailed(undefined);
          },
          (why: unknown) => !asking.signal.aborted && setFailed({ key, why }),
        );
    const timer = isMoving ? setTimeout(ask, restMs) : undefined;
    if (!isMoving) void ask();
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [source, key, tries]);
  return {
    found,
    isStale: query !== undefined && JSON.stringify(found?.query) !== key,
    failure: failed !== undefined && failed.key === key ? failed.why : undefined,
    retry: () => {
      setFailed(undefined);
      setTries(tries + 1);
    },
  };
}
