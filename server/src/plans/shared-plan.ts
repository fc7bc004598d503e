import type { LinkKind } from '@kc/rules/link';
import type { PlanFields } from '@kc/rules/plan';
import type { PlanEntry, PlanPage } from '@kc/rules/plan-shapes';

/**
 * What the visitors of a link see of a page of a plan: entries with a node in the shared visualization, because the
 * paths of all others are those of another upload, and no account. What was removed is left out.
 */
export function sharedPlanPage(page: PlanPage, kind: LinkKind): PlanPage {
  const entries = page.entries.filter(({ node, isPlanned }) => node !== undefined && isPlanned);
  return { ...page, entries: entries.map((entry) => sharedEntry(entry, kind)), people: [], you: '' };
}

function sharedEntry(entry: PlanEntry, kind: LinkKind): PlanEntry {
  const { id, rev, node, path, keywords, volume } = entry;
  const { tags, ...fields } = sharedFields(entry, kind);
  return {
    id,
    kind: entry.kind,
    rev,
    path,
    keywords,
    ...(node && { node }),
    ...(volume !== undefined && { volume }),
    marks: {},
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
