import type { RowSort } from '@kc/pack/levels/row-sort';
import { topicsOf } from '@kc/pack/levels/sort-topics';
import type { RequestContext } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { askedComparison } from './asked-comparison.ts';
import type { OwnedRecord } from './queries.ts';
import type { FilterCache } from './query/filter-cache.ts';
import type { AskedSortMarks } from './query/sort-marks.ts';

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
