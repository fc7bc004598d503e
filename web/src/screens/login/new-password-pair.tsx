import { MatchLine } from './match-line.tsx';
import { PasswordField } from './password-field.tsx';

type Props = {
  readonly label: string;
  readonly minLength: number;
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly confirmation: string;
  readonly onConfirmation: (confirmation: string) => void;
};

/** A new password and the same once more, with whether they match. */
export function NewPasswordPair({ label, minLength, password, onPassword, confirmation, onConfirmation }: Props) {
  return (
    <>
      <PasswordField
        label={label}
        hint={`At least ${minLength} characters`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => onPassword(event.target.value)}
      />
      <div>
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => onConfirmation(event.target.value)}
        />
        <MatchLine match={confirmation ? confirmation === password : undefined} />
      </div>
    </>
  );
}
