import { noFilter } from '@kc/pack/filter/filter';
import { beforeWarnings, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { limits } from '@kc/rules/limits';
import { areThresholds } from '@kc/rules/warnings';
import type { Transaction } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import { lockActing, type MayDo } from '../visualizations/acting.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import { isId } from '../visualizations/queries.ts';
import type { FilterCache } from '../visualizations/query/filter-cache.ts';
import type { PackQueries } from '../visualizations/query/pack-queries.ts';
import type { AskedWarnings } from '../visualizations/query/warning-queries.ts';
import { type Judged, type JudgedData, judgedData } from './judged-data.ts';
import {
  deleteDismissed,
  dismissedOf,
  insertDismissed,
  listDismissed,
  saveThresholds,
  thresholdsFor,
} from './warning-records.ts';

type WarningRouteDeps = {
  readonly db: Db;
  readonly packQueries: PackQueries;
  readonly filterOf: FilterCache;
  readonly mayDo: MayDo;
  now(): number;
};

/** The contract's calls about warnings. Source: docs/decisions/060. */
export function warningRoutes({ db, packQueries, filterOf, mayDo, now }: WarningRouteDeps) {
  return {
    warnings: {
      summary: api.warnings.summary.handler(async ({ input, context, signal }) => {
        const asked = await askedBy(input, context, signal);
        return { kinds: await packQueries.warningSummary(asked), thresholds: asked.thresholds };
      }),
      page: api.warnings.page.handler(async ({ input, context, signal }) => {
        const { kind, from = 0, count = limits.warningsAtATime } = input;
        return packQueries.warningPage({ ...(await askedBy(input, context, signal)), kind, from, count });
      }),
      ofNode: api.warnings.ofNode.handler(async ({ input, context, signal }) => {
        const { nodes, ...asked } = await askedBy(input, context, signal);
        if (input.node >= nodes) throw asError({ code: 'visualization/node-not-found' });
        return packQueries.nodeWarnings({ ...asked, node: input.node });
      }),
      marks: api.warnings.marks.handler(async ({ input, context, signal }) =>
        packQueries.warningMarks({
          ...(await askedBy(input, context, signal)),
          withUnknown: input.unknown !== undefined,
        }),
      ),
      setThresholds: api.warnings.setThresholds.handler(async ({ input, context }) => {
        const judged = await judgedData(db, context, input.id);
        if (!areThresholds(input.thresholds)) throw asError({ code: 'warnings/thresholds' });
        await judging(context, judged, (tx, data) => saveThresholds(tx, data, input.thresholds));
        return input.thresholds;
      }),
      dismissed: api.warnings.dismissed.handler(async ({ input, context }) => {
        const { data } = await judgedData(db, context, input.id);
        return (await listDismissed(db, data)).map((one) => ({
          id: one.id,
          kind: one.kind,
          path: one.paths[0]!.map(([name]) => name),
          ...(one.subject !== '' && { subject: one.subject }),
          ...(one.email !== null && { by: one.display_name || one.email.split('@')[0]! }),
          at: one.dismissed_at.getTime(),
        }));
      }),
      dismiss: api.warnings.dismiss.handler(async ({ input, context, signal }) => {
        const judged = await judgedData(db, context, input.id);
        const path = await packQueries.nodePath({ packKey: judged.record.pack_key, address: input.node, signal });
        if (!path) throw asError({ code: 'visualization/node-not-found' });
        const judgement = {
          kind: input.kind,
          // A URL is recognised by itself: see `Dismissed`.
          path: input.kind === 'url-clusters' ? [] : path,
          subject: input.subject ?? '',
          dismissed_by: personOf(context).account.id,
          dismissed_at: new Date(now()),
        };
        const id = allowed(await judging(context, judged, (tx, data) => insertDismissed(tx, data, judgement)));
        return { dismissed: id };
      }),
      restore: api.warnings.restore.handler(async ({ input, context }) => {
        const judged = await judgedData(db, context, input.id);
        const isGone =
          isId(input.dismissed) &&
          (await judging(context, judged, (tx, data) => deleteDismissed(tx, data, input.dismissed)));
        if (!isGone) throw asError({ code: 'warnings/not-found' });
        return { dismissed: input.dismissed };
      }),
    },
  };

  /** Judges in a transaction in which this account may still do so, and waits for its turn among writes of the same owner. */
  function judging<T>(
    context: RequestContext,
    { record, data }: Judged,
    work: (tx: Transaction<Database>, data: JudgedData) => Promise<T>,
  ): Promise<T> {
    return inTransaction(db, async (tx) => {
      const { owner_id: ownerId, of_sample: sample } = data;
      const action = { do: 'warnings/judge', ownerId, sample } as const;
      const owner = await lockActing(tx, mayDo, personOf(context).account.id, action);
      if (owner === undefined) throw asError({ code: 'visualization/not-found' });
      // While the request came here, the data may have become part of another set.
      const root_hash = await dataSetOf(tx, owner, sample, record.root_name);
      return work(tx, { ...data, owner_id: owner, root_hash });
    });
  }

  async function askedBy(
    input: { readonly id: string; readonly filter?: string | undefined },
    context: RequestContext,
    signal: AbortSignal | undefined,
  ): Promise<AskedWarnings & { readonly nodes: number }> {
    const { record, data } = await judgedData(db, context, input.id);
    const filter = readFilter(await filterOf(context, record, input.filter)) ?? noFilter;
    const dismissed = await dismissedOf(db, data);
    return {
      packKey: record.pack_key,
      fileKey: record.file_key,
      nodes: record.nodes,
      filter: writeFilter(beforeWarnings(filter)),
      thresholds: await thresholdsFor(db, data),
      dismissed,
      signal,
    };
  }
}
