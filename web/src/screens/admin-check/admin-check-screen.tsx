import { shownName } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { Session } from '@kc/rules/shapes';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import { sessionQuery } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { adminNoticeOf, type Notice, unfixed } from './admin-notice.ts';

/** Says whether the server treats the signed-in user as an administrator, and offers to fix it. */
export function AdminCheckScreen() {
  const { data: session, error } = useQuery(sessionQuery);
  return (
    <div className="flex flex-1 items-start justify-center px-4 py-8 md:py-[10vh] short:py-4">
      <section className="w-full max-w-140 rounded-card border border-line bg-surface p-6 shadow-1 md:p-8 short:p-5">
        <h1 className="text-center text-h1">Admin Status Check</h1>
        {session?.isAuthenticated && <Check session={session} key={`${session.account?.id} ${session.isAdmin}`} />}
        {session && !session.isAuthenticated && <SignedOut />}
        {!session && error && (
          <div className="mt-6">
            <Banner tone="error">{say('admin-check/check-failed', { reason: sayError(error) })}</Banner>
          </div>
        )}
      </section>
    </div>
  );
}

function Check({ session }: { readonly session: Session }) {
  const [notice, setNotice] = useState<Notice | undefined>({ id: 0, ...adminNoticeOf(session) });
  const notify = (next: Omit<Notice, 'id'>) => setNotice((last) => ({ ...next, id: (last?.id ?? 0) + 1 }));
  const { fix, busy } = useAdminFix(session, notify);
  return (
    <>
      <Who session={session} />
      <div className="mt-6 empty:hidden">
        {notice && (
          <Banner
            key={notice.id}
            tone={notice.tone}
            {...(notice.stays ? {} : { lifeMs: limits.bannerMs })}
            onDismiss={() => setNotice(undefined)}
          >
            {notice.text}
          </Banner>
        )}
      </div>
      <Actions>
        {session.isAdmin ? (
          <Link to={paths.admin} className={buttonClass('primary', 'large')}>
            Go to Admin Panel
          </Link>
        ) : (
          <Button variant="primary" size="large" disabled={busy} onClick={fix}>
            Fix Admin Status
          </Button>
        )}
        <Link to={paths.index} className={buttonClass('secondary', 'large')}>
          Back to Home
        </Link>
      </Actions>
      <Troubleshooting />
    </>
  );
}

function Who({ session }: { readonly session: Session }) {
  if (!session.account) return null;
  const { displayName, email } = session.account;
  return (
    <div className="mt-6 flex flex-col items-center gap-1 text-center short:mt-4">
      <Avatar name={shownName(session.account)} photoUrl={session.account.photoUrl} size="huge" />
      <p className="mt-2 max-w-full truncate font-medium text-h2">{displayName.trim() || 'No display name'}</p>
      <p className="max-w-full truncate text-body text-muted">{email}</p>
      <Badge tone={session.isAdmin ? 'brand' : 'neutral'} className="mt-1">
        {session.isAdmin ? 'Admin' : 'Not Admin'}
      </Badge>
    </div>
  );
}

function SignedOut() {
  return (
    <>
      <p className="mt-3 text-center text-body text-muted">{say('admin-check/signed-out')}</p>
      <Actions>
        <Link to={paths.login} className={buttonClass('primary', 'large')}>
          Go to Login
        </Link>
      </Actions>
    </>
  );
}

function Actions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col gap-3 sm:flex-row sm:justify-center short:mt-4 [&>*]:sm:min-w-44">
      {children}
    </div>
  );
}

function Troubleshooting() {
  return (
    <div className="mt-6 rounded-card border border-line bg-sunken p-4 short:mt-4">
      <h2 className="font-medium text-body">Troubleshooting</h2>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5 text-body text-muted">
        <li>Make sure you are logged in with the designated admin email.</li>
        <li>Sign out and sign in again.</li>
        <li>Try another browser, or clear the cache of this one.</li>
        <li>Check the browser’s console for errors.</li>
      </ol>
    </div>
  );
}

/**
 * "Fix Admin Status": requests that the server stores the status, reports the result, and reloads the page shortly
 * after a success. Leaving the page cancels the reload.
 */
function useAdminFix(session: Session, notify: (notice: Omit<Notice, 'id'>) => void) {
  const fix = useMutation({
    mutationFn: () => client.adminCheck.fix(),
    onSuccess: ({ updated }) =>
      notify(updated ? { tone: 'success', text: say('admin-check/fixed') } : unfixed(session)),
    onError: (error) => notify({ tone: 'error', text: say('admin-check/fix-failed', { reason: sayError(error) }) }),
  });
  const fixed = fix.data?.updated === true;
  useEffect(() => {
    if (!fixed) return;
    const timer = setTimeout(() => location.reload(), limits.adminFixReloadMs);
    return () => clearTimeout(timer);
  }, [fixed]);
  return { fix: () => fix.mutate(), busy: fix.isPending || fixed };
}
