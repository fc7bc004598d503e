import type { SharedPage } from '@kc/rules/link-shapes';
import { dayText } from '../share-links/link-texts.ts';

/** “Shared with ACME by Ana · read-only · until 12 Mar 2027”: on every page and picture of a link. */
export function captionOf({ sharedWith, maker, until }: Pick<SharedPage, 'sharedWith' | 'maker' | 'until'>): string {
  const by = maker === '' ? '' : ` by ${maker}`;
  return `Shared with ${sharedWith}${by} · read-only · until ${dayText(until)}`;
}
