import { limits } from '@kc/rules/limits';
import { say, sayError, sayRefusal } from '@kc/rules/messages';
import { toRefusal } from '@kc/rules/result';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { useIsSigningOut, useSignOut } from '../../session/change-session.ts';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { agoText } from '../../ui/number-text.ts';
import { useAfter, useNow } from '../../ui/timers.ts';
import { DeniedCard } from '../denied/denied-screen.tsx';
import { AccountFacts, StatusCard } from './status-card.tsx';

/** The pending page. Once the account is approved, the guard redirects. */
export function PendingScreen() {
  const checks = useStatusChecks();
  const leaving = useIsSigningOut();
  if (checks.loading) {
    return <StatusCard mark={<Orbit />} title="Checking Status" text="Please wait while we verify your account..." />;
  }
  if (checks.error) return <FailedCard text={failureText(checks.error)} checks={checks} />;
  // The session ended elsewhere; the guard is about to redirect to the sign-in page.
  if (checks.session?.isAuthenticated === false && !leaving) {
    return <FailedCard text={say('session/no-user')} checks={checks} />;
  }
  if (checks.session?.status === 'denied') return <DeniedCard session={checks.session} />;
  return <WaitingCard checks={checks} />;
}

function WaitingCard({ checks }: { readonly checks: StatusChecks }) {
  const signOut = useSignOut();
  const [result, setResult] = useState('');
  useWaitingTitle();
  const account = checks.session?.account;
  const support = checks.session?.server.supportEmail;
  const checkNow = async () => {
    setResult('');
    await checks.check();
    setResult(say('pending/still'));
  };
  return (
    <StatusCard
      mark={<Orbit key={checks.checkedAt} />}
      title="Account Pending Approval"
      text="An administrator needs to approve your account before you can access all features. This process usually takes 1-2 business days."
      actions={
        <>
          <Button
            variant="primary"
            size="large"
            onClick={checkNow}
            icon={<RefreshCw size={18} className={classNames(checks.checking && 'motion animate-spin')} />}
          >
            Check Status Now
          </Button>
          <Button size="large" onClick={() => signOut.mutate()}>
            Sign Out
          </Button>
        </>
      }
      foot={
        <>
          {support ? (
            <>
              If it has been more than 2 business days, please contact support at{' '}
              <a href={`mailto:${support}`} className="font-medium text-brand-ink underline underline-offset-2">
                {support}
              </a>
            </>
          ) : (
            'If it has been more than 2 business days, please ask your administrator'
          )}
          .
        </>
      }
    >
      {account && <AccountFacts account={account} status="pending" idName="Request ID" />}
      {account && !account.emailProven && <ConfirmEmail />}
      <p className="mt-3 text-center text-small text-muted">
        Last checked: <LastChecked at={checks.checkedAt} />
      </p>
      <p role="status" className="min-h-5 text-center text-small text-muted">
        {checks.checking ? '' : result}
      </p>
    </StatusCard>
  );
}

/** Shows in the tab title that this page is waiting. */
function useWaitingTitle(): void {
  useEffect(() => {
    const { title } = document;
    document.title = `⏳ ${title}`;
    return () => {
      document.title = title;
    };
  }, []);
}

function LastChecked({ at }: { readonly at: number | undefined }) {
  const now = useNow(1_000);
  return <>{agoText(at === undefined ? undefined : Math.max(0, now - at))}</>;
}

function failureText(error: unknown): string {
  const refusal = toRefusal(error);
  return refusal.code === 'fault/unavailable' ? say('pending/failed') : sayRefusal(refusal);
}

function FailedCard({ text, checks }: { readonly text: string; readonly checks: StatusChecks }) {
  const signOut = useSignOut();
  return (
    <StatusCard
      mark={<CircleAlert size={56} strokeWidth={1.5} className="text-bad" />}
      title="Account Error"
      text={text}
      actions={
        <>
          <Button variant="primary" size="large" onClick={() => void checks.check()}>
            Try Again
          </Button>
          <Button size="large" onClick={() => signOut.mutate()}>
            Sign Out
          </Button>
        </>
      }
    />
  );
}

type StatusChecks = ReturnType<typeof useStatusChecks>;

/**
 * Polls the account's status: 0.2 s after the start, every 30 s, when the tab becomes visible and when the network
 * returns. The root frame also refetches it as soon as the server sends an event.
 */
function useStatusChecks() {
  const openedAt = useRef(Date.now());
  const started = useAfter(limits.statusFirstCheckMs);
  const shown = useAfter(limits.statusLoadingMs);
  const query = useQuery({
    ...sessionQuery,
    enabled: started,
    staleTime: 0,
    refetchInterval: limits.statusPollMs,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  const endedAt = Math.max(query.dataUpdatedAt, query.errorUpdatedAt);
  const checkedAt = endedAt > openedAt.current ? endedAt : undefined;
  return {
    session: query.data,
    error: query.error,
    /** The first check is shown for at least 1.5 s. */
    loading: !shown || checkedAt === undefined,
    checking: query.isFetching,
    /** When the last check ended, in ms since 1970; `undefined` before the first. */
    checkedAt,
    check: query.refetch,
  };
}

/** Sends the confirmation link again to a user whose email is not proven. */
function ConfirmEmail() {
  const request = useMutation({ mutationFn: () => client.people.requestVerification() });
  return (
    <div className="mt-4 flex flex-col items-center gap-2 text-center text-small text-muted">
      <p>Your email address is not confirmed yet: open the link in the mail you were sent.</p>
      <Button size="dense" onClick={() => request.mutate()} disabled={request.isPending}>
        Send verification email again
      </Button>
      <p role="status">
        {request.isSuccess && say('verify/sent', request.data)}
        {request.isError && sayError(request.error)}
      </p>
    </div>
  );
}

/**
 * A planet whose moon orbits once per automatic check. Use the time of the last check as `key`, so that the animation
 * restarts.
 */
function Orbit() {
  return (
    <svg viewBox="0 0 96 96" aria-hidden="true" className="size-24 short:size-16">
      <circle
        cx="48"
        cy="48"
        r="36"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 5"
        className="stroke-line-strong"
      />
      <circle cx="48" cy="48" r="16" className="fill-brand-soft" />
      <circle cx="48" cy="48" r="10" className="fill-brand" />
      <g className="motion origin-center" style={{ animation: `orbit ${limits.statusPollMs}ms linear infinite` }}>
        <circle cx="48" cy="12" r="9" className="fill-surface" />
        <circle cx="48" cy="12" r="5.5" className="fill-warn" />
      </g>
    </svg>
  );
}
