import { useEffect } from 'react';
import { loadMarkPainting } from '../../charts/paint/mark-painting.ts';
import { isMarkColour } from '../../model/encodings.ts';
import { isSeasonKey } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** Loads what paints the comparison, the plan and seasons once a colour needs it, and has the chart drawn again. */
export function useMarkPainting(): void {
  const { store, explain } = useExplorer();
  const isWanted = useLook(({ colour }) => isMarkColour(colour) || isSeasonKey(colour));
  useEffect(() => {
    if (!isWanted) return;
    loadMarkPainting().then(
      () => store.setState({ canPaintMarks: true }),
      (failure: unknown) => store.setState({ notice: explain(failure) }),
    );
  }, [isWanted, store, explain]);
}
