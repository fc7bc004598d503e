import { type GoogleEnd, readGoogleOutcome } from '@kc/rules/google';
import { paths } from '@kc/rules/paths';
import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import type { Session } from '@kc/rules/shapes';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { type GoogleWay, goToGoogle } from '../../session/google-window.ts';
import { sessionQuery } from '../../session/session.ts';

/** `window`: one is open; `here`: this page is on its way, or asks who came back. */
export type GoogleWaiting = 'window' | 'here' | undefined;

type Props = {
  readonly remember: boolean;
  readonly onBegin: () => void;
  readonly onSignedIn: (session: Session) => void;
  readonly onRefused: (refusal: Refusal) => void;
};

const route = getRouteApi(paths.login);

/** Signing in with Google: begins it, waits for its window, and takes what a redirect came back with. */
export function useGoogle(props: Props) {
  const [waiting, setWaiting] = useState<GoogleWaiting>();
  const way = useRef<GoogleWay>(undefined);
  const latest = useRef(props);
  latest.current = props;

  /** Whether somebody is signed in. */
  async function finish(end: GoogleEnd | 'google/popup-blocked'): Promise<boolean> {
    setWaiting(end === 'signed-in' ? 'here' : undefined);
    const answer = end === 'signed-in' ? await askWhoCame() : refuse(end);
    setWaiting(undefined);
    if (answer.ok) latest.current.onSignedIn(answer.value);
    else if (end !== 'cancelled') latest.current.onRefused(answer.refusal);
    return answer.ok;
  }

  function begin(): void {
    if (way.current?.focus()) return;
    way.current?.stop();
    props.onBegin();
    setWaiting('here');
    way.current = goToGoogle(
      { remember: props.remember },
      { onEnd: (end) => void finish(end), onClosed: () => setWaiting(undefined) },
    );
    if (way.current) setWaiting('window');
  }

  useEffect(() => () => way.current?.stop(), []);
  useComingBack(finish);
  useRestored(() => setWaiting(undefined));
  return { waiting, begin };
}

/** The session is in a cookie: whoever says that somebody was signed in, the server knows. */
async function askWhoCame(): Promise<Result<Session>> {
  try {
    const session = await client.session.get();
    return session.isAuthenticated ? done(session) : refuse('google/failed');
  } catch (error) {
    return { ok: false, refusal: toRefusal(error) };
  }
}

/**
 * What a redirect came back with is taken once. A failure leaves the address, so that a reload does not say it again;
 * somebody signed in leaves the page.
 */
function useComingBack(finish: (end: GoogleEnd) => Promise<boolean>): void {
  const { google } = route.useSearch();
  const navigate = useNavigate();
  const taken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the page that came back
  useEffect(() => {
    if (google === undefined || taken.current) return;
    taken.current = true;
    void finish(readGoogleOutcome(google)).then((signedIn) => {
      if (!signedIn) void navigate({ to: paths.login, search: {}, replace: true });
    });
  }, []);
}

/** A page that left for Google and is shown again by "Back" waits for nobody, and somebody may be signed in by now. */
function useRestored(onRestored: () => void): void {
  const queries = useQueryClient();
  const latest = useRef(onRestored);
  latest.current = onRestored;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      latest.current();
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [queries]);
}
