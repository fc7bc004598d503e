import { say } from '@kc/rules/entry-messages';
import { paths } from '@kc/rules/paths';
import { checkNewPassword } from '@kc/rules/sign-in';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refusedWith } from '../../api/refusal.ts';
import { sessionQuery } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { spaceButtonClass } from '../../ui/space.tsx';
import { LinkCard, RefusedBanner, tokenOf } from '../login/link-card.tsx';
import { NewPasswordPair } from '../login/password-fields.tsx';
import { SpaceButton } from '../login/space-button.tsx';

/** The target of a reset link: its owner sets a new password and then signs in with it. */
export function ResetPasswordScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const reset = useQuery({
    queryKey: ['reset', token],
    queryFn: () => client.people.readReset({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <LinkCard subtitle="Set a new password" read={reset}>
      {(data) => <ResetForm token={token} {...data} />}
    </LinkCard>
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
    // The session of this browser may have been ended along with the others.
    onSuccess: () => queries.resetQueries({ queryKey: sessionQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate();
  };
  if (reset.isSuccess) return <Done />;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <RefusedBanner of={reset} />
      <Field label="Email address" surface="space" value={email} readOnly autoComplete="username" />
      <NewPasswordPair
        label="New password"
        minLength={minPasswordLength}
        password={password}
        onPassword={setPassword}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
      />
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
