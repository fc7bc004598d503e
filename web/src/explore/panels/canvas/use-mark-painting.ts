import { useEffect } from 'react';
import { loadMarkPainting } from '../../charts/paint/mark-painting.ts';
import { isMarkColour } from '../../model/encodings.ts';
import { isSeasonKey } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** Loads what paints special marks once they are needed, and has the chart drawn again. */
export function useMarkPainting(): void {
  const { store, explain } = useExplorer();
  const isWanted = useLook(
    ({ colour, warningMarks, isFaint }) =>
      isFaint || warningMarks !== undefined || isMarkColour(colour) || isSeasonKey(colour),
  );
  useEffect(() => {
    if (!isWanted) return;
    loadMarkPainting().then(
      () => store.setState({ canPaintMarks: true }),
      (failure: unknown) => store.setState({ notice: explain(failure) }),
    );
  }, [isWanted, store, explain]);
}
