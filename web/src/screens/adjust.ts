import { sayError } from '@kc/rules/all-messages';
import { paths } from '@kc/rules/paths';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { useToast } from '../ui/toast.tsx';

/** Starts a draft of a visualization, or of the branch at an address, and opens it. If it cannot, a toast says why. */
export function useAdjust() {
  const { history } = useRouter();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ id, branch }: { readonly id: string; readonly branch?: string }) =>
      client.drafts.adjust({ id, ...(branch !== undefined && { branch }) }),
    onSuccess: ({ id }) => history.push(`${paths.visualization}?draft=${encodeURIComponent(id)}`),
    onError: (error) => toast(sayError(error)),
  });
}
