import { say } from '@kc/rules/messages';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useRef } from 'react';
import { reloadIfServed } from './reload.ts';
import { useToast } from './toast.tsx';

/** A component whose script loads when it is first shown. */
export const lazyPart = <P,>(load: () => Promise<ComponentType<P>>) => lazy(async () => ({ default: await load() }));

type LazyBoundaryProps = {
  readonly children: ReactNode;
  /** The fallback while it loads. */
  readonly fallback?: ReactNode;
  /** Shown in place of a part that failed; by default a toast reports the failure. */
  readonly failed?: (props: ErrorComponentProps) => ReactNode;
  /** Called after a failure. If `children` stay once they have been requested, it must remove them, as below. */
  readonly onFailed?: () => void;
};

/**
 * Isolates a lazily loaded part. If its script fails to load, or the part throws, the rest of the screen keeps working.
 * A toast reports the failure and offers to reload the page, which keeps the state. A further attempt is reported again
 * if there were no `children` in between.
 */
export function LazyBoundary({ children, fallback, failed = Nothing, onFailed }: LazyBoundaryProps) {
  const notify = usePartFailed();
  return (
    <CatchBoundary
      getResetKey={() => (children ? 'requested' : 'not requested')}
      errorComponent={failed}
      onCatch={() => {
        if (failed === Nothing) notify();
        onFailed?.();
      }}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Reports a part that failed to load or to show. Only a reload fetches its script again. */
export function usePartFailed(): () => void {
  const toast = useToast();
  const reload = useReload();
  return useCallback(() => toast(say('explore/part-failed'), { label: loadAgain, onAction: reload }), [toast, reload]);
}

const loadAgain = 'Load page again';

/** Reloads the page, or says that the server cannot be reached. Only the last attempt is reported. */
export function useReload(): () => void {
  const toast = useToast();
  const report = useRef(new AbortController());
  return useCallback(() => {
    const reload = async (): Promise<void> => {
      report.current.abort();
      const current = new AbortController();
      report.current = current;
      if (!(await reloadIfServed()) && report.current === current)
        toast(say('fault/offline'), { label: loadAgain, onAction: () => void reload() }, current.signal);
    };
    void reload();
  }, [toast]);
}

function Nothing() {
  return null;
}
