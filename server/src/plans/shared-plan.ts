import { type LinkKind, linkAllows, type Visitor } from '@kc/rules/link';
import { emptyFields, type PlanFields, writerFields } from '@kc/rules/plan';
import type { PlanAnswer, PlanEntry, PlanPage } from '@kc/rules/plan-shapes';

/**
 * What the visitors of a link see of a page of a plan: entries with a node in the shared visualization, because the
 * paths of all others are those of another upload. Visitors who may edit also see who wrote the fields that they may change.
 *
 * @param since entries that they may have seen before this revision, but may no longer see, are reported as removed
 */
export function sharedPlanPage(page: PlanPage, visitor: Visitor, since: number): PlanPage {
  const entries = page.entries.flatMap((entry) => {
    if (isSeen(entry)) return [sharedEntry(entry, visitor)];
    return since > 0 ? [goneEntry(entry)] : [];
  });
  return { ...page, entries, people: peopleOf(entries, page.people), you: visitor.accountId ?? '' };
}

/** What a colleague sees of the answer to their write. */
export function sharedPlanAnswer(answer: PlanAnswer, visitor: Visitor): PlanAnswer {
  const entries = answer.entries.filter(isSeen).map((entry) => sharedEntry(entry, visitor));
  const seen = new Set(entries.map(({ id }) => id));
  const conflicts = answer.conflicts.filter(({ entry }) => seen.has(entry));
  return { ...answer, entries, conflicts, people: peopleOf(entries, answer.people) };
}

const isSeen = ({ node, isPlanned }: PlanEntry): boolean => node !== undefined && isPlanned;

/** The people whom these entries name, as far as they are shown. */
function peopleOf(entries: readonly PlanEntry[], people: PlanPage['people']): PlanPage['people'] {
  const named = new Set(entries.flatMap(({ marks, assigneeId }) => [...writersIn(marks), assigneeId]));
  return people.filter(({ id }) => named.has(id));
}

const writersIn = (marks: PlanEntry['marks']): string[] => Object.values(marks).map(({ by }) => by);

function goneEntry({ id, kind, rev }: PlanEntry): PlanEntry {
  const nothing = { path: [], keywords: 0, marks: {}, addedBy: '', addedAt: 0 };
  return { id, kind, rev, ...nothing, ...emptyFields, isPlanned: false, tags: [] };
}

function sharedEntry(entry: PlanEntry, visitor: Visitor): PlanEntry {
  const { id, rev, node, path, keywords, volume, assigneeId } = entry;
  const { tags, ...fields } = sharedFields(entry, visitor.kind);
  const isWriter = linkAllows(visitor, 'edit-plan');
  const marks = isWriter
    ? Object.fromEntries(writerFields.flatMap((field) => (entry.marks[field] ? [[field, entry.marks[field]]] : [])))
    : {};
  return {
    id,
    kind: entry.kind,
    rev,
    path,
    keywords,
    ...(node && { node }),
    ...(volume !== undefined && { volume }),
    ...(isWriter && assigneeId !== undefined && { assigneeId }),
    marks,
    addedBy: '',
    addedAt: 0,
    ...fields,
    tags: [...tags],
  };
}

/** The fields of an entry that the visitors of a link see; the others are empty. */
export function sharedFields(fields: PlanFields, kind: LinkKind): PlanFields {
  const { isPlanned, status, contentType, url, due, assignee, tags, note, primaryKeyword } = fields;
  const seen = { isPlanned, status, contentType, url, due };
  // A client sees these; whom an entry is given to, and what was written about it, is the team's own.
  if (kind === 'client') return { ...seen, assignee: '', tags: [], note: '', primaryKeyword: '' };
  return { ...seen, assignee, tags, note, primaryKeyword };
}
