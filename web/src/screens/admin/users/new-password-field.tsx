import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { passwordStrength, readablePassword, type Strength } from '@kc/rules/password-strength';
import { Eye, EyeOff, WandSparkles } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';

type Props = Omit<ComponentProps<'input'>, 'id' | 'children' | 'type' | 'value'> & {
  readonly value: string;
  /** The email in the same form: a password derived from it is weak. */
  readonly email: string;
  readonly onGenerate: (password: string) => void;
};

/** The first password of a new account: typed or generated, shown or hidden, with a strength estimate. */
export function NewPasswordField({ value, email, onGenerate, onBlur, ...input }: Props) {
  const [shown, setShown] = useState(false);
  const [left, setLeft] = useState(false);
  // Start over when the form is cleared.
  if (left && value === '') setLeft(false);
  const isShort = value.length < limits.minPasswordLength;
  const Icon = shown ? EyeOff : Eye;
  const generate = () => {
    onGenerate(readablePassword(randomBelow));
    // The administrator passes the password on, so it has to be visible.
    setShown(true);
  };
  return (
    <Field
      label="Password"
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      className={shown ? '[&_input]:font-mono' : undefined}
      value={value}
      live
      error={left && isShort && value !== '' ? say('create-user/weak') : undefined}
      hint={<Hint password={value} email={email} isShort={isShort} />}
      action={
        <button
          type="button"
          onClick={generate}
          className="-my-1 inline-flex h-7 items-center gap-1.5 rounded-chip px-2 font-medium text-brand-ink text-small hover:bg-brand-soft touch:h-11"
        >
          <WandSparkles size={16} strokeWidth={1.75} aria-hidden />
          Generate
        </button>
      }
      trailing={
        <IconButton label={shown ? 'Hide Password' : 'Show Password'} size="dense" onClick={() => setShown(!shown)}>
          <Icon size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      }
      onBlur={(event) => {
        setLeft(event.target.value !== '');
        onBlur?.(event);
      }}
      {...input}
    />
  );
}

/**
 * An integer in [0, below) from the browser's cryptographic generator. Among 2^32 draws, the counts of 31 symbols
 * differ by one at most.
 */
const randomBelow = (below: number): number => crypto.getRandomValues(new Uint32Array(1))[0]! % below;

const strengths: Readonly<Record<Strength, { readonly bars: number; readonly colour: string; readonly text: string }>> =
  {
    weak: { bars: 1, colour: 'bg-bad', text: 'Easy to guess' },
    fair: { bars: 2, colour: 'bg-warn', text: 'Fair' },
    strong: { bars: 3, colour: 'bg-ok', text: 'Strong' },
  };

type HintProps = { readonly password: string; readonly email: string; readonly isShort: boolean };

function Hint({ password, email, isShort }: HintProps) {
  if (password === '') return `At least ${limits.minPasswordLength} characters`;
  const { bars, colour, text } = strengths[isShort ? 'weak' : passwordStrength(password, email)];
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={classNames('h-1 w-6 rounded-full', bar <= bars ? colour : 'bg-line')} />
        ))}
      </span>
      {isShort ? say('create-user/weak-so-far') : text}
    </span>
  );
}
