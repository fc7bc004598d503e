import { paths } from '@kc/rules/paths';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { useSetSession } from './session.ts';

/** Ends the session and goes to the sign-in page. */
export function useSignOut() {
  const setSession = useSetSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => client.session.signOut(),
    onSuccess: async (session) => {
      setSession(session);
      await navigate({ to: paths.login });
    },
  });
}
