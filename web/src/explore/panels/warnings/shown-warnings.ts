import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isMarking, warningMarkMap } from '../../model/warning-marks.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { warningsKey } from './use-warnings.ts';

/** What the map marks, while it marks warnings. */
export function useShownMarks() {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const withUnknown = useLook((state) => state.isUnknownWarned);
  const isShown = useLook((state) => isMarking(state));
  const { data } = useQuery({
    queryKey: [...warningsKey(explorer), 'marks', withUnknown, filter],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).marks(filter, withUnknown, signal),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isShown ? data : undefined;
}

/** Keeps the marks of the map up to date while they are shown. */
export function useWarningMarks(): void {
  const { store } = useExplorer();
  const marks = useShownMarks();
  useEffect(() => {
    store.setState({ warningMarks: marks && warningMarkMap(marks) });
  }, [store, marks]);
}
