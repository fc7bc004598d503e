import { type LinkKind, linkDays } from '@kc/rules/link';
import type { SharedPage, ShareLink } from '@kc/rules/link-shapes';
import { Badge } from '../../ui/badge.tsx';
import { dateText, dayText } from '../../ui/number-text.ts';

type Props = {
  readonly link: ShareLink;
  /** What it opens, if that is not clear from the context. */
  readonly opens?: string | undefined;
};

/** A link in a list: for whom, by whom, until when, and how often it was opened. */
export function LinkLine({ link, opens }: Props) {
  return (
    <>
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
    </>
  );
}

/** “By Ana · until Mar 12, 2027 · with the plan and downloads” */
export function lifeText({ maker, expiresAt, withPlan, mayEditPlan, withDownloads }: ShareLink): string {
  const included = [withPlan && (mayEditPlan ? 'the plan to edit' : 'the plan'), withDownloads && 'downloads'].filter(
    (part) => part !== false,
  );
  return [`By ${maker}`, `until ${dayText(expiresAt)}`, included.length > 0 && `with ${included.join(' and ')}`]
    .filter((part) => part !== false)
    .join(' · ');
}

/** “Opened 3 times, last on Feb 5, 2027, 09:12 AM” */
export function openedText({ opened, openedAt }: Pick<ShareLink, 'opened' | 'openedAt'>): string {
  if (opened === 0 || openedAt === undefined) return 'Not opened yet';
  return `Opened ${opened === 1 ? 'once' : `${opened} times`}, last on ${dateText(openedAt)}`;
}

type Captioned = Pick<SharedPage, 'sharedWith' | 'maker' | 'mayEditPlan' | 'until'>;

/** “Shared with ACME by Ana · read-only · until Mar 12, 2027”: on every page and picture of a link. */
export function captionOf({ sharedWith, maker, mayEditPlan, until }: Captioned): string {
  const by = maker === '' ? '' : ` by ${maker}`;
  return `Shared with ${sharedWith}${by} · ${mayEditPlan ? 'you may edit the plan' : 'read-only'} · until ${dayText(until)}`;
}

/** The days that the user typed, or undefined if a link of this kind cannot be valid that long. */
export function daysIn(text: string, kind: LinkKind): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= linkDays[kind].most ? days : undefined;
}
