import { say } from '@kc/rules/entry-messages';
import { Check, Eye, EyeOff, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'surface' | 'trailing' | 'onKeyUp' | 'onKeyDown' | 'onBlur'>;

/** A password field with a show button, and a hint while Caps Lock is on. */
export function PasswordField({ hint, ...rest }: Props) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...rest}
      surface="space"
      type={shown ? 'text' : 'password'}
      hint={capsLock ? 'Caps Lock is on' : hint}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setCapsLock(false)}
      trailing={
        <button
          type="button"
          aria-label={`${shown ? 'Hide' : 'Show'} ${rest.label}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="inline-flex size-9 items-center justify-center rounded-chip text-current opacity-70 hover:opacity-100 touch:size-11"
        >
          <Icon size={18} />
        </button>
      }
    />
  );
}

/** Whether the two passwords match, updated while typing; empty while there is nothing to compare. */
export function MatchLine({ match }: { readonly match: boolean | undefined }) {
  const Icon = match ? Check : X;
  return (
    <p
      aria-live="polite"
      className={classNames(
        'flex items-center gap-1.5 text-small',
        match === undefined ? 'h-0' : 'mt-1.5',
        match ? 'text-space-good' : 'text-space-bad',
      )}
    >
      {match !== undefined && (
        <>
          <Icon size={16} strokeWidth={2} />
          {say(match ? 'sign-up/match' : 'sign-up/mismatch')}
        </>
      )}
    </p>
  );
}
