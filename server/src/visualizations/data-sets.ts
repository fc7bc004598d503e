import { createHash } from 'node:crypto';
import { normalForm } from '@kc/pack/names/normal-form';
import type { Queryable } from '../database/open.ts';

/** Names a root, by which uploads are recognised as the same data: SHA-256 of its folded name, as hex. */
export function rootHash(name: string): string {
  const folded = normalForm(normalForm(name, 'NFC').toUpperCase().toLowerCase(), 'NFC');
  return createHash('sha256').update(folded.replace(/\s+/gu, ' ').trim()).digest('hex');
}

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
