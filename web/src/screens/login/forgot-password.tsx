import { say, sayRefusal } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { checkEmail } from '@kc/rules/sign-in';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { refusedWith, toRefusal } from '../../api/refusal.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { spaceLinkClass } from '../../ui/space.tsx';
import { SpaceButton } from './space-button.tsx';

type Props = {
  /** The email typed into the sign-in form, if any. */
  readonly email: string;
  readonly onBack: () => void;
};

/** Requests a link to reset the password. The message does not reveal whether the account exists. */
export function ForgotPassword({ email: typed, onBack }: Props) {
  const field = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState(typed);
  const ask = useMutation({
    mutationFn: async () => {
      const checked = checkEmail(email);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.people.requestReset({ email });
    },
  });
  useEffect(() => {
    if (innerWidth >= limits.mobileBelowPx) field.current?.querySelector('input')?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ask.isPending) ask.mutate();
  };
  return (
    <form ref={field} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {ask.isError && (
        <Banner key={ask.submittedAt} tone="error" surface="space" lifeMs={limits.bannerMs} onDismiss={ask.reset}>
          {sayRefusal(toRefusal(ask.error))}
        </Banner>
      )}
      {ask.isSuccess && (
        <Banner key={ask.submittedAt} tone="success" surface="space">
          {say('reset/asked')}
        </Banner>
      )}
      <Field
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="username"
        surface="space"
        value={email}
        readOnly={ask.isPending}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SpaceButton label={ask.isSuccess ? 'Send another link' : 'Send a link'} busy={ask.isPending} />
      <p className="text-center text-small">
        <button type="button" className={spaceLinkClass} onClick={onBack}>
          Back to sign in
        </button>
      </p>
    </form>
  );
}
