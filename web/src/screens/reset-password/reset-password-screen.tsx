import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { checkNewPassword } from '@kc/rules/sign-in';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refusedWith, toRefusal } from '../../api/refusal.ts';
import { sessionQuery } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { spaceButtonClass } from '../../ui/space-button.ts';
import { tokenOf } from '../claim/token.ts';
import { MatchLine } from '../login/match-line.tsx';
import { PasswordField } from '../login/password-field.tsx';
import { SpaceButton } from '../login/space-button.tsx';
import { SpaceCard } from '../login/space-card.tsx';
import { SpentLink } from '../login/spent-link.tsx';

/** Where a reset link leads: its owner sets a new password and then signs in with it. */
export function ResetPasswordScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const reset = useQuery({
    queryKey: ['reset', token],
    queryFn: () => client.people.readReset({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <SpaceCard
      title="Keyword Clustering"
      subtitle={reset.isError ? 'This link cannot be used' : 'Set a new password'}
      lit={{ parent: reset.isSuccess, children: false }}
    >
      {reset.isError && <SpentLink text={sayRefusal(toRefusal(reset.error))} />}
      {reset.isPending && <p className="py-8 text-center text-space-muted">Reading the link...</p>}
      {reset.isSuccess && <ResetForm token={token} {...reset.data} />}
    </SpaceCard>
  );
}

type FormProps = { readonly token: string; readonly email: string; readonly minPasswordLength: number };

function ResetForm({ token, email, minPasswordLength }: FormProps) {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: async () => {
      const checked = checkNewPassword(password, minPasswordLength);
      if (!checked.ok) throw refusedWith(checked.refusal);
      if (confirmation !== password) throw refusedWith({ code: 'sign-up/mismatch' });
      return client.people.resetPassword({ token, password });
    },
    // A session of this browser may have been one of those that ended.
    onSuccess: () => queries.resetQueries({ queryKey: sessionQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate();
  };
  if (reset.isSuccess) return <Done />;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {reset.isError && (
        <Banner key={reset.submittedAt} tone="error" surface="space" lifeMs={limits.bannerMs} onDismiss={reset.reset}>
          {sayRefusal(toRefusal(reset.error))}
        </Banner>
      )}
      <Field label="Email address" surface="space" value={email} readOnly autoComplete="username" />
      <PasswordField
        label="New password"
        hint={`At least ${minPasswordLength} characters`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div>
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
        <MatchLine match={confirmation ? confirmation === password : undefined} />
      </div>
      <SpaceButton label="Set password" busy={reset.isPending} />
    </form>
  );
}

function Done() {
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="success" surface="space">
        {say('reset/done')}
      </Banner>
      <Link to={paths.login} className={spaceButtonClass}>
        Go to sign in
      </Link>
    </div>
  );
}
