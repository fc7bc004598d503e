import { useIsMutating, useMutation, useMutationState } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useChangeSession } from './change-session.ts';

const mutationKey = ['sign-out'];

/** Ends the session and goes to the sign-in page. */
export function useSignOut() {
  const changeSession = useChangeSession();
  const mutationFn = () => keepingDeviceChoices(() => client.session.signOut());
  return useMutation({ mutationKey, mutationFn, onSuccess: changeSession });
}

/** Ends all sessions of the user on every device and goes to the sign-in page. */
export function useSignOutEverywhere() {
  const changeSession = useChangeSession();
  const mutationFn = () => keepingDeviceChoices(() => client.session.signOutEverywhere());
  return useMutation({ mutationKey, mutationFn, onSuccess: changeSession });
}

/** Whether a sign-out is in progress. */
export const useIsSigningOut = (): boolean => useIsMutating({ mutationKey }) > 0;

/** Why the last sign-out failed, and when it started, in ms since 1970; `undefined` if none failed. */
export function useSignOutFailure(): { readonly error: unknown; readonly at: number } | undefined {
  const failures = useMutationState({
    filters: { mutationKey, status: 'error' },
    select: ({ state }) => ({ error: state.error, at: state.submittedAt }),
  });
  return failures.at(-1);
}

/** Keys of display preferences on this device. They contain no personal data. */
const choices = /^(theme|sidebar|explorer)/;

/**
 * Sign-out clears all data of this site in the browser (`Clear-Site-Data`). This restores the device preferences
 * afterwards.
 */
async function keepingDeviceChoices<T>(clearing: () => Promise<T>): Promise<T> {
  const kept = Object.entries(localStorage).filter(([key]) => choices.test(key));
  const answer = await clearing();
  for (const [key, value] of kept) localStorage.setItem(key, value);
  return answer;
}
