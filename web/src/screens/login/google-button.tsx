import { say } from '@kc/rules/entry-messages';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { sessionQuery } from '../../session/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { OrbitingMark } from './orbiting-mark.tsx';
import type { GoogleWaiting } from './use-google.ts';

type Props = {
  readonly label: string;
  readonly waiting: GoogleWaiting;
  readonly onClick: () => void;
};

const notes = {
  window: 'Go on in the Google window. Click again if you do not see it.',
  here: undefined,
} as const;

/** Google sign-in. A server that does not offer it says so instead of failing. */
export function GoogleButton({ label, waiting, onClick }: Props) {
  const id = useId();
  // Coming back from the window does not ask again who is here: how it went is about to be said.
  const { data: me } = useQuery({ ...sessionQuery, refetchOnWindowFocus: false });
  const note = me?.server.google === false ? say('sign-in/google-off') : waiting && notes[waiting];
  return (
    <div>
      <button
        type="button"
        disabled={!me?.server.google}
        aria-busy={waiting !== undefined}
        aria-describedby={note ? id : undefined}
        onClick={onClick}
        className={classNames(
          'flex h-11 w-full items-center justify-center gap-3 rounded-control border border-space-border text-body font-medium',
          'text-space-ink motion transition duration-[80ms] hover:bg-space-border/25 active:scale-[.99]',
          'disabled:pointer-events-none disabled:text-space-muted',
        )}
      >
        {waiting ? (
          <OrbitingMark />
        ) : (
          <span className="inline-flex size-7 items-center justify-center rounded-chip bg-white in-disabled:opacity-60">
            <GoogleMark />
          </span>
        )}
        {waiting ? 'Waiting for Google...' : label}
      </button>
      <p id={id} aria-live="polite" className={classNames('text-center text-small text-space-muted', note && 'mt-1.5')}>
        {note}
      </p>
    </div>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-4.5" aria-hidden="true">
      <path fill="none" stroke="#4285f4" strokeWidth="4" d="M12 12h9.6a9.6 9.6 0 0 1-3.1 6.6" />
      <path fill="none" stroke="#34a853" strokeWidth="4" d="M18.5 18.6a9.3 9.3 0 0 1-14.2-2.3" />
      <path fill="none" stroke="#fbbc05" strokeWidth="4" d="M4.3 16.3a9.3 9.3 0 0 1 0-8.6" />
      <path fill="none" stroke="#ea4335" strokeWidth="4" d="M4.3 7.7a9.3 9.3 0 0 1 14.3-2.2" />
    </svg>
  );
}
