import { useEffect, useMemo, useState } from 'react';
import type { DensityEdges, PointsQuery } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import type { Density } from './density.ts';

export type AskedDensity = {
  /** The newest answer for the plot, perhaps for another window of it. */
  readonly density: Density | undefined;
  readonly isStale: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** How long the camera rests before a window is asked for: a drag passes many of them. */
const restMs = 120;

/**
 * What the server counts in a window of a plot. The answer for the previous window stays until the next one comes.
 *
 * @param edges the cells of the window; undefined where all points are drawn
 */
export function useDensity(query: PointsQuery, edges: DensityEdges | undefined): AskedDensity {
  const { source } = useExplorer();
  const [found, setFound] = useState<{ readonly key: string; readonly density: Density } | undefined>();
  const [failed, setFailed] = useState<{ readonly key: string; readonly why: unknown } | undefined>();
  const [tries, setTries] = useState(0);
  const plot = JSON.stringify(query);
  const key = edges && plot + JSON.stringify(edges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the window, and every retry asks again
  useEffect(() => {
    if (!edges || !key) return;
    const asking = new AbortController();
    const ask = () =>
      source
        .levels()
        .then((levels) => levels.density(query, edges, asking.signal))
        .then(
          (answer) => {
            if (asking.signal.aborted) return;
            setFound({ key, density: { ...answer, query, edges } });
            setFailed(undefined);
          },
          (why: unknown) => !asking.signal.aborted && setFailed({ key, why }),
        );
    const timer = setTimeout(ask, restMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [source, key, tries]);
  const isOfPlot = edges !== undefined && found !== undefined && JSON.stringify(found.density.query) === plot;
  const density = isOfPlot ? found.density : undefined;
  const isStale = edges !== undefined && found?.key !== key;
  const failure = failed !== undefined && failed.key === key ? failed.why : undefined;
  return useMemo(() => {
    const retry = () => {
      setFailed(undefined);
      setTries((count) => count + 1);
    };
    return { density, isStale, failure, retry };
  }, [density, isStale, failure]);
}
