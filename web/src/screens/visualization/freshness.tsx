import { say } from '@kc/rules/messages';
import type { Visualization } from '@kc/rules/shapes';
import type { QueryObserverOptions } from '@tanstack/react-query';
import { CloudOff, RefreshCw, Sparkles } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { clockText, durationText } from '../../ui/number-text.ts';
import { useNow } from '../../ui/timers.ts';

type LastUpdatedProps = {
  /** When the server was last checked for newer data, in ms since 1970. */
  readonly at: number;
  readonly isRefreshing: boolean;
  readonly onRefresh: () => void;
};

const tickMs = 15_000;

/** "Updated 12 min ago · Refresh": the age of the data, and a button to check for newer data. */
export function LastUpdated({ at, isRefreshing, onRefresh }: LastUpdatedProps) {
  /** The text when the user last checked. */
  const [checked, setChecked] = useState<{ readonly at: number; readonly text: string }>();
  const text = lastUpdatedText(useNow(tickMs) - at);
  const isCheckResult =
    checked !== undefined && (checked.at === at ? text === checked.text : text === lastUpdatedText(0));
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-micro text-muted">
      {/* The result of a refresh is announced; the time that passes then is not. */}
      <span role={isCheckResult ? 'status' : undefined}>{text}</span>
      <span aria-hidden="true">·</span>
      <button
        type="button"
        onClick={() => {
          setChecked({ at, text });
          onRefresh();
        }}
        className="inline-flex h-6 items-center gap-1 rounded-chip px-1 font-medium text-brand-ink hover:bg-sunken touch:h-11 touch:px-2"
      >
        <RefreshCw
          size={12}
          strokeWidth={2}
          className={isRefreshing ? 'animate-spin [animation-delay:300ms] motion-reduce:animate-none' : ''}
        />
        Refresh
      </button>
    </span>
  );
}

export function lastUpdatedText(ms: number): string {
  return ms < 60_000 ? 'Updated just now' : `Updated ${durationText(ms)} ago`;
}

type PillsProps = {
  /** Opens the newer data; undefined if there is none. */
  readonly onUpdate: (() => void) | undefined;
  /** Whether the sample is shown, so that the newer data is the user's first. */
  readonly isSample: boolean;
  /** When the server last responded, in ms since 1970; undefined while it is reachable. */
  readonly dataAt: number | undefined;
};

/** Overlays above the chart: newer data is available, or the server is unreachable. */
export function Pills({ onUpdate, isSample, dataAt }: PillsProps) {
  return (
    <div role="status" className="pointer-events-none flex flex-col items-center *:my-1">
      {onUpdate && (
        <button
          type="button"
          onClick={onUpdate}
          className={`${pillClass} pointer-events-auto bg-brand text-on-brand hover:bg-brand-hover`}
        >
          <Sparkles size={16} />
          {say(isSample ? 'visualization/first' : 'visualization/newer')}
        </button>
      )}
      {dataAt !== undefined && (
        <p className={`${pillClass} m-0 border border-line-strong bg-surface text-ink`}>
          <CloudOff size={16} className="text-warn" />
          {say('visualization/offline', { time: clockText(dataAt) })}
        </p>
      )}
    </div>
  );
}

const pillClass = 'flex h-9 items-center gap-2 rounded-full px-4 text-small font-medium shadow-2 touch:h-11';

/** Whether the browser has a network connection at all. */
export function useOnline(): boolean {
  return useSyncExternalStore(listen, () => navigator.onLine);
}

function listen(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** A user who has nothing yet is waiting for data. */
const waitingMs = 30_000;

type All = Visualization[];

/**
 * When to check for newer data: at the interval set by the administrators, not while the tab is hidden, and at once on
 * return if a check is overdue. Never automatically if the setting says so.
 *
 * @param refreshMs `false` to check on request only
 */
export function refreshOptions(refreshMs: number | false) {
  const everyMs = (all: All | undefined) => (all?.some((one) => !one.isSample) ? refreshMs : waitingMs);
  return {
    refetchInterval: ({ state }) => everyMs(state.data),
    staleTime: ({ state }) => everyMs(state.data) || Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: ({ state }) => everyMs(state.data) !== false,
  } satisfies Partial<QueryObserverOptions<All>>;
}
