import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { monthText } from '@kc/pack/vocabulary/months';
import { contentTypes, deletedOwner, type PlanField } from '@kc/rules/plan';
import { CalendarClock, CircleCheck, Lightbulb, type LucideIcon, PenLine } from 'lucide-react';

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
  return <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${statusTones[status]}`} />;
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
export function shortAgoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  const days = Math.round(seconds / 86_400);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
