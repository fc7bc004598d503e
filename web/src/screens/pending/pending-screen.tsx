import { say, sayRefusal } from '@kc/rules/messages';
import { CircleAlert, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { useIsSigningOut, useSignOut } from '../../session/sign-out.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { agoText } from '../../ui/quantity-text.ts';
import { DeniedCard } from '../denied/denied-screen.tsx';
import { AccountFacts } from './account-facts.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { Orbit } from './orbit.tsx';
import { StatusCard } from './status-card.tsx';
import { type StatusChecks, useStatusChecks } from './use-status-checks.ts';

/** The waiting page. Whoever is approved meanwhile is sent on by the guard. */
export function PendingScreen() {
  const checks = useStatusChecks();
  const leaving = useIsSigningOut();
  if (checks.loading) {
    return <StatusCard mark={<Orbit />} title="Checking Status" text="Please wait while we verify your account..." />;
  }
  if (checks.error) return <FailedCard text={failureText(checks.error)} checks={checks} />;
  // The session ended elsewhere; the guard is on its way to the sign-in page.
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
            icon={
              <RefreshCw
                size={18}
                strokeWidth={1.75}
                className={classNames(checks.checking && 'motion animate-spin')}
                aria-hidden
              />
            }
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

/** Among many tabs this one is seen to wait. */
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
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
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
      mark={<CircleAlert size={56} strokeWidth={1.5} className="text-bad" aria-hidden />}
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
