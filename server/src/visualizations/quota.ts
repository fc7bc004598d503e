import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { type Selectable, sql } from 'kysely';
import type { SettingsRow } from '../database/account-tables.ts';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { countOf, inTransaction, type Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import type { StoredObject } from '../storage/stored-files.ts';
import { canOwnVisualizations } from './upload/upload-queries.ts';

export const megabyte = 2 ** 20;

/** How much storage counts for an account, and how much may, in bytes. */
type StorageUse = { readonly used: number; readonly most: number };

type Defaults = Pick<Selectable<SettingsRow>, 'max_user_visualizations' | 'max_user_import_mb'>;

/**
 * What a user may have by the settings. Each visualization and draft may take four times the largest list: the list itself,
 * the map, the pack and what editing needs. Small lists take more.
 *
 * @param ownMaps visualizations that an administrator allows this user; null: as the settings do
 */
function defaultQuota(settings: Defaults, ownMaps: number | null) {
  const maps = settings.max_user_visualizations;
  const each = Math.max(4 * settings.max_user_import_mb * megabyte, limits.minImportWrites);
  return { maps, bytes: ((ownMaps ?? maps) + limits.maxOwnDrafts) * each };
}

/** What counts for an account in storage, and what may: its own limit, or that of the settings. */
export async function storageUse(db: Queryable, accountId: string): Promise<StorageUse> {
  const settings = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const { visualizations, storageMb } = await ownLimitsOf(db, accountId);
  return {
    used: await storedBytes(db, accountId),
    most: storageMb === null ? defaultQuota(settings, visualizations).bytes : storageMb * megabyte,
  };
}

/** Bytes of lists, drafts and their maps that count for an account. */
export async function storedBytes(db: Queryable, accountId: string): Promise<number> {
  const { used } = await db
    .selectFrom('stored_files')
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('used'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return used;
}

/** How many visualizations a user may have to import another list. */
export async function maxVisualizations(db: Queryable, accountId: string): Promise<number> {
  const { visualizations } = await ownLimitsOf(db, accountId);
  if (visualizations !== null) return visualizations;
  const { max_user_visualizations: max } = await db
    .selectFrom('settings')
    .select('max_user_visualizations')
    .executeTakeFirstOrThrow();
  return max;
}

/** The limits that an administrator has set for an account; none for one that was deleted. */
async function ownLimitsOf(db: Queryable, accountId: string): Promise<OwnLimits> {
  const row = await db
    .selectFrom('accounts')
    .select(['max_visualizations', 'max_storage_mb'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return { visualizations: row?.max_visualizations ?? null, storageMb: row?.max_storage_mb ?? null };
}

/**
 * Waits for its turn to store objects for an account, and says why it may not: it would have too much then.
 *
 * @param transaction in which the objects are noted
 * @param bytes of the objects
 */
export async function storageRefusal(
  transaction: Queryable,
  accountId: string,
  bytes: number,
): Promise<Refusal | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stored: ${accountId}`}, 0))`.execute(transaction);
  const use = await storageUse(transaction, accountId);
  return use.used + bytes > use.most ? overQuota(use) : undefined;
}

/** As {@link storageRefusal}. @throws the refusal as the contract's error */
export async function demandStorage(transaction: Queryable, accountId: string, bytes: number): Promise<void> {
  const refusal = await storageRefusal(transaction, accountId, bytes);
  if (refusal) throw asError(refusal);
}

export const bytesOf = (objects: readonly StoredObject[]): number => objects.reduce((sum, { bytes }) => sum + bytes, 0);

export const overQuota = ({ used, most }: StorageUse) =>
  ({
    code: 'list/quota',
    params: { used: Math.ceil(used / megabyte), max: Math.floor(most / megabyte) },
  }) as const;

/** The visualizations of an owner. @param except the upload of one that does not count */
export function countVisualizations(db: Queryable, ownerId: string, except = ''): Promise<number> {
  const owned = db.selectFrom('visualizations').where('user_id', '=', ownerId).where('is_sample', '=', false);
  return countOf(owned.where('upload_id', 'is distinct from', except));
}

/**
 * The visualizations of an owner, and those that are being made of published drafts. For the holder of the lock on creations:
 * nobody publishes meanwhile.
 */
export async function countMaps(db: Queryable, ownerId: string): Promise<number> {
  const coming = db
    .selectFrom('uploads')
    .where('user_id', '=', ownerId)
    .where('kind', '=', 'json')
    .where('draft_id', 'is not', null)
    .where('state', 'in', ['received', 'reading', 'saving'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('visualizations').select('id').whereRef('visualizations.upload_id', '=', 'uploads.id'))),
    );
  return (await countOf(coming)) + (await countVisualizations(db, ownerId));
}

type UserQuotaDeps = Pick<ServerParts, 'db' | 'log' | 'isAdmin' | 'now'>;

/** @throws the refusal as the contract's error if there is no such user */
export async function readUserQuota(db: Queryable, userId: string): Promise<UserQuota> {
  if (!(await canOwnVisualizations(db, userId))) throw asError({ code: 'account/not-found' });
  const own = await ownLimitsOf(db, userId);
  const settings = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const { maps, bytes } = defaultQuota(settings, own.visualizations);
  return {
    visualizations: { used: await countMaps(db, userId), byDefault: maps },
    storageMb: {
      used: Math.ceil((await storedBytes(db, userId)) / megabyte),
      byDefault: Math.floor(bytes / megabyte),
    },
    own,
  };
}

/**
 * Sets the limits of one user. Whoever has more than they now may keeps it, and adds nothing.
 *
 * @throws the refusal as the contract's error
 */
export async function setUserQuota(
  { db, log, isAdmin, now }: UserQuotaDeps,
  actorId: string,
  userId: string,
  own: OwnLimits,
): Promise<UserQuota> {
  return inTransaction(db, async (tx) => {
    allowed(await isAdmin(tx, actorId));
    if (!(await canOwnVisualizations(tx, userId))) throw asError({ code: 'account/not-found' });
    await sql`select from accounts where id = ${userId} for update`.execute(tx);
    const before = await ownLimitsOf(tx, userId);
    if (before.visualizations !== own.visualizations || before.storageMb !== own.storageMb) {
      await tx
        .updateTable('accounts')
        .set({ max_visualizations: own.visualizations, max_storage_mb: own.storageMb, updated_at: new Date(now()) })
        .where('id', '=', userId)
        .execute();
      const change = (name: keyof OwnLimits) => `${before[name] ?? 'default'} → ${own[name] ?? 'default'}`;
      const details = { visualizations: change('visualizations'), storageMb: change('storageMb') };
      await audit(tx, { actor: actorId, action: 'quota', target: userId, details }, now());
      await notify(tx, { about: 'accounts' });
      log.info({ event: 'quota', actor: actorId, account: userId, ...details }, 'Changed the limits of a user');
    }
    return readUserQuota(tx, userId);
  });
}
