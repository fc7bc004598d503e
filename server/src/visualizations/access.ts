import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { personOf, type RequestContext } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { findVisualization, type OwnedRecord } from './queries.ts';

/**
 * The record, if this account may see it. Someone else's record is reported as missing, like one that never existed.
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

/** Whether an account may see a visualization right now. Nobody sees a deleted one. */
export async function maySee(db: Queryable, { person, builtInAdmins }: RequestContext, id: string): Promise<boolean> {
  const record = person && (await findVisualization(db, id));
  if (!record) return false;
  const action = { do: 'visualizations/view', ownerId: record.user_id, sample: record.is_sample } as const;
  return can(person.account, action, builtInAdmins).ok;
}

/**
 * The record, if this account may see it and its pack can be opened. A pack written by an earlier version cannot be
 * opened until it has been rebuilt.
 *
 * @throws the refusal as the contract's error
 */
export async function openable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  return record;
}

/** The record, if this account may activate or describe it. Nobody owns the sample. */
export async function changeable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  const action = { do: 'visualizations/change', ownerId: record.user_id } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  if (record.is_sample) throw notFound();
  return record;
}

/** The record, if this account is an administrator who may delete it. Nobody may delete the sample. */
export async function deletable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  if (record.is_sample) throw notFound();
  return record;
}

/** Whose visualizations are listed: the requester's own, or for an administrator those of the named account. */
export function listedOwner(context: RequestContext, userId: string | undefined): string {
  const { account } = personOf(context);
  if (userId === undefined || userId === account.id) return account.id;
  allowed(can(account, { do: 'accounts/list' }, context.builtInAdmins));
  return userId;
}

const notFound = () => asError({ code: 'visualization/not-found' });
