import { limits } from './limits.ts';
import { type PlanChange, type PlanField, type PlanFields, planFieldNames } from './plan.ts';

/** The last write of a field: the revision of the plan that it made, who wrote, and when (ms since 1970). */
export type FieldMark = { readonly rev: number; readonly by: string; readonly at: number };
export type FieldMarks = Readonly<Partial<Record<PlanField, FieldMark>>>;

/** The fields of an entry, and when each was last written. A field without a mark has the value it began with. */
export type Marked = { readonly fields: PlanFields; readonly marks: FieldMarks };

/** A value that a field had, and the one that replaced it. */
export type FieldChange = { readonly field: PlanField; readonly before: unknown; readonly after: unknown };

type Merged = Marked & {
  /** The fields that this write changed. */
  readonly changes: readonly FieldChange[];
  /** The fields that keep the value of somebody who wrote since `base`. */
  readonly conflicts: readonly PlanField[];
  /** Whether tags were left out because there would be too many. */
  readonly isFull: boolean;
};

/**
 * An entry after a write that was made on revision `base` of the plan, field by field: one that nobody has written since
 * is set; one that somebody has set to the same value is left alone; any other is a conflict and is left alone. Tags are
 * added and removed without conflicts. Nobody is in conflict with themselves: edits that wait to be sent follow each
 * other.
 *
 * @param stamp the mark of the fields that change; its revision is greater than every mark of the entry
 * @param spares which later writes are left alone: those of others, or all of them
 */
export function mergeChange(
  entry: Marked,
  change: PlanChange,
  base: number,
  stamp: FieldMark,
  spares: 'others' | 'all' = 'others',
): Merged {
  const fields: Partial<Record<PlanField, unknown>> = { ...entry.fields };
  const marks: Partial<Record<PlanField, FieldMark>> = { ...entry.marks };
  const changes: FieldChange[] = [];
  const conflicts: PlanField[] = [];
  const write = (field: PlanField, after: unknown): void => {
    changes.push({ field, before: entry.fields[field], after });
    fields[field] = after;
    marks[field] = stamp;
  };
  for (const field of planFieldNames) {
    if (field === 'tags') continue;
    const after = change.set[field];
    if (after === undefined || after === entry.fields[field]) continue;
    const last = entry.marks[field];
    if (last && last.rev > base && (spares === 'all' || last.by !== stamp.by)) conflicts.push(field);
    else write(field, after);
  }
  const { tags, isFull } = tagsAfter(entry.fields.tags, change);
  if (!isEqualValue(tags, entry.fields.tags)) write('tags', tags);
  return { fields: fields as PlanFields, marks, changes, conflicts, isFull };
}

function tagsAfter(before: readonly string[], { addTags, removeTags }: PlanChange) {
  const remaining = before.filter((tag) => !removeTags.includes(tag));
  const added = [...new Set(addTags)].filter((tag) => !remaining.includes(tag));
  const room = Math.max(0, limits.maxPlanTags - remaining.length);
  return { tags: [...remaining, ...added.slice(0, room)].sort(compareTexts), isFull: added.length > room };
}

/** By code units: the same order on every machine. */
const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether two values of a field are equal. */
export function isEqualValue(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/**
 * The change that takes back what a write did to an entry: the values from before it.
 *
 * Merged on the write's own revision, sparing all later writes, it leaves alone what was written since.
 */
export function undoOf(changes: readonly FieldChange[]): PlanChange {
  const set: Partial<Record<PlanField, unknown>> = {};
  let addTags: readonly string[] = [];
  let removeTags: readonly string[] = [];
  for (const { field, before, after } of changes) {
    if (field !== 'tags') {
      set[field] = before;
      continue;
    }
    const [old, now] = [before as readonly string[], after as readonly string[]];
    addTags = old.filter((tag) => !now.includes(tag));
    removeTags = now.filter((tag) => !old.includes(tag));
  }
  return { set: set as PlanChange['set'], addTags, removeTags };
}
