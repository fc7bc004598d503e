import { useEffect } from 'react';
import { loadMarkPainting } from '../../charts/paint/mark-painting.ts';
import { isMarkColour } from '../../model/encodings.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** Loads what paints the comparison and the plan once a colour needs it, and has the chart drawn again. */
export function useMarkPainting(): void {
  const { store, explain } = useExplorer();
  const isWanted = useLook(({ colour }) => isMarkColour(colour));
  useEffect(() => {
    if (!isWanted) return;
    loadMarkPainting().then(
      () => store.setState({ canPaintMarks: true }),
      (failure: unknown) => store.setState({ notice: explain(failure) }),
    );
  }, [isWanted, store, explain]);
}
