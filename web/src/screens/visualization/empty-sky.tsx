import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Stars } from './stars.tsx';

type EmptySkyProps = {
  /** When the server was last asked for data, milliseconds since 1970. */
  readonly checkedAt: number;
  /** What can be done from here, the main thing first. */
  readonly actions: ReactNode;
  readonly isAdmin: boolean;
};

/** What a person without any visualization sees: where the data will come from, and something to do until then. */
export function EmptySky({ checkedAt, actions, isAdmin }: EmptySkyProps) {
  const text = useRef<HTMLDivElement>(null);
  return (
    <section className="space relative flex flex-1 items-center justify-center overflow-hidden p-6">
      <Stars count={220} text={text} />
      <div ref={text} className="relative max-w-md text-center">
        <h2 className="m-0 text-display text-space-ink">Your sky is ready</h2>
        <p className="mt-3 text-body text-space-muted">
          {isAdmin
            ? 'Upload a keyword file for yourself or for somebody else. It appears here as soon as it is read.'
            : 'An administrator uploads your keyword data. You will see it here as soon as it arrives.'}
        </p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">{actions}</div>
        <p className="mt-6 text-small text-space-muted">
          Waiting for data · <CheckedAgo at={checkedAt} />
        </p>
      </div>
    </section>
  );
}

/** The seconds since then, counted on. It is no live region: a number that ticks would be read all the time. */
function CheckedAgo({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return <>{seconds === 0 ? 'checked just now' : `checked ${seconds} s ago`}</>;
}
