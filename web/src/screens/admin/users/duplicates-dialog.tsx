import { statusNames } from '@kc/rules/account';
import type { DuplicateReport } from '@kc/rules/admin-shapes';
import { say, sayError } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Banner, RetryBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { countText, dateText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';

const duplicatesQuery = queryOptions({
  queryKey: ['users', 'duplicates'],
  queryFn: ({ signal }) => client.accounts.duplicates(undefined, { signal }),
  staleTime: 0,
});

type Props = { readonly open: boolean; readonly onClose: () => void };

/** Emails with several accounts, what a merge would do to each account, and the merge itself. */
export function DuplicatesDialog({ open, onClose }: Props) {
  const queries = useQueryClient();
  const found = useQuery({ ...duplicatesQuery, enabled: open });
  const cleanUp = useMutation({
    mutationFn: () => client.accounts.cleanDuplicates(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  });
  const close = () => {
    onClose();
    cleanUp.reset();
  };
  const merges = found.data?.merges ?? 0;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Duplicate accounts"
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
      description="Of several accounts with the same email, one is kept: a proven one first, then one that an administrator created, then the one used most recently. The others are marked as merged. Their sessions end, and nobody can sign in with them. Nothing is deleted."
      actions={
        <>
          {merges > 0 && (
            <Button
              variant="primary"
              aria-busy={cleanUp.isPending}
              disabled={cleanUp.isPending}
              onClick={() => cleanUp.mutate()}
            >
              {cleanUp.isPending ? 'Merging…' : `Merge ${accountsText(merges)}`}
            </Button>
          )}
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {cleanUp.isSuccess && (
          <Banner key={cleanUp.submittedAt} tone="success">
            {say('account/duplicates-merged', { count: cleanUp.data.marked })}
          </Banner>
        )}
        {cleanUp.isError && (
          <Banner key={`${cleanUp.submittedAt} failed`} tone="error">
            {say('account/duplicates-failed', { reason: sayError(cleanUp.error) })}
          </Banner>
        )}
        {found.isError && (
          <RetryBanner of={found}>{say('account/duplicates-unknown', { reason: sayError(found.error) })}</RetryBanner>
        )}
        {found.isPending && <Skeleton className="h-24 w-full rounded-control" />}
        {found.data && <Report report={found.data} />}
      </div>
    </Dialog>
  );
}

const accountsText = (count: number): string => `${countText(count)} ${count === 1 ? 'account' : 'accounts'}`;

function Report({ report: { emails, merges, groups } }: { readonly report: DuplicateReport }) {
  const left = emails - groups.length;
  return (
    <>
      <p role="status" className="font-medium text-body">
        {emails === 0
          ? 'No email has more than one account.'
          : `${countText(emails)} ${emails === 1 ? 'email has' : 'emails have'} more than one account. ${merges === 0 ? 'Nothing can be merged.' : `${accountsText(merges)} will be merged.`}`}
      </p>
      <ul className="flex flex-col gap-3">
        {groups.map((group) => (
          <li key={group.email} className="rounded-control border border-line p-3">
            <h3 className="font-medium text-body wrap-anywhere">{group.email}</h3>
            <ul className="mt-1 flex flex-col">
              <Entry account={group.kept} tone="ok" outcome="Kept" />
              {group.merged.map((account) => (
                <Entry key={account.id} account={account} tone="warn" outcome="Merged" />
              ))}
              {group.untouched.map((account) => (
                <Entry key={account.id} account={account} tone="neutral" outcome="Yours, not changed" />
              ))}
            </ul>
            {group.statusAfter !== group.kept.status && (
              <p className="mt-1 text-small text-warn">
                The account that is kept becomes {statusNames[group.statusAfter]}, because a merged one is.
              </p>
            )}
          </li>
        ))}
      </ul>
      {left > 0 && <p className="text-muted text-small">And {countText(left)} more.</p>}
    </>
  );
}

type EntryProps = { readonly account: ListedAccount; readonly tone: Tone; readonly outcome: string };

function Entry({ account, tone, outcome }: EntryProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-small">
      <Badge tone={tone}>{outcome}</Badge>
      <span className="min-w-0 flex-1 basis-60 text-muted wrap-anywhere">{factsText(account)}</span>
    </li>
  );
}

/** The facts that distinguish accounts with the same email. */
function factsText({ displayName, status, emailProven, createdBy, createdAt, lastLogin }: ListedAccount): string {
  return [
    displayName,
    statusNames[status],
    emailProven ? 'email proven' : 'email not proven',
    `${createdBy === 'system' ? 'signed up' : 'created by an administrator'} ${dateText(createdAt)}`,
    lastLogin === undefined ? 'never signed in' : `last login ${dateText(lastLogin)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
