import { useEffect } from 'react';
import { loadMarkPainting } from '../../charts/paint/mark-painting.ts';
import { isMarkColour } from '../../model/encodings.ts';
import { isSeasonKey } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** Loads what paints the comparison, the plan, seasons and warnings once it is needed, and has the chart drawn again. */
export function useMarkPainting(): void {
  const { store, explain } = useExplorer();
  const isWanted = useLook(
    ({ colour, warningMarks }) => isMarkColour(colour) || isSeasonKey(colour) || warningMarks !== undefined,
  );
  useEffect(() => {
    if (!isWanted) return;
    loadMarkPainting().then(
      () => store.setState({ canPaintMarks: true }),
      (failure: unknown) => store.setState({ notice: explain(failure) }),
    );
  }, [isWanted, store, explain]);
}
