import { say } from '@kc/rules/messages';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { bytesText } from '../../../ui/number-text.ts';
import { ProgressBar } from '../../../ui/progress.tsx';
import { Constellation } from '../../../ui/space.tsx';
import type { Bytes } from '../../model/source.ts';
import { useExplorer, useLooks } from '../explorer-context.ts';

/**
 * The placeholder for a chart that is loading. It appears after 0.3 s, so that quick loads show nothing.
 *
 * @param isFirst whether it is the first chart of a visualization; loading it can be stopped
 */
export function LoadingPicture({ isFirst = false }: { readonly isFirst?: boolean }) {
  const { cancel, start } = useExplorer();
  const { isCancelled, loadProgress } = useLooks('isCancelled', 'loadProgress');
  if (isCancelled) {
    return (
      <Middle isStill>
        <p role="status" className="m-0 text-body text-ink">
          {say('explore/load-cancelled')}
        </p>
        <Button variant="primary" onClick={() => void start()}>
          Try again
        </Button>
      </Middle>
    );
  }
  return (
    <Middle>
      <span role="status" className="sr-only">
        Loading the visualization
      </span>
      {isFirst && (
        <>
          <p className="m-0 text-small text-muted tabular-nums">{loadingText(loadProgress)}</p>
          <div className="w-60">
            <ProgressBar label="Loading" percent={percentOf(loadProgress)} />
          </div>
          <Button onClick={cancel}>Cancel</Button>
        </>
      )}
    </Middle>
  );
}

function Middle({ isStill = false, children }: { readonly isStill?: boolean; readonly children: ReactNode }) {
  return (
    <div className="absolute inset-0 flex animate-[appear_200ms_300ms_both] flex-col items-center justify-center gap-4 p-6 text-center">
      <Constellation className={`size-16 text-brand ${isStill ? '' : 'animate-pulse motion-reduce:animate-none'}`} />
      {children}
    </div>
  );
}

/** The current step: request, download or layout. */
export function loadingText(bytes: Bytes | undefined): string {
  if (!bytes) return 'Requesting the data…';
  const { read, total } = bytes;
  if (total === undefined) return `Downloading… ${bytesText(read)}`;
  return read < total ? `Downloading ${bytesText(total)}…` : 'Laying out…';
}

function percentOf(bytes: Bytes | undefined): number | undefined {
  return bytes?.total === undefined ? undefined : Math.min(100, (100 * bytes.read) / bytes.total);
}
