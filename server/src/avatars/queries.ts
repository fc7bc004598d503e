import { createHash } from 'node:crypto';
import type { NotNull } from 'kysely';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { LookUpResult } from './gravatar.ts';

/** A user whose picture is to be looked up. `photoUrl` is the one that their identity provider names, if any. */
export type DueAccount = { readonly id: string; readonly email: string; readonly photoUrl: string | null };

/**
 * At most `limit` users whose picture is due at `now`, those never looked up first. Due are users whose
 * look-up time has come, or whose identity provider has named another picture since.
 *
 * Only approved users and those with a proven email are looked up. A stranger who signs up with another person's
 * address must not appear to an administrator with that person's face, and no address is sent outside before it is
 * proven or an administrator has approved the account.
 */
export async function dueAccounts(db: Db, limit: number, now: number): Promise<DueAccount[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('avatars', 'avatars.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'accounts.photo_url as photoUrl'])
    .where('accounts.migrated_to', 'is', null)
    .where('accounts.is_sample', '=', false)
    .where((e) => e.or([e('accounts.status', '=', 'approved'), e('accounts.email_proven_at', 'is not', null)]))
    .where((e) =>
      e.or([
        e('avatars.account_id', 'is', null),
        e('avatars.look_again_at', '<=', new Date(now)),
        e('avatars.asked_photo_url', 'is distinct from', e.ref('accounts.photo_url')),
      ]),
    )
    .orderBy('avatars.look_again_at', (order) => order.asc().nullsFirst())
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}

/**
 * Stores the result of a look-up if the account still exists, and notifies open pages of a changed picture. If the
 * service was unavailable, a stored picture stays.
 *
 * @param now when the look-up ended, in milliseconds since 1970
 * @param lookAgainAt when the account is due again, in milliseconds since 1970
 */
export async function saveResult(
  db: Db,
  due: DueAccount,
  result: LookUpResult,
  now: number,
  lookAgainAt: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .leftJoin('avatars', 'avatars.account_id', 'accounts.id')
      .select(['accounts.id', 'avatars.etag'])
      .where('accounts.id', '=', due.id)
      .forKeyShare('accounts')
      .executeTakeFirst();
    if (!account) return;
    const attempt = {
      looked_up_at: new Date(now),
      look_again_at: new Date(lookAgainAt),
      asked_photo_url: due.photoUrl,
    };
    const found = result === 'unavailable' ? undefined : columnsOf(result);
    await tx
      .insertInto('avatars')
      .values({ account_id: due.id, ...attempt, ...(found ?? noPicture) })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...attempt, ...found }))
      .execute();
    if (!found || found.etag === account.etag) return;
    await notify(tx, { about: 'session', accountId: due.id });
    await notify(tx, { about: 'accounts' });
  });
}

/** The columns of an account that was looked up and has no picture. */
const noPicture = { picture: null, content_type: null, etag: null };

function columnsOf(result: Exclude<LookUpResult, 'unavailable'>) {
  if (result === 'none') return noPicture;
  return { picture: result.bytes, content_type: result.type, etag: etagOf(result.bytes) };
}

/** A strong ETag: 27 characters of the hash, which are 162 bits. */
const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

/** The stored picture, if there is one. An account that was migrated into another one has none. */
export async function readPicture(db: Db, accountId: string) {
  return db
    .selectFrom('avatars')
    .innerJoin('accounts', 'accounts.id', 'avatars.account_id')
    .select(['picture', 'content_type', 'etag'])
    .where('account_id', '=', accountId)
    .where('picture', 'is not', null)
    .where('migrated_to', 'is', null)
    .$narrowType<{ picture: NotNull; content_type: NotNull; etag: NotNull }>()
    .executeTakeFirst();
}
