import { toRefusal } from '@kc/rules/result';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

type Calls<Settings> = {
  readonly read: (signal: AbortSignal) => Promise<Settings>;
  readonly change: (next: Settings) => Promise<Settings>;
};

/**
 * A user's own settings. A change shows at once, and the next one is based on it, even before it is rendered; changes
 * are sent one after another, and after a refusal the settings are refetched.
 */
export function useOwnSettings<Settings extends object>(name: string, { read, change }: Calls<Settings>) {
  const queries = useQueryClient();
  const queryKey = [name];
  const settings = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  const changing = useMutation({
    mutationFn: change,
    scope: { id: name },
    onError: () => queries.invalidateQueries({ queryKey }),
  });
  const error = changing.error ?? settings.error;
  return {
    /** Undefined until they have been read. */
    settings: settings.data,
    refusal: error ? toRefusal(error) : undefined,
    change(part: Partial<Settings>): void {
      // What is being read may be older than the change.
      void queries.cancelQueries({ queryKey });
      const next = queries.setQueryData<Settings>(queryKey, (now) => now && { ...now, ...part });
      if (next) changing.mutate(next);
    },
  };
}
