import { say } from '@kc/rules/messages';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useReload } from '../../ui/lazy-boundary.tsx';
import { useWindowEvent } from '../../ui/use-window-event.ts';
import { useExplorer } from './explorer-context.ts';

type FailureProps = {
  /** What failed. */
  readonly title: string;
  readonly failure: unknown;
  readonly onRetry: () => void;
  /** Whether it is retried when the browser is online again. */
  readonly retriesOnline?: boolean;
};

/**
 * A failure to load: what failed and why, a retry button and, if names are loaded, a way to continue without a chart.
 */
export function Failure({ title, failure, onRetry, retriesOnline = true }: FailureProps) {
  const { tree, store, explain } = useExplorer();
  useWindowEvent('online', () => retriesOnline && onRetry());
  return (
    <div className="absolute inset-0 z-20 flex items-center justify-center overflow-y-auto bg-canvas p-4">
      <div role="alert" className="w-full max-w-md rounded-card border border-line bg-surface p-6 text-center shadow-2">
        <h2 className="m-0 text-h2">{title}</h2>
        <p className="mt-2 mb-4 text-body text-muted">{explain(failure)}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
          {tree.size > 0 && (
            <Button onClick={() => store.setState({ outlineOnly: true, ready: true })}>Open outline only</Button>
          )}
        </div>
        <details className="mt-3 text-small text-muted">
          <summary className="cursor-pointer py-2">Technical details</summary>
          <p className="m-0 rounded-control bg-sunken p-3 text-left font-mono wrap-anywhere select-all">
            {String(failure)}
          </p>
        </details>
      </div>
    </div>
  );
}

/** In place of the chart or table if it failed to load. Only a reload fetches its script again, and would lose what is typed. */
export function MainFailed({ error }: ErrorComponentProps) {
  return <Failure title={say('explore/part-failed')} failure={error} onRetry={useReload()} retriesOnline={false} />;
}

type PartFailureProps = {
  /** What failed, and why. */
  readonly children: ReactNode;
  readonly onRetry: () => void;
  readonly className?: string;
};

/** In a part of a panel that failed to load. */
export function PartFailure({ children, onRetry, className = 'p-3' }: PartFailureProps) {
  return (
    <div
      role="alert"
      className={classNames(
        'flex flex-col items-start gap-2 rounded-control bg-bad-soft text-small text-bad',
        className,
      )}
    >
      {children}
      <Button size="dense" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** The same as part of a line. */
export function LineFailure({ children, onRetry }: Omit<PartFailureProps, 'className'>) {
  return (
    <span role="alert" className="text-bad">
      {children}{' '}
      <button type="button" onClick={onRetry} className="underline">
        Try again
      </button>
    </span>
  );
}
