import type { ShareLink } from '@kc/rules/link-shapes';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { lifeText, openedText } from './link-texts.ts';

type Props = {
  readonly link: ShareLink;
  /** What it opens, where it is not clear. */
  readonly opens?: string | undefined;
  /** Its buttons. */
  readonly children: ReactNode;
};

/** A link in a list: for whom, by whom, until when, and how often it was opened. */
export function LinkLine({ link, opens, children }: Props) {
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
