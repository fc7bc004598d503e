import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { monthText } from '@kc/pack/vocabulary/months';
import { textsOf } from '@kc/rules/catalogue';
import { limits } from '@kc/rules/limits';
import { contentTypes, deletedOwner, isDueMonth, isTargetUrl, type PlanField } from '@kc/rules/plan';
import { planMessages } from '@kc/rules/plan-messages';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { toRefusal } from '@kc/rules/result';
import { CalendarClock, CircleCheck, Lightbulb, type LucideIcon, PenLine } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import type { Explorer } from '../../model/explorer.ts';
import type { OnPlanNews } from '../../model/plan.ts';
import { useExplorer } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { usePlan, usePlanState } from './use-plan.ts';

/** In place of a plan that could not be loaded. */
export function PlanFailure({ failure }: { readonly failure: unknown }) {
  const explorer = useExplorer();
  const plan = usePlan();
  return (
    <PartFailure className="m-4 p-3" onRetry={() => void plan.load().catch(() => undefined)}>
      {loadFailureText(explorer, failure)}
    </PartFailure>
  );
}

/** While edits wait for a server that cannot be reached. */
export function NotSent() {
  const plan = usePlan();
  const { isLost } = usePlanState();
  if (!isLost) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-control bg-warn-soft p-2 text-small text-warn"
    >
      Not saved yet. Your changes are sent when the server can be reached.
      <Button size="dense" onClick={plan.resend}>
        Try again
      </Button>
    </div>
  );
}

const { say: sayPlan, sayRefusal } = textsOf(planMessages);

export { sayPlan };

/** How long the texts of an entry may be. */
export const textLengths = {
  due: 7,
  url: limits.maxPlanUrlLength,
  primaryKeyword: limits.maxPlanKeywordLength,
  tags: limits.maxPlanTags * (limits.maxPlanTagLength + 2),
  note: limits.maxPlanNoteLength,
} as const;

/** What is wrong with a text that somebody typed into a field. */
export function problemOf(field: PlanField, text: string): string | undefined {
  if (field === 'due' && text !== '' && !isDueMonth(text)) return sayPlan('plan/due');
  if (field === 'url' && text.trim() !== '' && !isTargetUrl(text.trim())) return sayPlan('plan/url');
  return undefined;
}

type Explains = Pick<Explorer, 'explain'>;

/** Why a call about the plan failed. */
export function explainPlan(explorer: Explains, failure: unknown): string {
  const refusal = toRefusal(failure);
  return Object.hasOwn(planMessages, refusal.code) ? sayRefusal(refusal) : explorer.explain(failure);
}

/** What happened to a write. */
export const newsText = (explorer: Explains, news: Parameters<OnPlanNews>[0]): string =>
  'tagsFull' in news
    ? sayPlan('plan/tags-full', { max: limits.maxPlanTags })
    : sayPlan('plan/not-saved', { reason: explainPlan(explorer, news.refused) });

/** Why there is no plan to show. */
export const loadFailureText = (explorer: Explains, failure: unknown): string =>
  `${sayPlan('plan/load-failed')} ${explainPlan(explorer, failure)}`;

export const statusWords: Readonly<Record<PlanStatus, string>> = {
  idea: 'Idea',
  planned: 'Planned',
  written: 'Written',
  live: 'Live',
};
const statusIcons: Readonly<Record<PlanStatus, LucideIcon>> = {
  idea: Lightbulb,
  planned: CalendarClock,
  written: PenLine,
  live: CircleCheck,
};
const statusTones: Readonly<Record<PlanStatus, string>> = {
  idea: 'text-muted',
  planned: 'text-info',
  written: 'text-brand-ink',
  live: 'text-ok',
};
/** From the furthest to none, as in the bar. `undefined`: without a status. */
export const statusesFromLive: readonly (PlanStatus | undefined)[] = [...planStatuses.toReversed(), undefined];

export const fieldWords: Readonly<Record<PlanField, string>> = {
  isPlanned: 'In the plan',
  status: 'Status',
  assignee: 'Owner',
  url: 'Target URL',
  contentType: 'Content type',
  tags: 'Tags',
  note: 'Note',
  due: 'Due',
  primaryKeyword: 'Primary keyword',
};

/** A status as an icon and a word. */
export function StatusMark({ status }: { readonly status: PlanStatus }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 align-middle text-small">
      <StatusIcon status={status} />
      {statusWords[status]}
    </span>
  );
}

export function StatusIcon({ status }: { readonly status: PlanStatus }) {
  const Icon = statusIcons[status];
  return <Icon size={16} className={`shrink-0 ${statusTones[status]}`} />;
}

/** The options of a select for a field. */
export function ChoicesOf({ field }: { readonly field: 'status' | 'contentType' }) {
  const choices =
    field === 'status'
      ? planStatuses.map((value) => ({ value, label: statusWords[value] }))
      : ['', ...contentTypes].map((value) => ({ value, label: value === '' ? 'None' : value }));
  return choices.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** A value of a field as one text; “nothing” for an empty one. @param people names of accounts, which owners may be */
export function valueText(field: string, value: unknown, people?: ReadonlyMap<string, string>): string {
  if (field === 'assignee' && typeof value === 'object') {
    return people?.get((value as { readonly account: string }).account) ?? deletedOwner;
  }
  if (field === 'isPlanned') return value === true ? 'in the plan' : 'not in the plan';
  if (field === 'status') return statusWords[value as PlanStatus] ?? String(value);
  if (field === 'path' && Array.isArray(value)) return value.join(' › ');
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  const text = String(value ?? '');
  if (text === '') return 'nothing';
  return field === 'due' ? monthText(text) : text;
}

/** “just now”, “20 s ago”, “3 min ago”, “2 h ago”, “4 days ago”. */
function shortAgoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  const days = Math.round(seconds / 86_400);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** For a field that somebody else has set meanwhile: both values, and a choice. */
export function FieldConflict({ entry, field }: { readonly entry: PlanEntry; readonly field: PlanField }) {
  const plan = usePlan();
  const { conflicts, people } = usePlanState();
  const conflict = conflicts.get(entry.id)?.find((one) => one.field === field);
  const mark = entry.marks[field];
  if (!conflict || !mark) return null;
  const theirs = valueText(field, entry[field]);
  const yours = valueText(field, conflict.ownValue, people);
  const isLong = field === 'note';
  return (
    <div role="alert" className="mt-1.5 flex flex-col gap-2 rounded-control bg-warn-soft p-2 text-small text-warn">
      <p className="m-0 whitespace-pre-wrap wrap-anywhere">
        {sayPlan('plan/conflict', {
          name: people.get(mark.by) ?? 'A deleted account',
          theirs,
          ago: shortAgoText(Date.now() - mark.at),
          yours,
        })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="dense" onClick={() => plan.resolveConflict(entry.id, field, 'keep')}>
          {isLong ? 'Keep theirs' : `Keep ${theirs}`}
        </Button>
        <Button size="dense" onClick={() => plan.resolveConflict(entry.id, field, 'use')}>
          {isLong ? 'Use yours' : `Use ${yours}`}
        </Button>
      </div>
    </div>
  );
}
