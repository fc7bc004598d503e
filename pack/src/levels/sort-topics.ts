import { markOf, type RowSort, type SortMark } from './row-sort.ts';

/** What marks are about: a comparison with an earlier upload, the plan, or warnings. */
export type SortTopic = 'change' | 'plan' | 'warnings';

export const topicOf: Readonly<Record<SortMark, SortTopic>> = {
  change: 'change',
  volume_before: 'change',
  volume_change: 'change',
  volume_percent: 'change',
  plan: 'plan',
  covered: 'plan',
  warnings: 'warnings',
};

/** What a sort needs to know that is not in the pack. */
export const topicsOf = (sort: RowSort): ReadonlySet<SortTopic> =>
  new Set(sort.flatMap(({ by }) => markOf(by) ?? []).map((mark) => topicOf[mark]));
