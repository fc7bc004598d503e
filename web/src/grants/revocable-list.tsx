import { sayError } from '@kc/rules/all-messages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RetryBanner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { useToast } from '../ui/toast.tsx';

type Props<Grant extends { readonly id: string }> = {
  readonly label: string;
  readonly title: string;
  /** Where there are none. */
  readonly none: string;
  /** The first part names the kind of entries: all lists of that kind are refetched after a change. */
  readonly queryKey: readonly [string, ...string[]];
  readonly read: (signal: AbortSignal) => Promise<readonly Grant[]>;
  readonly revoke: (grant: Grant) => Promise<unknown>;
  /** What the button revokes: “the link for ACME”. */
  readonly nameOf: (grant: Grant) => string;
  /** What the button does, if another word fits better. */
  readonly verb?: string;
  /** Other buttons, before that one. */
  readonly actions?: (grant: Grant) => ReactNode;
  readonly revoked: (grant: Grant) => string;
  readonly notRevoked: (reason: string) => string;
  /** Its description, before its button. */
  readonly line: (grant: Grant) => ReactNode;
};

/** Links, access tokens or webhooks that have not ended, with buttons to revoke them. */
export function RevocableList<Grant extends { readonly id: string }>(props: Props<Grant>) {
  const { label, title, none, queryKey, read, revoke, nameOf, revoked, notRevoked, line } = props;
  const { verb = 'Revoke', actions } = props;
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: (_gone, grant) => toast(revoked(grant)),
    onError: (error) => toast(notRevoked(sayError(error))),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey.slice(0, 1) }),
  });
  return (
    <section aria-label={label} className="border-t border-line pt-4 first:border-t-0 first:pt-0">
      <h3 className="m-0 mb-2 text-small font-semibold">{title}</h3>
      {found.isPending && <Skeleton className="h-12" />}
      {found.isError && <RetryBanner of={found}>{sayError(found.error)}</RetryBanner>}
      {found.data?.length === 0 && <p className="m-0 text-small text-muted">{none}</p>}
      <ul className="m-0 flex list-none flex-col divide-y divide-line p-0 empty:hidden">
        {found.data?.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-56">{line(grant)}</div>
            <div className="flex flex-wrap gap-2">
              {actions?.(grant)}
              <Button
                size="dense"
                aria-label={`${verb} ${nameOf(grant)}`}
                disabled={revoking.isPending}
                onClick={() => revoking.mutate(grant)}
              >
                {verb}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
