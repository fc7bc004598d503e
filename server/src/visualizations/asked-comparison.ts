import { readThresholds, usualThresholds } from '@kc/rules/changes';
import type { RequestContext } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { comparable } from './access.ts';
import type { OwnedRecord } from './queries.ts';
import type { ComparedWith } from './query/comparisons.ts';

/** The earlier upload `vs` that a request compares with, and its thresholds `ct`; undefined without one. */
export async function askedComparison(
  db: Db,
  context: RequestContext,
  { id }: OwnedRecord,
  { vs, ct }: Record<string, unknown>,
): Promise<ComparedWith | undefined> {
  if (vs === undefined) return undefined;
  const thresholds = ct === undefined ? usualThresholds : typeof ct === 'string' && readThresholds(ct);
  if (typeof vs !== 'string' || !thresholds) throw asError({ code: 'visualization/query-invalid' });
  const { before } = await comparable(db, context, id, vs);
  return { vsKey: before.pack_key, thresholds };
}
