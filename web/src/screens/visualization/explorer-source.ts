import { toRefusal } from '@kc/rules/result';
import type { QueryClient } from '@tanstack/react-query';
import { client as ownClient } from '../../api/client.ts';
import type { PlanWrite } from '../../explore/model/plan-state.ts';
import {
  type ComparisonCalls,
  type ExplorerSource,
  type Located,
  type PlanCalls,
  type SavedTextCalls,
  unplacedAtATime,
  type WarningCalls,
} from '../../explore/model/source.ts';
import {
  addressOf,
  exportUrl,
  fetchHandover,
  fetchRows,
  fetchSlice,
  fetchTable,
  fetchTotals,
  handoverUrl,
  listUrl,
  unplacedUrl,
} from './binary-calls.ts';

/**
 * The explorer's data source for one visualization on the server.
 *
 * @param comparedOwner the owner of the uploads that it can be compared with; undefined if it cannot be
 * @param client other calls of the same names, for the visitors of a link, whose ID is then `id`
 */
export function sourceOf(
  id: string,
  queries: QueryClient,
  comparedOwner?: string,
  client: Pick<typeof ownClient, 'visualizations'> = ownClient,
): ExplorerSource {
  const at = addressOf(id, client !== ownClient);
  return {
    slice: (query, signal, onBytes) => fetchSlice(at, query, signal, onBytes),
    // The explorer asks once, and again when somebody has changed them.
    fields: () => client.visualizations.fields({ id }),
    node: (node, filter, signal) => client.visualizations.node({ id, node, ...under(filter) }, { signal }),
    keywords: ({ node, filter, after, limit }, signal) =>
      client.visualizations.keywords(
        { id, node, ...(after !== undefined && { after }), ...(limit && { limit }), ...under(filter) },
        signal ? { signal } : {},
      ),
    members: (node, filter, signal) => client.visualizations.members({ id, node, ...under(filter) }, { signal }),
    notInHierarchy: ({ mode, text }, skip, signal) =>
      client.visualizations.notInHierarchy(
        { id, skip, limit: unplacedAtATime, ...(text !== '' && { q: text, match: mode }) },
        { signal },
      ),
    notInHierarchyKeyword: (row, signal) => client.visualizations.notInHierarchyKeyword({ id, row }, { signal }),
    notInHierarchyUrl: (form) => unplacedUrl(at, form),
    search: ({ text, mode, ...query }, filter, signal) =>
      client.visualizations.search({ id, q: text, match: mode, ...query, ...under(filter) }, { signal }),
    exportUrl: (form, node, filter, kind) => exportUrl(at, form, node, filter, kind),
    rows: (query, part, signal) => fetchRows(at, query, part, signal),
    histogram: (of, filter, signal, sum) =>
      client.visualizations.histogram({ id, of, ...(sum !== undefined && { sum }), ...under(filter) }, { signal }),
    checkScore: ({ filter, ...asked }, signal) =>
      client.visualizations.checkScore({ id, ...asked, ...under(filter) }, { signal }),
    selectionTotals: (selection, signal) => fetchTotals(at, selection, signal),
    points: ({ filter, ...asked }, signal) =>
      client.visualizations.points({ id, ...asked, ...under(filter) }, { signal }),
    density: ({ filter, level, within, x, y, size }, edges, signal) =>
      client.visualizations.density({ id, level, within, x, y, size, edges, ...under(filter) }, { signal }),
    listUrl: (query, columns) => listUrl(at, query, columns),
    table: (nodes, filter, columns) => fetchTable(at, nodes, filter, columns),
    locate: (address, filter) =>
      queries.fetchQuery({
        queryKey: ['locate', id, address, filter],
        queryFn: ({ signal }): Promise<Located> =>
          client.visualizations.locate({ id, address, ...under(filter) }, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      }),
    ...(comparedOwner !== undefined && { comparison: comparisonOf(id, comparedOwner) }),
    views: savedViewsOf(id),
    plan: planCallsOf(id),
    filterPresets,
    savedScores,
    handover: {
      url: (file, asked) => handoverUrl(at, file, asked),
      text: (file, asked) => fetchHandover(at, file, asked),
    },
    warnings: warningCallsOf(id),
  };
}

function comparisonOf(id: string, userId: string): ComparisonCalls {
  const since = ({ vs, filter, thresholds }: { vs: string; filter: string; thresholds: string }) => ({
    id,
    vs,
    ...under(filter),
    ...(thresholds !== '' && { ct: thresholds }),
  });
  return {
    async uploads(signal) {
      const all = await ownClient.visualizations.list({ userId }, { signal });
      return all
        .filter(({ isSample }) => !isSample)
        .map(({ id, rootName, description, uploadDate, exportedOn, keywords, nodes }) => ({
          id,
          name: rootName,
          description,
          date: uploadDate,
          exportedOn,
          // In some files only the hierarchy names keywords.
          keywords: keywords || nodes,
        }))
        .sort((one, other) => other.date - one.date);
    },
    changes: ({ level, kind, from, within, ...query }, signal) =>
      ownClient.visualizations.changes({ ...since(query), level, kind, from, within }, { signal }),
    change: ({ node, ...query }, signal) => ownClient.visualizations.change({ ...since(query), node }, { signal }),
  };
}

/** Without a filter, the parameter is omitted, so that the cached responses are found again. */
const under = (filter: string) => (filter === '' ? {} : { filter });

/** What the visitors of a link may read of a plan, too. @param plans the calls of a session, or of a link */
export const planReadsOf = (id: string, plans: typeof ownClient.plans): PlanReads => ({
  read: (since) => plans.read({ id, since }),
  people: async () => (await plans.people({ id })).people,
  totals: (branch) => plans.totals({ id, ...(branch !== undefined && { branch }) }),
  isLost: (failure) => lostCodes.has(toRefusal(failure).code),
});
type PlanReads = Pick<PlanCalls, 'read' | 'people' | 'totals' | 'isLost'>;

/** The plan of the data of a visualization, stored on the server. */
function planCallsOf(id: string): PlanCalls {
  return {
    ...planReadsOf(id, ownClient.plans),
    write: (write) => send(id, write),
    history: (entry) => ownClient.plans.history({ id, entry }),
    figures: (filter, signal) => ownClient.plans.figures({ id, filter }, { signal }),
    links: (entry) => ownClient.plans.links({ id, entry }),
    suggestions: () => ownClient.plans.suggestions({ id }),
    setLead: async (lead) => {
      await ownClient.plans.lead({ id, lead });
    },
    offer: async () => (await ownClient.plans.offer({ id })).offer ?? null,
    choose: async (plan) => (await ownClient.plans.choose({ id, plan })).isContinued,
  };
}

function send(id: string, write: PlanWrite) {
  const { batch } = write;
  if (write.kind === 'undo') return ownClient.plans.undo({ id, batch, undone: write.undone });
  if (write.kind === 'move') return ownClient.plans.move({ id, batch, moves: [...write.moves] });
  const { base, targets, set, addTags, removeTags } = write;
  return ownClient.plans.change({
    id,
    batch,
    base,
    targets: [...targets],
    set,
    addTags: [...addTags],
    removeTags: [...removeTags],
  });
}

/** After these the same request can succeed later. */
const lostCodes: ReadonlySet<string> = new Set([
  'fault/offline',
  'fault/unavailable',
  'link/too-many',
  'plan/too-many-writes',
  'visualization/being-rebuilt',
]);

/** The user's saved filters, stored on the server. */
const filterPresets: SavedTextCalls = {
  list: async () => (await ownClient.filterPresets.list()).map(ofFilter),
  save: async ({ name, text }) => ofFilter(await ownClient.filterPresets.save({ name, filter: text })),
  rename: async (id, name) => ofFilter(await ownClient.filterPresets.change({ id, name })),
  remove: async (id) => void (await ownClient.filterPresets.remove({ id })),
};

/** The user's saved scores, stored on the server. */
const savedScores: SavedTextCalls = {
  list: async () => (await ownClient.scores.list()).map(ofScore),
  save: async ({ name, text }) => ofScore(await ownClient.scores.save({ name, score: text })),
  rename: async (id, name) => ofScore(await ownClient.scores.change({ id, name })),
  remove: async (id) => void (await ownClient.scores.remove({ id })),
};

/** The user's saved views of the data of a visualization, stored on the server. */
const savedViewsOf = (id: string): SavedTextCalls => ({
  list: async () => (await ownClient.views.list({ id })).map(ofView),
  save: async ({ text, ...view }) => ofView(await ownClient.views.save({ id, ...view, state: text })),
  rename: async (view, name) => ofView(await ownClient.views.rename({ id: view, name })),
  remove: async (view) => void (await ownClient.views.remove({ id: view })),
  order: (ids) => ownClient.views.order({ id, ids: [...ids] }),
});

const ofView = ({ id, name, state }: { id: string; name: string; state: string }) => ({ id, name, text: state });
const ofFilter = ({ id, name, filter }: { id: string; name: string; filter: string }) => ({ id, name, text: filter });
const ofScore = ({ id, name, score }: { id: string; name: string; score: string }) => ({ id, name, text: score });

/** What the visitors of a link may read of warnings, too. @param warnings the calls of a session, or of a link */
export const warningReadsOf = (id: string, warnings: typeof ownClient.warnings): WarningReads => ({
  summary: (filter, signal) => warnings.summary({ id, filter }, { signal }),
  page: (kind, from, filter, signal) => warnings.page({ id, kind, from, filter }, { signal }),
  ofNode: (node, filter, signal) => warnings.ofNode({ id, node, filter }, { signal }),
  marks: (filter, withUnknown, signal) =>
    warnings.marks({ id, filter, ...(withUnknown && { unknown: 'yes' as const }) }, { signal }),
});
type WarningReads = Pick<WarningCalls, 'summary' | 'page' | 'ofNode' | 'marks'>;

/** Warnings about the data of a visualization, computed and judged on the server. */
function warningCallsOf(id: string): WarningCalls {
  return {
    ...warningReadsOf(id, ownClient.warnings),
    setThresholds: (thresholds) => ownClient.warnings.setThresholds({ id, thresholds }),
    dismissed: (signal) => ownClient.warnings.dismissed({ id }, { signal }),
    dismiss: async ({ kind, address, subject }) =>
      (await ownClient.warnings.dismiss({ id, kind, node: address, ...(subject !== undefined && { subject }) }))
        .dismissed,
    restore: (dismissed) => ownClient.warnings.restore({ id, dismissed }),
  };
}
