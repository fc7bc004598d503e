import type { ChangeMark, Filter, PlanMark, WarningMark } from '@kc/pack/filter/filter';
import { lazily } from '../../ui/lazily.ts';
import type { FilterPart } from './filter-part.ts';

export const planMarkWords: Readonly<Record<PlanMark, string>> = {
  idea: 'Idea',
  planned: 'Planned',
  written: 'Written',
  live: 'Live',
  none: 'Not planned',
};

export const changeMarkWords: Readonly<Record<ChangeMark, string>> = {
  new: 'New',
  gone: 'Gone',
  moved: 'Moved',
  renamed: 'Renamed',
  'volume-up': 'Volume up',
  'volume-down': 'Volume down',
  easier: 'Easier',
  harder: 'Harder',
  'rank-up': 'Rank up',
  'rank-down': 'Rank down',
  'now-known': 'Now known',
  'no-longer-known': 'No longer known',
};

export const warningMarkWords: Readonly<Record<WarningMark, string>> = {
  mixed: 'Mixed intent',
  'url-clusters': 'One URL, several clusters',
  'cluster-urls': 'Several URLs, one cluster',
  oversized: 'Oversized cluster',
  single: 'Single keyword',
  repeated: 'Repeated keyword',
  unknown: 'Mostly unknown',
};

/** The conditions about the plan, the other upload and warnings. */
export function markPartsOf(filter: Filter): readonly FilterPart[] {
  const { plan, changes, warnings } = filter;
  return [
    ...(plan.length > 0
      ? [{ text: `Plan: ${anyOf(plan.map((mark) => planMarkWords[mark]))}`, without: { ...filter, plan: [] } }]
      : []),
    ...(changes.length > 0
      ? [
          {
            text: `Change: ${anyOf(changes.map((mark) => changeMarkWords[mark]))}`,
            without: { ...filter, changes: [] },
          },
        ]
      : []),
    ...(warnings.length > 0
      ? [
          {
            text: `Warning: ${anyOf(warnings.map((mark) => warningMarkWords[mark]))}`,
            without: { ...filter, warnings: [] },
          },
        ]
      : []),
  ];
}

const either = lazily(() => new Intl.ListFormat('en', { type: 'disjunction' }));
const anyOf = (texts: readonly string[]): string => either().format(texts);
