import type { SharedPage } from '@kc/rules/link-shapes';
import { dayText } from '../share-links/link-texts.ts';

type Captioned = Pick<SharedPage, 'sharedWith' | 'maker' | 'mayEditPlan' | 'until'>;

/** “Shared with ACME by Ana · read-only · until 12 Mar 2027”: on every page and picture of a link. */
export function captionOf({ sharedWith, maker, mayEditPlan, until }: Captioned): string {
  const by = maker === '' ? '' : ` by ${maker}`;
  return `Shared with ${sharedWith}${by} · ${mayEditPlan ? 'you may edit the plan' : 'read-only'} · until ${dayText(until)}`;
}
