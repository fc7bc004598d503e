import { say } from '@kc/rules/messages';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useToast } from '../../ui/toast.tsx';
import { Failure } from './failure.tsx';

type LazyBoundaryProps = {
  readonly children: ReactNode;
  /** The fallback while it loads. */
  readonly fallback?: ReactNode;
  /** Whether it is the main content of the screen: its area then shows the failure as well. */
  readonly isMain?: boolean;
};

/**
 * Isolates a lazily loaded part. If its script fails to load, or the part throws, the rest of the screen keeps working.
 * A toast reports the failure and offers to reload the page, which keeps the state. Every further attempt is reported
 * again.
 */
export function LazyBoundary({ children, fallback, isMain = false }: LazyBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => (children ? 'asked' : 'not asked')}
      errorComponent={isMain ? MainFailed : PartFailed}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

const reload = () => location.reload();

function PartFailed({ error }: ErrorComponentProps) {
  const toast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => toast(say('explore/part-failed'), { label: 'Load page again', onAction: reload }), [error]);
  return null;
}

function MainFailed({ error }: ErrorComponentProps) {
  return <Failure title={say('explore/part-failed')} failure={error} onRetry={reload} />;
}
