import { createHash } from 'node:crypto';
import type { NotNull } from 'kysely';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Answer } from './gravatar.ts';

/** A user to look up. */
export type Due = { readonly id: string; readonly email: string; readonly photoUrl: string | null };

/**
 * Users whose picture is due, new ones first: those who are approved or have a proven email. A stranger who signs up
 * with another person's address must not appear to an administrator with that person's face, and no address is sent
 * outside before someone vouched for it.
 */
export async function dueAccounts(db: Db, most: number, now: number): Promise<Due[]> {
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
    .limit(most)
    .execute();
}

/**
 * Stores the result for an existing user and notifies open pages of a changed picture. Without a response, only the
 * time of the next look-up changes.
 */
export async function saveAnswer(db: Db, due: Due, answer: Answer, now: number, lookAgainAt: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .leftJoin('avatars', 'avatars.account_id', 'accounts.id')
      .select(['accounts.id', 'avatars.etag'])
      .where('accounts.id', '=', due.id)
      .forKeyShare('accounts')
      .executeTakeFirst();
    if (!account) return;
    const looked = {
      looked_up_at: new Date(now),
      look_again_at: new Date(lookAgainAt),
      asked_photo_url: due.photoUrl,
    };
    const found = answer === 'unavailable' ? undefined : columnsOf(answer);
    await tx
      .insertInto('avatars')
      .values({ account_id: due.id, ...looked, ...(found ?? nothing) })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...looked, ...found }))
      .execute();
    if (!found || found.etag === account.etag) return;
    await notify(tx, { about: 'session', accountId: due.id });
    await notify(tx, { about: 'accounts' });
  });
}

const nothing = { picture: null, content_type: null, etag: null };

function columnsOf(answer: Exclude<Answer, 'unavailable'>) {
  if (answer === 'none') return nothing;
  return { picture: answer.bytes, content_type: answer.type, etag: etagOf(answer.bytes) };
}

/** A strong validator: the same bytes mean the same text. */
const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

/** The picture of an account in use. */
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
