import {
  type ChangeMark,
  changeMarks,
  type Filter,
  type PlanMark,
  type PlannedPart,
  planMarks,
  plannedFields,
  type WarningMark,
  warningMarkKinds,
} from './filter.ts';
import { hasEnd } from './range-text.ts';

/** The parts of a filter about what is not in the file: the plan, an earlier upload, and warnings. */
export type MarkParts = Pick<Filter, 'plan' | 'planned' | 'changes' | 'warnings' | 'seen'>;

/** Longer texts are refused: it holds two IDs and a few numbers. */
const maxSeenLength = 400;

type NodeMarks = Pick<Filter, 'plan' | 'planned' | 'changes' | 'warnings'>;
/** The conditions on branches, because one can be about what the plan covers. */
type WithBranches = Pick<Filter, 'branches'>;

/** Whether a filter says something about the marks of single nodes. */
export const hasNodeMarks = ({ plan, planned, changes, warnings }: NodeMarks): boolean =>
  plan.length + planned.length + changes.length + warnings.length > 0;

/** Whether a filter has a condition on how much of a branch the plan covers. */
export const asksForCovered = ({ branches }: WithBranches): boolean =>
  branches.some((part) => part.of === 'covered' && hasEnd(part));

/** Whether a filter depends on more than the file and its own text. */
export const hasMarks = (filter: NodeMarks & WithBranches): boolean => hasNodeMarks(filter) || asksForCovered(filter);

/**
 * What warnings are about under a filter: clusters are judged as they are before conditions on clusters, pillars and
 * warnings.
 */
export const beforeWarnings = (filter: Filter): Filter => ({ ...filter, branches: [], warnings: [] });

/** Writes one part for each value, in a fixed order, then what they are about. */
export function writeMarks(filter: MarkParts & WithBranches, write: (kind: string, text: string) => void): void {
  const { plan, planned, changes, warnings, seen } = canonicalMarks(filter);
  for (const mark of plan) write('plan', mark);
  for (const { of, value } of planned) write(of, value);
  for (const mark of changes) write('change', mark);
  for (const mark of warnings) write('warn', mark);
  if (seen !== '') write('seen', seen);
}

/** The parts of a text as read so far. */
type Read = { -readonly [K in keyof MarkParts]: MarkParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
export function readMark(read: Read, kind: string, text: string): boolean | undefined {
  switch (kind) {
    case 'plan':
      read.plan = [...read.plan, text as PlanMark];
      return planMarks.includes(text as PlanMark);
    case 'owner':
    case 'content':
    case 'tag':
    case 'due':
      read.planned = [...read.planned, { of: kind, value: text }];
      return kind !== 'due' || months.test(text);
    case 'change':
      read.changes = [...read.changes, text as ChangeMark];
      return changeMarks.includes(text as ChangeMark);
    case 'warn':
      read.warnings = [...read.warnings, text as WarningMark];
      return warningMarkKinds.includes(text as WarningMark);
    case 'seen':
      if (read.seen !== '' || text === '' || text.length > maxSeenLength) return false;
      read.seen = text;
      return true;
    default:
      return undefined;
  }
}

/** A range of months with at least one end, or nothing. */
const months = /^$|^(?!_$)(?:\d{4}-\d\d)?_(?:\d{4}-\d\d)?$/;

/** In the order in which they are written, without duplicates. Without marks, nothing is said about them. */
export function canonicalMarks(filter: MarkParts & WithBranches): MarkParts {
  return {
    plan: planMarks.filter((mark) => filter.plan.includes(mark)),
    planned: plannedFields.flatMap((of) => {
      const values = filter.planned.filter((part) => part.of === of).map(({ value }) => value);
      return [...new Set(values)].sort().map((value): PlannedPart => ({ of, value }));
    }),
    changes: changeMarks.filter((mark) => filter.changes.includes(mark)),
    warnings: warningMarkKinds.filter((mark) => filter.warnings.includes(mark)),
    seen: hasMarks(filter) ? filter.seen : '',
  };
}
