import { shareText } from '@kc/pack/filter-words/share-text';
import type { ReviewRow, ReviewTab } from '@kc/rules/draft-shapes';
import { counted, exact } from '../../../explore/format/figure-text.ts';

/** The review lists in their order. */
export const reviewTabs: readonly ReviewTab[] = ['uncertain', 'new', 'clusters', 'gone'];

export const tabNames: Readonly<Record<ReviewTab, string>> = {
  uncertain: 'Uncertain',
  new: 'New',
  clusters: 'New clusters',
  gone: 'Gone',
};

/** What a list has, and what happens without a decision. */
export const tabTexts: Readonly<Record<ReviewTab, string>> = {
  uncertain: 'New keywords that joined a cluster that they resemble a little, or that resemble other clusters, too.',
  new: 'Keywords that the map did not have.',
  clusters: 'Clusters of new keywords that fit nowhere else. An accepted cluster is locked.',
  gone: 'Keywords of the map that the new list does not have. They leave the map unless you keep them.',
};

/** "3 uncertain · 140 new · 2 new clusters · 20 gone", without what there is none of. */
export function openText(left: Readonly<Record<ReviewTab, number>>): string {
  const parts: Readonly<Record<ReviewTab, string>> = {
    uncertain: `${exact(left.uncertain)} uncertain`,
    new: `${exact(left.new)} new`,
    clusters: counted(left.clusters, 'new cluster'),
    gone: `${exact(left.gone)} gone`,
  };
  return reviewTabs
    .filter((tab) => left[tab] > 0)
    .map((tab) => parts[tab])
    .join(' · ');
}

/** Where a row is and what is known about it: "Garden › Hoses · 20 a month · similarity 0.66". */
export function rowText({ path, volume, similarity, share, keywords }: ReviewRow): string {
  return [
    path.join(' › '),
    keywords !== undefined && counted(keywords, 'keyword'),
    volume !== undefined && `${exact(volume)} a month`,
    similarity !== undefined && `similarity ${similarity.toFixed(2)}`,
    share !== undefined && share < 1 && `${shareText(share, 0)} of what it resembles is here`,
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' · ');
}
