import { paths } from '@kc/rules/paths';
import { sampleId } from '@kc/rules/upload';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Stars } from './stars.tsx';

type EmptyScreenProps = {
  readonly isAdmin: boolean;
  readonly canImport: boolean;
  /** When the server was last queried, in milliseconds since 1970. */
  readonly checkedAt: number;
  readonly hasSample: boolean;
};

/** The home page of a user who has nothing to explore yet: where the data will come from, and what to do until then. */
export function EmptyScreen({ isAdmin, canImport, checkedAt, hasSample }: EmptyScreenProps) {
  const { history } = useRouter();
  const text = useRef<HTMLDivElement>(null);
  return (
    <div className="flex min-h-[calc(100dvh-var(--header))] flex-1 flex-col">
      <h1 tabIndex={-1} className="sr-only">
        My Visualizations
      </h1>
      <section className="space relative flex flex-1 items-center justify-center overflow-hidden p-6">
        <Stars count={220} text={text} />
        <div ref={text} className="relative max-w-md text-center">
          <h2 className="m-0 text-display text-space-ink">Your sky is ready</h2>
          <p className="mt-3 text-body text-space-muted">
            {isAdmin
              ? 'Upload a keyword file for yourself or for somebody else. It appears here as soon as it is read.'
              : canImport
                ? 'Import a list of keywords, or wait until an administrator uploads your data.'
                : 'An administrator uploads your keyword data. You will see it here as soon as it arrives.'}
          </p>
          <div className="mt-6 flex flex-wrap justify-center gap-3">
            {isAdmin && (
              <Link to={paths.admin} search={{ tab: 'upload' }} className={buttonClass('primary', 'large')}>
                Upload File
              </Link>
            )}
            {canImport && (
              <Link to={paths.import} className={buttonClass(isAdmin ? 'secondary' : 'primary', 'large')}>
                Import a list
              </Link>
            )}
            {isAdmin && (
              <a href="/sample-keywords.json" download className={buttonClass('secondary', 'large')}>
                Download a sample file
              </a>
            )}
            {hasSample && (
              <Button
                variant={isAdmin || canImport ? 'secondary' : 'primary'}
                size="large"
                onClick={() => history.push(`${paths.visualization}?v=${sampleId}`)}
              >
                Explore a sample
              </Button>
            )}
          </div>
          <p className="mt-6 text-small text-space-muted">
            Waiting for data · <CheckedAgo at={checkedAt} />
          </p>
        </div>
      </section>
    </div>
  );
}

/** The seconds since then, ticking. It is not a live region, because a screen reader would announce every tick. */
function CheckedAgo({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return <>{seconds === 0 ? 'checked just now' : `checked ${seconds} s ago`}</>;
}
