import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { countMaps, defaultQuota, megabyte, ownLimitsOf, storedBytes } from './quota.ts';
import { canOwnVisualizations } from './upload/upload-queries.ts';

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
