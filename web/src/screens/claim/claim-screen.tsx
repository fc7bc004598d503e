import { say } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { checkAdminPassword } from '@kc/rules/sign-in';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useChangeSession } from '../../session/change-session.ts';
import { LinkCard, tokenOf } from '../login/link-card.tsx';
import { NewPasswordForm } from '../login/new-password-form.tsx';

/** The target of a claim link: a built-in admin sets the first password and is signed in. */
export function ClaimScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const changeSession = useChangeSession();
  const claim = useQuery({
    queryKey: ['claim', token],
    queryFn: () => client.people.readClaim({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <LinkCard subtitle="Set your administrator password" read={claim}>
      {({ email }) => (
        <NewPasswordForm
          email={email}
          label="Password"
          minLength={limits.minAdminPasswordLength}
          button="Set password and sign in"
          check={checkAdminPassword}
          save={(password) => client.people.claim({ token, password })}
          onSaved={(session) => void setTimeout(() => void changeSession(session), limits.loginRedirectMs)}
          saved={say('sign-in/success')}
        />
      )}
    </LinkCard>
  );
}
