import { limits } from '@kc/rules/limits';
import { checkEmail } from '@kc/rules/sign-in';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';

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
