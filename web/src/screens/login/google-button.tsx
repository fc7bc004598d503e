import { say } from '@kc/rules/entry-messages';
import { type GoogleEnd, readGoogleOutcome } from '@kc/rules/google';
import { paths } from '@kc/rules/paths';
import { done, type Refusal, type Result, refuse, toRefusal } from '@kc/rules/result';
import type { Session } from '@kc/rules/shapes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { type GoogleAttempt, goToGoogle, refusalOfEnd } from '../../session/google-window.ts';
import { sessionQuery } from '../../session/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { useWindowEvent } from '../../ui/use-window-event.ts';
import { OrbitingMark } from './space-button.tsx';

type ButtonProps = {
  readonly signingUp: boolean;
  readonly waiting: GoogleWaiting;
  readonly onClick: () => void;
};

/**
 * Sign-in with Google, or with another provider under its own name. If the server does not offer it, a note says so.
 */
export function GoogleButton({ signingUp, waiting, onClick }: ButtonProps) {
  const id = useId();
  // Returning from the window must not refetch the session: the result is about to be reported.
  const { data: me } = useQuery({ ...sessionQuery, refetchOnWindowFocus: false });
  const name = me?.server.providerName;
  const inWindow = `Go on in the ${name ?? 'Google'} window. Click again if you do not see it.`;
  const note = me?.server.google === false ? say('sign-in/google-off') : waiting === 'window' ? inWindow : undefined;
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
          'text-space-ink motion transition duration-[80ms] hover:bg-space-border/25 active:brightness-95',
          'disabled:pointer-events-none disabled:text-space-muted',
        )}
      >
        {waiting ? (
          <OrbitingMark />
        ) : (
          <span className="inline-flex size-7 items-center justify-center rounded-chip bg-white in-disabled:opacity-60">
            {name === undefined ? <GoogleMark /> : <KeyRound size={18} className="text-space-0" />}
          </span>
        )}
        {waiting ? `Waiting for ${name ?? 'Google'}...` : labelOf(signingUp, name)}
      </button>
      <p id={id} aria-live="polite" className={classNames('text-center text-small text-space-muted', note && 'mt-1.5')}>
        {note}
      </p>
    </div>
  );
}

function labelOf(signingUp: boolean, name: string | undefined): string {
  if (name !== undefined) return `${signingUp ? 'Sign up' : 'Sign in'} with ${name}`;
  return signingUp ? 'Sign up with Google' : 'Sign in with Google';
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

/** `window`: a pop-up is open. `here`: this page is navigating to Google, or is checking the result. */
type GoogleWaiting = 'window' | 'here' | undefined;

type Props = {
  readonly remember: boolean;
  readonly onBegin: () => void;
  readonly onSignedIn: (session: Session) => void;
  readonly onRefused: (refusal: Refusal) => void;
};

const route = getRouteApi(paths.login);

/** Google sign-in: starts it, waits for its window, and handles the result of a redirect. */
export function useGoogle(props: Props) {
  const [waiting, setWaiting] = useState<GoogleWaiting>();
  const attempt = useRef<GoogleAttempt>(undefined);
  const { data: me } = useQuery({ ...sessionQuery, refetchOnWindowFocus: false });
  const provider = useRef<string>(undefined);
  provider.current = me?.server.providerName;
  const latest = useRef(props);
  latest.current = props;

  /** Resolves with whether the user is signed in. */
  async function finish(end: GoogleEnd | 'google/popup-blocked'): Promise<boolean> {
    setWaiting(end === 'signed-in' ? 'here' : undefined);
    const result: Result<Session> =
      end === 'signed-in' ? await sessionAfterGoogle() : { ok: false, refusal: refusalOfEnd(end, provider.current) };
    setWaiting(undefined);
    if (result.ok) latest.current.onSignedIn(result.value);
    else if (end !== 'cancelled') latest.current.onRefused(result.refusal);
    return result.ok;
  }

  function begin(): void {
    if (attempt.current?.focus()) return;
    attempt.current?.stop();
    props.onBegin();
    setWaiting('here');
    attempt.current = goToGoogle(
      { remember: props.remember },
      { onEnd: (end) => void finish(end), onClosed: () => setWaiting(undefined) },
    );
    if (attempt.current) setWaiting('window');
  }

  useEffect(() => () => attempt.current?.stop(), []);
  useRedirectResult(finish);
  useRestored(() => setWaiting(undefined));
  return { waiting, begin };
}

/** The session is in a cookie. Only the server knows whether it exists. */
async function sessionAfterGoogle(): Promise<Result<Session>> {
  try {
    const session = await client.session.get();
    return session.isAuthenticated ? done(session) : refuse('google/failed');
  } catch (error) {
    return { ok: false, refusal: toRefusal(error) };
  }
}

/**
 * Handles the result of a redirect once. A failure is removed from the address, so that a reload does not repeat the
 * message. After a success, the page is left.
 */
function useRedirectResult(finish: (end: GoogleEnd) => Promise<boolean>): void {
  const { google } = route.useSearch();
  const navigate = useNavigate();
  const isHandled = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the page after the redirect
  useEffect(() => {
    if (google === undefined || isHandled.current) return;
    isHandled.current = true;
    void finish(readGoogleOutcome(google)).then((signedIn) => {
      if (!signedIn) void navigate({ to: paths.login, search: {}, replace: true });
    });
  }, []);
}

/**
 * A page that navigated to Google and is restored by "Back" no longer waits, and the user may have signed in meanwhile.
 */
function useRestored(onRestored: () => void): void {
  const queries = useQueryClient();
  useWindowEvent('pageshow', ({ persisted }) => {
    if (!persisted) return;
    onRestored();
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
}
