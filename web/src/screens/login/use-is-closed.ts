import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

/**
 * Whether nobody can sign up by themselves now, asked each time the form for it is opened. Until it is known, and when it
 * cannot be, the form is as good as open: the server decides when it is sent.
 */
export function useIsClosed(signingUp: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['registration'],
    queryFn: ({ signal }) => client.people.registration(undefined, { signal }),
    enabled: signingUp,
    staleTime: 0,
    gcTime: 0,
  });
  return signingUp && data?.isOpen === false;
}
