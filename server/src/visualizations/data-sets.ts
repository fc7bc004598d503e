import { createHash } from 'node:crypto';
import { rootKeyOf } from '@kc/rules/plan-match';
import type { Queryable } from '../database/open.ts';

/** Names a root: SHA-256 of its folded name, as hex. */
export const rootHash = (name: string): string => createHash('sha256').update(rootKeyOf(name)).digest('hex');

/**
 * Names the data set of an upload, to which its plan and its judgements of warnings belong: all uploads of an owner under one
 * root, and under the roots that continue it.
 *
 * @param ofSample the sample is a data set of its own
 */
export async function dataSetOf(db: Queryable, ownerId: string, ofSample: boolean, rootName: string): Promise<string> {
  const root = rootHash(rootName);
  if (ofSample) return root;
  const chosen = await db
    .selectFrom('continued_roots')
    .select('data_hash')
    .where('owner_id', '=', ownerId)
    .where('root_hash', '=', root)
    .executeTakeFirst();
  return chosen?.data_hash ?? root;
}
