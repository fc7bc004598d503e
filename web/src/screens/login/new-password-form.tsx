import { type Result, refusedWith } from '@kc/rules/result';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Field, Form } from '../../ui/field.tsx';
import { MatchLine, PasswordField } from './password-fields.tsx';
import { SpaceButton } from './space-button.tsx';
import { RefusedBanner } from './space-card.tsx';

type Props<SaveResult> = {
  readonly email: string;
  readonly label: string;
  readonly minLength: number;
  readonly button: string;
  readonly check: (password: string) => Result<unknown>;
  readonly save: (password: string) => Promise<SaveResult>;
  readonly onSaved: (result: SaveResult) => unknown;
  /** The message once it is saved, until the page is left. */
  readonly saved?: string;
};

/** A new password for an account, typed twice. */
export function NewPasswordForm<SaveResult>(props: Props<SaveResult>) {
  const { email, label, minLength, button, check, save, onSaved, saved } = props;
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const saving = useMutation({
    mutationFn: async () => {
      const checked = check(password);
      if (!checked.ok) throw refusedWith(checked.refusal);
      if (confirmation !== password) throw refusedWith({ code: 'sign-up/mismatch' });
      return save(password);
    },
    onSuccess: onSaved,
  });
  return (
    <Form onSubmit={() => !saving.isPending && !saving.isSuccess && saving.mutate()} className="flex flex-col gap-4">
      <RefusedBanner of={saving} />
      {saving.isSuccess && saved && (
        <Banner tone="success" surface="space">
          {saved}
        </Banner>
      )}
      <Field label="Email address" surface="space" value={email} readOnly autoComplete="username" />
      <PasswordField
        label={label}
        hint={`At least ${minLength} characters`}
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
      <SpaceButton label={button} busy={saving.isPending} />
    </Form>
  );
}
