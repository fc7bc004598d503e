import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { personOf, type RequestContext } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { findVisualization, type OwnedRecord } from './queries.ts';

/**
 * The record, when this person may see it. One that is not theirs is missing, exactly as one that never was.
 *
 * @throws the refusal as the contract's error
 */
export async function visible(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await findVisualization(db, id);
  if (!record) throw notFound();
  const action = { do: 'visualizations/view', ownerId: record.user_id, sample: record.is_sample } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  return record;
}

/** Whether somebody may see a visualization at this moment; nobody sees one that is gone. */
export async function maySee(db: Queryable, { person, builtInAdmins }: RequestContext, id: string): Promise<boolean> {
  const record = person && (await findVisualization(db, id));
  if (!record) return false;
  const action = { do: 'visualizations/view', ownerId: record.user_id, sample: record.is_sample } as const;
  return can(person.account, action, builtInAdmins).ok;
}

/**
 * The record, when this person may see it and its pack can be opened. One that an earlier version of the product wrote
 * cannot, until it is built again.
 *
 * @throws the refusal as the contract's error
 */
export async function openable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  return record;
}

/** The record, when this person may make it active or describe it. Nobody owns the sample. */
export async function changeable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  const action = { do: 'visualizations/change', ownerId: record.user_id } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  if (record.is_sample) throw notFound();
  return record;
}

/** The record, when this person, an admin, may delete it. Nobody deletes the sample. */
export async function deletable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  if (record.is_sample) throw notFound();
  return record;
}

/** Whose visualizations are listed: the asker's own, or for an admin those of the person named. */
export function listedOwner(context: RequestContext, userId: string | undefined): string {
  const { account } = personOf(context);
  if (userId === undefined || userId === account.id) return account.id;
  allowed(can(account, { do: 'accounts/list' }, context.builtInAdmins));
  return userId;
}

const notFound = () => asError({ code: 'visualization/not-found' });
