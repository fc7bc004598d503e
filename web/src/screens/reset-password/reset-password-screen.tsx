import { say } from '@kc/rules/entry-messages';
import { paths } from '@kc/rules/paths';
import { checkNewPassword } from '@kc/rules/sign-in';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { sessionQuery } from '../../session/session.ts';
import { LinkCard, LinkEnd, tokenOf } from '../login/link-card.tsx';
import { NewPasswordForm } from '../login/new-password-form.tsx';

/** The target of a reset link: its owner sets a new password and then signs in with it. */
export function ResetPasswordScreen() {
  const [token] = useState(() => tokenOf(location.hash));
  const [done, setDone] = useState<{ readonly accessTokens?: number | undefined }>();
  const queries = useQueryClient();
  const reset = useQuery({
    queryKey: ['reset', token],
    queryFn: () => client.people.readReset({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <LinkCard subtitle="Set a new password" read={reset}>
      {({ email, minPasswordLength }) =>
        done ? (
          <LinkEnd tone="success" text={textOf(done)} to={paths.login} next="Go to sign in" />
        ) : (
          <NewPasswordForm
            email={email}
            label="New password"
            minLength={minPasswordLength}
            button="Set password"
            check={(password) => checkNewPassword(password, minPasswordLength)}
            save={(password) => client.people.resetPassword({ token, password })}
            onSaved={async (changed) => {
              // The session of this browser may have been ended along with the others.
              await queries.resetQueries({ queryKey: sessionQuery.queryKey });
              setDone(changed);
            }}
          />
        )
      }
    </LinkCard>
  );
}

/** Access tokens are not ended by a new password, so a user whose account was broken into must be told of them. */
const textOf = ({ accessTokens: count }: { readonly accessTokens?: number | undefined }): string =>
  [say('reset/done'), ...(count ? [say('reset/tokens', { count })] : [])].join(' ');
