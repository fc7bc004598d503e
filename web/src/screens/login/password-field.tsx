import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { Field } from '../../ui/field.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'trailing' | 'onKeyUp' | 'onKeyDown'>;

/** A password with a button that shows it, and a hint while Caps Lock is on. */
export function PasswordField({ hint, surface = 'space', onBlur, ...rest }: Props) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...rest}
      surface={surface}
      type={shown ? 'text' : 'password'}
      hint={capsLock ? 'Caps Lock is on' : hint}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={(event) => {
        setCapsLock(false);
        onBlur?.(event);
      }}
      trailing={
        <button
          type="button"
          aria-label={`${shown ? 'Hide' : 'Show'} ${rest.label}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="inline-flex size-9 items-center justify-center rounded-chip text-current opacity-70 hover:opacity-100 touch:size-11"
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden />
        </button>
      }
    />
  );
}
