import { say, sayRefusal } from '@kc/rules/all-messages';
import type { ShareLink } from '@kc/rules/link-shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { Banner, BannerButton } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { useToast } from '../../ui/toast.tsx';
import { LinkLine } from './link-line.tsx';

type Props<Link extends ShareLink> = {
  readonly label: string;
  /** Where there are none. */
  readonly none: string;
  /** Of whose links, for the cache. */
  readonly of: string;
  readonly read: (signal: AbortSignal) => Promise<readonly Link[]>;
  /** What a link opens, where it is not clear. */
  readonly opens?: (link: Link) => string;
};

/** Links that have not ended, to look through and to revoke. */
export function ActiveLinks<Link extends ShareLink>({ label, none, of, read, opens }: Props<Link>) {
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery({ queryKey: ['links', of], queryFn: ({ signal }) => read(signal) });
  const revoking = useMutation({
    mutationFn: (link: Link) => client.links.revoke({ id: link.id }),
    onSuccess: (_gone, link) => toast(say('link/revoked', { name: link.sharedWith })),
    onError: (error) => toast(say('link/not-revoked', { reason: sayRefusal(toRefusal(error)) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['links'] }),
  });
  return (
    <section aria-label={label} className="border-t border-line pt-4">
      <h3 className="m-0 mb-2 text-small font-semibold">Active links</h3>
      {found.isPending && <Skeleton className="h-12" />}
      {found.isError && (
        <Banner tone="error" actions={<BannerButton onClick={() => void found.refetch()}>Try again</BannerButton>}>
          {sayRefusal(toRefusal(found.error))}
        </Banner>
      )}
      {found.data?.length === 0 && <p className="m-0 text-small text-muted">{none}</p>}
      <ul className="m-0 flex list-none flex-col divide-y divide-line p-0 empty:hidden">
        {found.data?.map((link) => (
          <LinkLine key={link.id} link={link} opens={opens?.(link)}>
            <Button
              size="dense"
              aria-label={`Revoke the link for ${link.sharedWith}`}
              disabled={revoking.isPending}
              onClick={() => revoking.mutate(link)}
            >
              Revoke
            </Button>
          </LinkLine>
        ))}
      </ul>
    </section>
  );
}
