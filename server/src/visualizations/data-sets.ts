import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { normalForm } from '@kc/pack/names/normal-form';
import { can } from '@kc/rules/access';
import { personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published, visible } from './access.ts';
import { findVisualization, type OwnedRecord } from './queries.ts';

/** A data set, in the columns by which tables name it. */
export type DataSet = {
  readonly owner_id: string;
  /** The sample as this account sees it. */
  readonly of_sample: boolean;
  /** See {@link dataSetOf}. */
  readonly root_hash: string;
};

/**
 * A visualization and its data set, if this account may use its plan, or judge its warnings: the owner and administrators.
 * Everybody has a data set of their own for the sample.
 *
 * @param hasDrafts whether the ID may be that of a revision of a draft, for those who may use that
 * @throws the refusal as the contract's error
 */
export async function openDataSet(
  db: Queryable,
  context: RequestContext,
  visualizationId: string,
  use: 'plans/use' | 'warnings/judge',
  hasDrafts = false,
): Promise<{ readonly record: OwnedRecord; readonly set: DataSet }> {
  const record = await (hasDrafts ? visible : published)(db, context, visualizationId);
  // Which links include it is decided before: see `requireLink`.
  const account = visitorOf(context) ? undefined : personOf(context).account;
  const { user_id: ownerId, is_sample: sample } = record;
  if (account) allowed(can(account, { do: use, ownerId, sample }, context.builtInAdmins));
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  const owner_id = sample && account ? account.id : ownerId;
  const root_hash = await dataSetOf(db, owner_id, sample, record.root_name);
  return { record, set: { owner_id, of_sample: sample, root_hash } };
}

/**
 * What {@link openDataSet} found, as it is now: while a request came here, a visualization may have become part of another set.
 *
 * @param ownerId locked; undefined if there is none any more
 * @throws the refusal as the contract's error if it was deleted
 */
export async function currentDataSet(
  tx: Queryable,
  ownerId: string | undefined,
  { visualizationId, ofSample }: { readonly visualizationId: string; readonly ofSample: boolean },
): Promise<{ readonly record: OwnedRecord; readonly set: DataSet }> {
  const record = await findVisualization(tx, visualizationId);
  if (ownerId === undefined || !record) throw asError({ code: 'visualization/not-found' });
  const root_hash = await dataSetOf(tx, ownerId, ofSample, record.root_name);
  return { record, set: { owner_id: ownerId, of_sample: ofSample, root_hash } };
}

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
