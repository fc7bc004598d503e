import type { LinkKind } from '@kc/rules/link';
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
  const { id, rev, node, path, keywords, volume, isPlanned, status, contentType, url, due } = entry;
  const place = {
    id,
    kind: entry.kind,
    rev,
    path,
    keywords,
    ...(node && { node }),
    ...(volume !== undefined && { volume }),
  };
  const nobody = { marks: {}, addedBy: '', addedAt: 0 };
  const seen = { ...nothing, isPlanned, status, contentType, url, due };
  // A client sees these four; whom an entry is given to, and what was written about it, is the team's own.
  if (kind === 'client') return { ...place, ...nobody, ...seen };
  const { assignee, tags, note, primaryKeyword } = entry;
  return { ...place, ...nobody, ...seen, assignee, tags, note, primaryKeyword };
}

const nothing = {
  status: 'idea',
  assignee: '',
  url: '',
  contentType: '',
  tags: [],
  note: '',
  due: '',
  primaryKeyword: '',
} satisfies Partial<PlanEntry>;
