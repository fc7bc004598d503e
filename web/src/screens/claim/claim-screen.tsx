import { say } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { checkAdminPassword } from '@kc/rules/sign-in';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refusedWith } from '../../api/refusal.ts';
import { useChangeSession } from '../../session/change-session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { LinkCard, RefusedBanner, tokenOf } from '../login/link-card.tsx';
import { NewPasswordPair } from '../login/password-fields.tsx';
import { SpaceButton } from '../login/space-button.tsx';

/** The target of a claim link: a built-in admin sets the first password and is signed in. */
export function ClaimScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const claim = useQuery({
    queryKey: ['claim', token],
    queryFn: () => client.people.readClaim({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <LinkCard subtitle="Set your administrator password" read={claim}>
      {({ email }) => <ClaimForm token={token} email={email} />}
    </LinkCard>
  );
}

function ClaimForm({ token, email }: { readonly token: string; readonly email: string }) {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const changeSession = useChangeSession();
  const claim = useMutation({
    mutationFn: async () => {
      const checked = checkAdminPassword(password);
      if (!checked.ok) throw refusedWith(checked.refusal);
      if (confirmation !== password) throw refusedWith({ code: 'sign-up/mismatch' });
      return client.people.claim({ token, password });
    },
    onSuccess: (session) => void setTimeout(() => void changeSession(session), limits.loginRedirectMs),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!claim.isPending && !claim.isSuccess) claim.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <RefusedBanner of={claim} />
      {claim.isSuccess && (
        <Banner tone="success" surface="space">
          {say('sign-in/success')}
        </Banner>
      )}
      <Field label="Email address" surface="space" value={email} readOnly autoComplete="username" />
      <NewPasswordPair
        label="Password"
        minLength={limits.minAdminPasswordLength}
        password={password}
        onPassword={setPassword}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
      />
      <SpaceButton label="Set password and sign in" busy={claim.isPending} />
    </form>
  );
}
