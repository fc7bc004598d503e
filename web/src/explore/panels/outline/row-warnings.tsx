import { lazy } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

const OutlineWarnings = lazy(async () => ({ default: (await import('./outline-warnings.tsx')).OutlineWarnings }));

/** The warnings of a row, for rows that the map marks; nothing is loaded for the others. */
export function RowWarnings({ row, isOpen }: { readonly row: number; readonly isOpen: boolean }) {
  const { tree } = useExplorer();
  const isMarked = useLook((state) => state.warningMarks?.has(tree.node[row]!) ?? false);
  return (
    isMarked && (
      <LazyBoundary>
        <OutlineWarnings row={row} isOpen={isOpen} />
      </LazyBoundary>
    )
  );
}
