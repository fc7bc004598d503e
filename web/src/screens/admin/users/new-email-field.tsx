import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { checkEmail } from '@kc/rules/sign-in';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useMe } from '../../../session/session.ts';
import { Field } from '../../../ui/field.tsx';

type Props = Omit<ComponentProps<'input'>, 'id' | 'children' | 'type' | 'value'> & { readonly value: string };

/** The email of a new account. The server's answer about it is shown while it is typed. */
export function NewEmailField({ value, onBlur, ...input }: Props) {
  const state = useEmailAvailability(value);
  const support = useMe()?.server.supportEmail;
  const [left, setLeft] = useState(false);
  // Start over when the form is cleared.
  if (left && value === '') setLeft(false);
  return (
    <Field
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      live
      hint={hintOf(state)}
      error={errorOf(state, left, support)}
      trailing={<Mark state={state} />}
      onBlur={(event) => {
        // Show no error while the user is still typing.
        setLeft(event.target.value !== '');
        onBlur?.(event);
      }}
      {...input}
    />
  );
}

function errorOf(state: EmailState, left: boolean, support: string | undefined): string | undefined {
  if (state.is === 'in-use') return say('create-user/in-use', { email: state.email });
  if (state.is === 'recently-deleted') {
    return say('create-user/recently-deleted', { email: state.email, ...(support ? { support } : {}) });
  }
  return state.is === 'invalid' && left ? say('create-user/invalid-email') : undefined;
}

function hintOf(state: EmailState) {
  if (state.is === 'available')
    return <span className="text-ok">{say('email/available', { email: state.email })}</span>;
  if (state.is === 'unchecked') return say('email/unchecked');
  return 'They sign in with this address.';
}

/** The state as an icon in the field; the text is below the field. */
function Mark({ state }: { readonly state: EmailState }) {
  const look = { size: 20, strokeWidth: 1.75, 'aria-hidden': true };
  if (state.is === 'checking') {
    return <LoaderCircle {...look} className="motion mr-2 animate-[orbit_1s_linear_infinite] text-muted" />;
  }
  if (state.is === 'available') return <CircleCheck {...look} className="mr-2 text-ok" />;
  if (state.is === 'in-use' || state.is === 'recently-deleted') return <CircleX {...look} className="mr-2 text-bad" />;
  return null;
}

/** What is known about a typed email: `invalid` if malformed, `unchecked` if the server could not be reached. */
export type EmailState =
  | { readonly is: 'empty' | 'invalid' | 'checking' | 'unchecked' }
  | { readonly is: 'available' | 'in-use' | 'recently-deleted'; readonly email: string };

/** The server's answer about an email being typed. Debounced, and requested only for well-formed addresses. */
export function useEmailAvailability(typed: string): EmailState {
  const rested = useRested(typed, limits.availabilityDebounceMs);
  const checked = checkEmail(rested);
  const email = checked.ok ? checked.value : '';
  const answer = useQuery({
    queryKey: ['availability', email],
    queryFn: ({ signal }) => client.accounts.availability({ email }, { signal }),
    enabled: checked.ok,
    staleTime: 0,
    gcTime: 0,
  });
  if (typed.trim() === '') return { is: 'empty' };
  const now = checkEmail(typed);
  if (!now.ok) return { is: 'invalid' };
  if (now.value !== email || answer.isFetching) return { is: 'checking' };
  if (!answer.data) return { is: 'unchecked' };
  const { availability } = answer.data;
  return availability === 'invalid' ? { is: 'invalid' } : { is: availability, email };
}

/** The debounced value. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
