import {
  type ChangeMark,
  type Filter,
  type PlanMark,
  type PlannedPart,
  plannedFields,
  type WarningMark,
} from '../filter/filter.ts';
import { monthText } from '../vocabulary/months.ts';
import { anyOf, type FilterPart } from './filter-part.ts';

export const planMarkWords: Readonly<Record<PlanMark, string>> = {
  idea: 'Idea',
  planned: 'Planned',
  written: 'Written',
  live: 'Live',
  none: 'Not planned',
};

export const plannedTitles: Readonly<Record<PlannedPart['of'], string>> = {
  owner: 'Plan owner',
  content: 'Plan content type',
  tag: 'Plan tag',
  due: 'Plan due',
};
const unsetWords: Readonly<Record<PlannedPart['of'], string>> = {
  owner: 'Nobody',
  content: 'None',
  tag: 'None',
  due: 'No month',
};

/** A value of a field of the plan; that of `due` is a range of months. */
export const plannedWord = (of: PlannedPart['of'], value: string): string => value || unsetWords[of];

/** "December 2026 – February 2027", "from December 2026", "until February 2027" */
export function dueText(value: string): string {
  const [from = '', to = ''] = value.split('_').map((month) => month && monthText(month));
  if (from === '' && to === '') return unsetWords.due;
  if (to === '') return `from ${from}`;
  if (from === '') return `until ${to}`;
  return from === to ? from : `${from} – ${to}`;
}

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
  'results-apart': 'Answered by different pages',
  'results-alike': 'Answered by the same pages',
  oversized: 'Oversized cluster',
  single: 'Single keyword',
  repeated: 'Repeated keyword',
  unknown: 'Mostly unknown',
};

/** The conditions about the plan, the other upload and warnings. */
export function markPartsOf(filter: Filter): readonly FilterPart[] {
  const { plan, planned, changes, warnings } = filter;
  return [
    ...(plan.length > 0
      ? [{ text: `Plan: ${anyOf(plan.map((mark) => planMarkWords[mark]))}`, without: { ...filter, plan: [] } }]
      : []),
    ...plannedFields.flatMap((of) => {
      const values = planned.filter((part) => part.of === of).map(({ value }) => value);
      if (values.length === 0) return [];
      const words = values.map((value) => (of === 'due' ? dueText(value) : plannedWord(of, value)));
      const without = { ...filter, planned: planned.filter((part) => part.of !== of) };
      return [{ text: `${plannedTitles[of]}: ${anyOf(words)}`, without }];
    }),
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
