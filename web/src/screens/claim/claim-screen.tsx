import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { checkAdminPassword } from '@kc/rules/sign-in';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refusedWith, toRefusal } from '../../api/refusal.ts';
import { useChangeSession } from '../../session/change-session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { MatchLine } from '../login/match-line.tsx';
import { PasswordField } from '../login/password-field.tsx';
import { SpaceButton } from '../login/space-button.tsx';
import { SpaceCard } from '../login/space-card.tsx';
import { SpentLink } from '../login/spent-link.tsx';
import { tokenOf } from './token.ts';

/** Where a claim link leads: a built-in admin sets the first password and is signed in. */
export function ClaimScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const claim = useQuery({
    queryKey: ['claim', token],
    queryFn: () => client.people.readClaim({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <SpaceCard
      title="Keyword Clustering"
      subtitle={claim.isError ? 'This link cannot be used' : 'Set your administrator password'}
      lit={{ parent: claim.isSuccess, children: false }}
    >
      {claim.isError && <SpentLink text={sayRefusal(toRefusal(claim.error))} />}
      {claim.isPending && <p className="py-8 text-center text-space-muted">Reading the link...</p>}
      {claim.isSuccess && <ClaimForm token={token} email={claim.data.email} />}
    </SpaceCard>
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
      {claim.isError && (
        <Banner
          key={claim.submittedAt}
          tone="error"
          surface="space"
          lifeMs={limits.bannerMs}
          onDismiss={() => claim.reset()}
        >
          {sayRefusal(toRefusal(claim.error))}
        </Banner>
      )}
      {claim.isSuccess && (
        <Banner tone="success" surface="space">
          {say('sign-in/success')}
        </Banner>
      )}
      <Field label="Email address" surface="space" value={email} readOnly autoComplete="username" />
      <PasswordField
        label="Password"
        hint={`At least ${limits.minAdminPasswordLength} characters`}
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
      <SpaceButton label="Set password and sign in" busy={claim.isPending} />
    </form>
  );
}
