import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useChangeSession } from './change-session.ts';

/** Ends the session and goes to the sign-in page. */
export function useSignOut() {
  const changeSession = useChangeSession();
  return useMutation({ mutationFn: () => client.session.signOut(), onSuccess: changeSession });
}

/** Ends the person's sessions on every device and goes to the sign-in page. */
export function useSignOutEverywhere() {
  const changeSession = useChangeSession();
  return useMutation({ mutationFn: () => client.session.signOutEverywhere(), onSuccess: changeSession });
}
