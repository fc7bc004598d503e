import { say } from '@kc/rules/entry-messages';
import { refusedWith, toRefusal } from '@kc/rules/result';
import type { Session } from '@kc/rules/shapes';
import { checkSignIn } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { homeOf, sessionQuery, useMe } from '../../session/session.ts';
import { Field, Form } from '../../ui/field.tsx';
import { LinkEnd, tokenOf } from '../login/link-card.tsx';
import { PasswordField } from '../login/password-fields.tsx';
import { SpaceButton } from '../login/space-button.tsx';
import { RefusedBanner, SpaceCard } from '../login/space-card.tsx';

/**
 * The target of a confirmation link. The link proves access to the mailbox; the session or the password proves
 * ownership of the account. Only both together prove the email.
 */
export function VerifyEmailScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const [proven, setProven] = useState<Session>();
  const me = useMe();
  return (
    <SpaceCard subtitle="Confirm your email address" lit={{ parent: true, children: proven !== undefined }}>
      {proven && <LinkEnd tone="success" text={say('verify/done')} to={homeOf(proven)} next="Continue" />}
      {!proven && me === undefined && <p className="py-8 text-center text-space-muted">Reading the link...</p>}
      {!proven && me && <ConfirmForm token={token} me={me} onProven={setProven} />}
    </SpaceCard>
  );
}

type FormProps = { readonly token: string; readonly me: Session; readonly onProven: (session: Session) => void };

/** Asks signed-out users to sign in, and signed-in users for one click. */
function ConfirmForm({ token, me, onProven }: FormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: async () => {
      if (!me.isAuthenticated) await signIn();
      return client.people.verifyEmail({ token });
    },
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      onProven(session);
    },
  });
  async function signIn(): Promise<void> {
    const checked = checkSignIn({ email, password });
    if (!checked.ok) throw refusedWith(checked.refusal);
    const session = await client.session.signIn({ email, password, remember: false });
    queries.setQueryData(sessionQuery.queryKey, session);
  }
  // A retry would be refused again. The link is the only way forward.
  if (confirm.isError && toRefusal(confirm.error).code === 'verify/invalid')
    return <LinkEnd tone="error" text={say('verify/invalid')} to={homeOf(me)} next="Continue" />;
  return (
    <Form onSubmit={() => !confirm.isPending && confirm.mutate()} className="flex flex-col gap-4">
      <RefusedBanner of={confirm} />
      {me.account ? (
        <Field label="Email address" surface="space" value={me.account.email} readOnly />
      ) : (
        <>
          <Field
            label="Email address"
            type="email"
            inputMode="email"
            autoComplete="username"
            surface="space"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      )}
      <SpaceButton label={me.account ? 'Confirm' : 'Sign in and confirm'} busy={confirm.isPending} />
    </Form>
  );
}
