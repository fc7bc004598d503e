import type { QueryClient } from '@tanstack/react-query';
import { toRefusal } from '../../api/refusal.ts';
import type { ExplorerSource } from '../../explore/model/source.ts';
import { sourceOf } from '../visualization/explorer-source.ts';
import { linkClient } from './link-client.ts';

const none = () => Promise.reject(new Error('A link has no such call'));

/** The explorer's data source for the visitors of a link, who only read. */
export function linkSourceOf(id: string, queries: QueryClient): ExplorerSource {
  const { plans, warnings } = linkClient;
  return {
    ...sourceOf(id, queries, undefined, linkClient),
    handover: async () => (await import('../visualization/handover-of.ts')).handoverCallsOf(id, true),
    views: async () => ({ list: async () => [], save: none, order: none, rename: none, remove: none }),
    filterPresets: async () => ({ list: async () => [], save: none, rename: none, remove: none }),
    savedScores: async () => ({ list: async () => [], save: none, rename: none, remove: none }),
    plan: async () => ({
      read: (since) => plans.read({ id, since }),
      totals: (branch) => plans.totals({ id, ...(branch !== undefined && { branch }) }),
      write: none,
      history: none,
      figures: none,
      suggestions: none,
      setLead: none,
      offer: none,
      choose: none,
      isLost: (failure) => toRefusal(failure).code === 'fault/offline',
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
