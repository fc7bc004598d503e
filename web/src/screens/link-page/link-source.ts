import type { QueryClient } from '@tanstack/react-query';
import { toRefusal } from '../../api/refusal.ts';
import type { PlanWrite } from '../../explore/model/plan-state.ts';
import type { ExplorerSource, PlanCalls } from '../../explore/model/source.ts';
import { sourceOf, handoverCallsOf } from '../visualization/explorer-source.ts';
import { linkClient } from './use-link.ts';

/** After these the same write can succeed later. */
const lost: ReadonlySet<string> = new Set([
  'fault/offline',
  'fault/unavailable',
  'link/too-many',
  'plan/too-many-writes',
  'visualization/being-rebuilt',
]);

const none = () => Promise.reject(new Error('A link has no such call'));

const nothingSaved = async () => ({ list: async () => [], save: none, rename: none, remove: none });

/** A change as links take it: of entries that exist, and no tags. */
const entriesOnly = (id: string, { batch, base, targets, set }: PlanWrite & { readonly kind: 'change' }) => ({
  id,
  batch,
  base,
  targets: [...targets],
  set,
});

/** The explorer's data source for the visitors of a link, who only read; some may edit entries of the plan. */
export function linkSourceOf(id: string, queries: QueryClient): ExplorerSource {
  const { plans, warnings } = linkClient;
  return {
    ...sourceOf(id, queries, undefined, linkClient),
    handover: async () => handoverCallsOf(id, true),
    views: nothingSaved,
    filterPresets: nothingSaved,
    savedScores: nothingSaved,
    plan: async (): Promise<PlanCalls> => ({
      read: (since) => plans.read({ id, since }),
      totals: (branch) => plans.totals({ id, ...(branch !== undefined && { branch }) }),
      write: (write) => (write.kind === 'change' ? plans.change(entriesOnly(id, write)) : none()),
      people: async () => (await plans.people({ id })).people,
      history: none,
      figures: none,
      suggestions: none,
      setLead: none,
      offer: none,
      choose: none,
      isLost: (failure) => lost.has(toRefusal(failure).code),
    }),
    warnings: async () => ({
      summary: (filter, signal) => warnings.summary({ id, filter }, { signal }),
      page: (kind, from, filter, signal) => warnings.page({ id, kind, from, filter }, { signal }),
      ofNode: (node, filter, signal) => warnings.ofNode({ id, node, filter }, { signal }),
      marks: (filter, withUnknown, signal) =>
        warnings.marks({ id, filter, ...(withUnknown && { unknown: 'yes' as const }) }, { signal }),
      dismissed: async () => [],
      setThresholds: none,
      dismiss: none,
      restore: none,
    }),
  };
}
