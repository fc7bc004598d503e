import type { RowSort } from '@kc/pack/levels/row-sort';
import { topicsOf } from '@kc/pack/levels/row-sort';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import { readThresholds } from '@kc/rules/changes';
import type { RequestContext } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { comparable } from './access.ts';
import type { OwnedRecord } from './queries.ts';
import type { ComparedWith } from './query/comparisons.ts';
import type { FilterCache } from './query/filter-cache.ts';
import type { AskedSortMarks } from './query/marks.ts';

type Deps = { readonly db: Db; readonly filterOf: FilterCache };

/**
 * What a list is about that is not in its pack: the upload `vs` of the request, the plan if `plan` asks for it, and what its
 * sort needs. With `unknown=1`, a sort by warnings counts what is mostly unknown as well.
 *
 * @throws the refusal of somebody who may not read it
 */
export async function askedSortMarks(
  { db, filterOf }: Deps,
  context: RequestContext,
  record: OwnedRecord,
  asked: Readonly<Record<string, unknown>>,
  sort: RowSort,
): Promise<AskedSortMarks> {
  const topics = topicsOf(sort);
  const isPlanned = asked.plan !== undefined || topics.has('plan');
  return {
    compared: await askedComparison(db, context, record, asked),
    planned: isPlanned ? await filterOf.plan(context, record) : undefined,
    warned: topics.has('warnings')
      ? { key: await filterOf.warnings(context, record), withUnknown: asked.unknown === '1' }
      : undefined,
  };
}

/** The earlier upload `vs` that a request compares with, and its thresholds `ct`; undefined without one. */
export async function askedComparison(
  db: Db,
  context: RequestContext,
  { id }: OwnedRecord,
  { vs, ct }: Record<string, unknown>,
): Promise<ComparedWith | undefined> {
  if (vs === undefined) return undefined;
  const thresholds = ct === undefined ? defaultThresholds : typeof ct === 'string' && readThresholds(ct);
  if (typeof vs !== 'string' || !thresholds) throw asError({ code: 'visualization/query-invalid' });
  const { before } = await comparable(db, context, id, vs);
  return { vsKey: before.pack_key, thresholds };
}
