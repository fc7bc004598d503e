import { limits } from '@kc/rules/limits';
import { say, sayError, sayRefusal } from '@kc/rules/messages';
import { type Refusal, toRefusal } from '@kc/rules/result';
import type { ListedAccount, StepUpWays } from '@kc/rules/shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { keepStepUp } from '../../../session/change-session.ts';
import { type GoogleAttempt, type GoogleListener, goToGoogle, refusalOfEnd } from '../../../session/google-window.ts';
import { useMe } from '../../../session/session.ts';
import type { BannerTone } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { countText } from '../../../ui/number-text.ts';
import { type DeletionOutcome, deleteUser } from './delete-user.ts';
import { usersQuery } from './users-queries.ts';

type Props = {
  readonly account: ListedAccount;
  readonly onClose: () => void;
  /** Called with the result, even after the dialog has closed. */
  readonly onOutcome: (notice: DeletionNotice) => void;
};

/** Asks the administrator to type the email, and for a step-up (password or Google) unless there was one just now. */
export function DeleteUserDialog({ account, onClose, onOutcome }: Props) {
  const { email } = account;
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  /** The available methods to step up; absent if no step-up is needed, or it was just done. */
  const [methods, setMethods] = useState<StepUpWays>();
  const [confirmed, setConfirmed] = useState(false);
  const remove = useRef<HTMLButtonElement>(null);
  // The control that had the focus is gone.
  useEffect(() => {
    if (confirmed) remove.current?.focus();
  }, [confirmed]);
  const deletion = useDeleteUser(onOutcome);
  // If the server offers neither method, ask for the password: it will refuse it with a reason.
  const asksPassword = methods !== undefined && (methods.password || !methods.google);
  const ready = typed === email && (methods === undefined || password !== '') && !deletion.isPending;
  const submit = () => {
    if (!ready) return;
    const request = asksPassword ? { account, password } : { account };
    deletion.mutate(request, {
      onSuccess: (result) => (result.is === 'proof-needed' ? setMethods(result.methods) : onClose()),
    });
  };
  return (
    <AlertDialog
      open
      onClose={onClose}
      busy={deletion.isPending}
      initialFocus={cancel}
      title={`Delete user ${email}?`}
      description={
        <>
          <p>
            The user, their data and their visualizations are removed permanently. The email becomes reusable. This
            cannot be undone.
          </p>
          <Inventory userId={account.id} />
        </>
      }
    >
      <Form onSubmit={submit} className="mt-4 flex flex-col gap-4">
        <Field
          label={`Type ${email} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          readOnly={deletion.isPending}
          onChange={(event) => setTyped(event.target.value)}
        />
        {asksPassword && (
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            autoFocus
            hint={say('step-up/required')}
            error={deletion.isError ? sayError(deletion.error) : undefined}
            value={password}
            readOnly={deletion.isPending}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        {methods?.google && (
          <ConfirmWithGoogle
            alone={!asksPassword}
            disabled={deletion.isPending}
            onConfirmed={() => {
              setMethods(undefined);
              setConfirmed(true);
            }}
          />
        )}
        {deletion.isError && !asksPassword && (
          <p role="alert" className="text-small text-bad">
            {sayError(deletion.error)}
          </p>
        )}
        <p role="status" className="text-small text-muted empty:hidden">
          {confirmed && methods === undefined ? 'Thank you. You can delete the user now.' : ''}
        </p>
        <div className="mt-2 flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
          <Button ref={cancel} onClick={onClose} disabled={deletion.isPending}>
            Cancel
          </Button>
          <Button ref={remove} type="submit" variant="danger" disabled={!ready}>
            {deletion.isPending ? 'Deleting...' : 'Delete user'}
          </Button>
        </div>
      </Form>
    </AlertDialog>
  );
}

/** What is deleted along with the account: "2 visualizations · 18,618 keywords". */
function Inventory({ userId }: { readonly userId: string }) {
  const owned = useQuery({
    queryKey: ['visualizations', userId, 'inventory'],
    queryFn: ({ signal }) => client.visualizations.list({ userId }, { signal }),
    staleTime: 0,
  });
  if (!owned.data) return <p role="status">{owned.isError ? sayError(owned.error) : 'Counting…'}</p>;
  const theirs = owned.data.filter((one) => one.userId === userId);
  const keywords = theirs.reduce((sum, one) => sum + one.keywords, 0);
  return (
    <p role="status" className="font-medium text-ink tabular-nums">
      {countText(theirs.length)} {theirs.length === 1 ? 'visualization' : 'visualizations'} · {countText(keywords)}{' '}
      {keywords === 1 ? 'keyword' : 'keywords'}
    </p>
  );
}

type DeletionNotice = { readonly tone: BannerTone; readonly text: string };

/** The account to delete; `password` if the server asked for a step-up. */
type DeletionRequest = { readonly account: ListedAccount; readonly password?: string };

/** The outcome, or the methods to step up if the server requires it first. */
type DeletionResult =
  | Exclude<DeletionOutcome, { is: 'password-needed' }>
  | { readonly is: 'proof-needed'; methods: StepUpWays };

/**
 * Deletes an account, reports the outcome, and two seconds later reports whether the email is free again.
 *
 * @param notify called with the outcome; not when a step-up is required, because the dialog asks for it
 */
function useDeleteUser(notify: (notice: DeletionNotice) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ account, password }: DeletionRequest): Promise<DeletionResult> => {
      if (password !== undefined) keepStepUp((await client.session.stepUp({ password })).stepUp);
      const outcome = await deleteUser(account.id);
      if (outcome.is !== 'password-needed') return outcome;
      keepStepUp(undefined);
      return { is: 'proof-needed', methods: await client.session.stepUpWays() };
    },
    onSuccess: (outcome, { account }) => {
      if (outcome.is === 'proof-needed') return;
      notify(noticeOf(outcome, account.email));
      if (outcome.is === 'failed') return;
      queries.setQueryData(usersQuery.queryKey, (all) => all?.filter((one) => one.id !== account.id));
      if (outcome.is === 'deleted')
        setTimeout(() => void report(account.email).then(notify), limits.availabilityCheckMs);
    },
  });
}

function noticeOf(outcome: Exclude<DeletionResult, { is: 'proof-needed' }>, email: string): DeletionNotice {
  if (outcome.is === 'deleted') return { tone: 'success', text: say('account/deleted', { email }) };
  if (outcome.is === 'deleted-partly') return { tone: 'warning', text: say('account/deleted-partly', { email }) };
  return { tone: 'error', text: say('account/delete-failed', { reason: sayRefusal(outcome.refusal) }) };
}

async function report(email: string): Promise<DeletionNotice> {
  const free = await client.accounts.availability({ email }).then(
    ({ availability }) => availability === 'available',
    () => false,
  );
  return free
    ? { tone: 'success', text: say('email/available', { email }) }
    : { tone: 'info', text: say('email/not-yet', { email }) };
}

type ConfirmWithGoogleProps = {
  /** Whether there is no password to enter instead. */
  readonly alone: boolean;
  readonly disabled: boolean;
  readonly onConfirmed: () => void;
};

/** Step-up by signing in with Google again, in a pop-up window, for administrators without a password. */
function ConfirmWithGoogle({ alone, disabled, onConfirmed }: ConfirmWithGoogleProps) {
  const provider = useMe()?.server.providerName;
  const name = provider ?? 'Google';
  const [waiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = useRef<GoogleAttempt>(undefined);
  useEffect(() => () => attempt.current?.stop(), []);

  const onEnd: GoogleListener['onEnd'] = async (end, nonce) => {
    try {
      if (end === 'signed-in') {
        keepStepUp((await client.session.takeStepUp({ nonce })).stepUp);
        return onConfirmed();
      }
      if (end !== 'cancelled') setRefusal(refusalOfEnd(end, provider));
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setWaiting(false);
  };
  const begin = () => {
    if (attempt.current?.focus()) return;
    attempt.current?.stop();
    setRefusal(undefined);
    setWaiting(true);
    attempt.current = goToGoogle('step-up', { onEnd, onClosed: () => setWaiting(false) });
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-small text-muted">
        {alone ? `Please sign in with ${name} again to confirm that it is you.` : `Or sign in with ${name} again:`}
      </p>
      <Button onClick={begin} disabled={disabled} aria-busy={waiting} autoFocus={alone}>
        {waiting ? `Waiting for ${name}...` : `Confirm with ${name}`}
      </Button>
      <p role="alert" className="text-small text-bad empty:hidden">
        {refusal && sayRefusal(refusal)}
        {refusal && alone && ' You can also set a password with “Forgot password” on the sign-in page.'}
      </p>
    </div>
  );
}
