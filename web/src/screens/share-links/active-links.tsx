import { say, sayRefusal } from '@kc/rules/all-messages';
import { type LinkKind, linkDays } from '@kc/rules/link';
import type { SharedPage, ShareLink } from '@kc/rules/link-shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, BannerButton } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { useToast } from '../../ui/toast.tsx';

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

type LineProps = {
  readonly link: ShareLink;
  readonly opens: string | undefined;
  /** Its buttons. */
  readonly children: ReactNode;
};

/** A link in a list: for whom, by whom, until when, and how often it was opened. */
function LinkLine({ link, opens, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="m-0 flex flex-wrap items-center gap-2 text-body font-medium">
          <bdi className="wrap-anywhere">{link.sharedWith}</bdi>
          <Badge>{link.kind === 'client' ? 'Without account' : 'With account'}</Badge>
          {link.mayEditPlan && <Badge>Edits the plan</Badge>}
          {link.isResting && <Badge tone="warn">Does not work now</Badge>}
        </p>
        {opens && (
          <p className="m-0 text-small">
            <bdi className="wrap-anywhere">{opens}</bdi>
          </p>
        )}
        <p className="m-0 text-small text-muted wrap-anywhere">{lifeText(link)}</p>
        <p className="m-0 text-small text-muted">{openedText(link)}</p>
      </div>
      {children}
    </li>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** “12 Mar 2027” */
const dayText = (at: number): string => day.format(at);

/** “By Ana · until 12 Mar 2027 · with the plan and downloads” */
export function lifeText({ maker, expiresAt, withPlan, mayEditPlan, withDownloads }: ShareLink): string {
  const included = [withPlan && (mayEditPlan ? 'the plan to edit' : 'the plan'), withDownloads && 'downloads'].filter(
    (part) => part !== false,
  );
  return [`By ${maker}`, `until ${dayText(expiresAt)}`, included.length > 0 && `with ${included.join(' and ')}`]
    .filter((part) => part !== false)
    .join(' · ');
}

/** “Opened 3 times, last on 5 Feb 2027, 09:12” */
export function openedText({ opened, openedAt }: Pick<ShareLink, 'opened' | 'openedAt'>): string {
  if (opened === 0 || openedAt === undefined) return 'Not opened yet';
  return `Opened ${opened === 1 ? 'once' : `${opened} times`}, last on ${moment.format(openedAt)}`;
}

type Captioned = Pick<SharedPage, 'sharedWith' | 'maker' | 'mayEditPlan' | 'until'>;

/** “Shared with ACME by Ana · read-only · until 12 Mar 2027”: on every page and picture of a link. */
export function captionOf({ sharedWith, maker, mayEditPlan, until }: Captioned): string {
  const by = maker === '' ? '' : ` by ${maker}`;
  return `Shared with ${sharedWith}${by} · ${mayEditPlan ? 'you may edit the plan' : 'read-only'} · until ${dayText(until)}`;
}

/** The days that somebody typed, or undefined if a link of this kind cannot live that long. */
export function daysIn(text: string, kind: LinkKind): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= linkDays[kind].most ? days : undefined;
}
