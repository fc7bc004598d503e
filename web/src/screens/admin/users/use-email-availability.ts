import { limits } from '@kc/rules/limits';
import { checkEmail } from '@kc/rules/sign-in';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';

/** What is known of an email: `invalid` before it is one, `unchecked` when the server could not be asked. */
export type EmailState =
  | { readonly is: 'empty' | 'invalid' | 'checking' | 'unchecked' }
  | { readonly is: 'available' | 'in-use' | 'recently-deleted'; readonly email: string };

/** What the server says of an email while it is typed: asked once the typing rests, and only about what can be one. */
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

/** A value once it has not changed for so long. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
