import { sayRefusal } from '@kc/rules/messages';
import { useEffect, useRef } from 'react';
import { toRefusal } from '../api/refusal.ts';
import { useSignOutFailure } from '../session/sign-out.ts';
import { useToast } from '../ui/toast.tsx';

/** Says why somebody is still signed in, wherever they tried to leave. Source: spec §8 "Dashboard and pages". */
export function SignOutNotice() {
  const failure = useSignOutFailure();
  const toast = useToast();
  const told = useRef(failure?.at);
  useEffect(() => {
    if (!failure || told.current === failure.at) return;
    told.current = failure.at;
    toast(sayRefusal(toRefusal(failure.error)));
  }, [failure, toast]);
  return null;
}
