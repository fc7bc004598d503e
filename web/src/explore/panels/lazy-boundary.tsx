import { say } from '@kc/rules/messages';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useToast } from '../../ui/toast.tsx';
import { Failure } from './failure.tsx';

type LazyBoundaryProps = {
  readonly children: ReactNode;
  /** Until it is there. */
  readonly fallback?: ReactNode;
  /** Whether it is what the screen is for: then its place says that it failed, too. */
  readonly isMain?: boolean;
};

/**
 * A part whose script comes when it is asked for. One that does not come, or breaks, takes nothing else with it: whoever
 * asked is told, and can load the page again, which keeps the place. Who asks again is told again.
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
