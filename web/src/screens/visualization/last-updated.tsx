import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { durationText } from '../../ui/quantity-text.ts';

export type LastUpdatedProps = {
  /** When the server was last asked whether there is newer data, milliseconds since 1970. */
  readonly at: number;
  readonly isAsking: boolean;
  readonly onRefresh: () => void;
};

const tickMs = 15_000;

/** "Updated 12 min ago · Refresh": of when the data are, and the way to ask for newer ones by hand. */
export function LastUpdated({ at, isAsking, onRefresh }: LastUpdatedProps) {
  const [asked, setAsked] = useState(false);
  const text = lastUpdatedText(useNow() - at);
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-micro text-muted">
      {/* Who asked is told the answer; a time that goes by is not read out. */}
      <span role={asked ? 'status' : undefined}>{text}</span>
      <span aria-hidden="true">·</span>
      <button
        type="button"
        onClick={() => {
          setAsked(true);
          onRefresh();
        }}
        className="inline-flex h-6 items-center gap-1 rounded-chip px-1 font-medium text-brand-ink hover:bg-sunken touch:h-11 touch:px-2"
      >
        <RefreshCw
          size={12}
          strokeWidth={2}
          aria-hidden="true"
          className={isAsking ? 'animate-spin [animation-delay:300ms] motion-reduce:animate-none' : ''}
        />
        Refresh
      </button>
    </span>
  );
}

export function lastUpdatedText(ms: number): string {
  return ms < 60_000 ? 'Updated just now' : `Updated ${durationText(ms)} ago`;
}

/** The time, now and then. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
