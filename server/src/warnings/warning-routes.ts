import { noFilter } from '@kc/pack/filter/filter';
import { beforeWarnings, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { limits } from '@kc/rules/limits';
import { areThresholds } from '@kc/rules/warnings';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { inTransaction, isId, type Tx } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { lockActing } from '../visualizations/acting.ts';
import { type DataSet, dataSetOf, openDataSet } from '../visualizations/data-sets.ts';
import type { WarningsQuery } from '../visualizations/query/warning-queries.ts';
import {
  deleteDismissed,
  dismissedOf,
  insertDismissed,
  listDismissed,
  saveThresholds,
  thresholdsFor,
} from './warning-records.ts';

type WarningRouteDeps = Pick<ServerParts, 'db' | 'packQueries' | 'filterOf' | 'mayDo' | 'now'>;

type Judged = Awaited<ReturnType<typeof openDataSet>>;

/** The contract's calls about warnings. Source: docs/decisions/060. */
export function warningRoutes({ db, packQueries, filterOf, mayDo, now }: WarningRouteDeps) {
  return {
    warnings: {
      summary: api.warnings.summary.handler(async ({ input, context, signal }) => {
        const query = await readQuery(input, context, signal);
        return { kinds: await packQueries.warningSummary(query), thresholds: query.thresholds };
      }),
      page: api.warnings.page.handler(async ({ input, context, signal }) => {
        const { kind, from = 0, count = limits.warningsAtATime } = input;
        return packQueries.warningPage({ ...(await readQuery(input, context, signal)), kind, from, count });
      }),
      ofNode: api.warnings.ofNode.handler(async ({ input, context, signal }) => {
        const { nodes, ...query } = await readQuery(input, context, signal);
        if (input.node >= nodes) throw asError({ code: 'visualization/node-not-found' });
        return packQueries.nodeWarnings({ ...query, node: input.node });
      }),
      marks: api.warnings.marks.handler(async ({ input, context, signal }) =>
        packQueries.warningMarks({
          ...(await readQuery(input, context, signal)),
          withUnknown: input.unknown !== undefined,
        }),
      ),
      setThresholds: api.warnings.setThresholds.handler(async ({ input, context }) => {
        const found = await judged(context, input.id, true);
        if (!areThresholds(input.thresholds)) throw asError({ code: 'warnings/thresholds' });
        await judging(context, found, (tx, set) => saveThresholds(tx, set, input.thresholds));
        return input.thresholds;
      }),
      dismissed: api.warnings.dismissed.handler(async ({ input, context }) => {
        const { set } = await judged(context, input.id);
        return (await listDismissed(db, set)).map((one) => ({
          id: one.id,
          kind: one.kind,
          path: one.paths[0]!.map(([name]) => name),
          ...(one.subject !== '' && { subject: one.subject }),
          ...(one.email !== null && { by: one.display_name || one.email.split('@')[0]! }),
          at: one.dismissed_at.getTime(),
        }));
      }),
      dismiss: api.warnings.dismiss.handler(async ({ input, context, signal }) => {
        const found = await judged(context, input.id);
        const path = await packQueries.nodePath({ packKey: found.record.pack_key, address: input.node, signal });
        if (!path) throw asError({ code: 'visualization/node-not-found' });
        const judgement = {
          kind: input.kind,
          // A URL is recognised by itself: see `Dismissed`.
          path: input.kind === 'url-clusters' ? [] : path,
          subject: input.subject ?? '',
          dismissed_by: personOf(context).account.id,
          dismissed_at: new Date(now()),
        };
        const id = allowed(await judging(context, found, (tx, set) => insertDismissed(tx, set, judgement)));
        return { dismissed: id };
      }),
      restore: api.warnings.restore.handler(async ({ input, context }) => {
        const found = await judged(context, input.id);
        const isGone =
          isId(input.dismissed) &&
          (await judging(context, found, (tx, set) => deleteDismissed(tx, set, input.dismissed)));
        if (!isGone) throw asError({ code: 'warnings/not-found' });
        return { dismissed: input.dismissed };
      }),
    },
  };

  /** @param hasDrafts for what drafts have, too: their warnings and thresholds */
  function judged(context: RequestContext, id: string, hasDrafts = false): Promise<Judged> {
    return openDataSet(db, context, id, 'warnings/judge', hasDrafts);
  }

  /** Judges in a transaction in which this account may still do so, and waits for its turn among writes of the same owner. */
  function judging<T>(
    context: RequestContext,
    { record, set }: Judged,
    work: (tx: Tx, set: DataSet) => Promise<T>,
  ): Promise<T> {
    return inTransaction(db, async (tx) => {
      const { owner_id: ownerId, of_sample: sample } = set;
      const action = { do: 'warnings/judge', ownerId, sample } as const;
      const owner = await lockActing(tx, mayDo, personOf(context).account.id, action);
      if (owner === undefined) throw asError({ code: 'visualization/not-found' });
      // While the request came here, the data may have become part of another set.
      const root_hash = await dataSetOf(tx, owner, sample, record.root_name);
      return work(tx, { owner_id: owner, of_sample: sample, root_hash });
    });
  }

  async function readQuery(
    input: { readonly id: string; readonly filter?: string | undefined },
    context: RequestContext,
    signal: AbortSignal | undefined,
  ): Promise<WarningsQuery & { readonly nodes: number }> {
    const { record, set } = await judged(context, input.id, true);
    const filter = readFilter(await filterOf(context, record, input.filter)) ?? noFilter;
    const dismissed = await dismissedOf(db, set);
    return {
      packKey: record.pack_key,
      fileKey: record.file_key,
      nodes: record.nodes,
      filter: writeFilter(beforeWarnings(filter)),
      thresholds: await thresholdsFor(db, set),
      dismissed,
      signal,
    };
  }
}
