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

/** The IDs of the uploads of a data set that is not the sample, the newest first. */
export async function uploadsOfDataSet(db: Queryable, ownerId: string, dataHash: string): Promise<string[]> {
  const uploads = await db
    .selectFrom('visualizations')
    .select(['id', 'root_name'])
    .where('user_id', '=', ownerId)
    .where('is_sample', '=', false)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute();
  const chosen = await db
    .selectFrom('continued_roots')
    .select(['root_hash', 'data_hash'])
    .where('owner_id', '=', ownerId)
    .execute();
  const continued = new Map(chosen.map(({ root_hash, data_hash }) => [root_hash, data_hash]));
  return uploads.flatMap(({ id, root_name }) => {
    const root = rootHash(root_name);
    return (continued.get(root) ?? root) === dataHash ? [id] : [];
  });
}
