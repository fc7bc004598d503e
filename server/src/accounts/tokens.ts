import { createHash, randomBytes } from 'node:crypto';
import type { TokenRow } from '../database/account-tables.ts';
import type { Queryable } from '../database/open.ts';

export type Purpose = TokenRow['purpose'];

/** Whose a token is. */
export type Holder = { readonly accountId: string; readonly email: string; readonly emailProven: boolean };

/** 256 bit. What a person holds; the database holds its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A fresh single-use token of an account; its earlier ones of this purpose end. Source: security SEC-14. */
export async function issueToken(
  tx: Queryable,
  purpose: Purpose,
  accountId: string,
  lifeMs: number,
  now: number,
): Promise<string> {
  const token = newToken();
  await tx.deleteFrom('tokens').where('account_id', '=', accountId).where('purpose', '=', purpose).execute();
  await tx
    .insertInto('tokens')
    .values({
      token_hash: hashToken(token),
      purpose,
      account_id: accountId,
      created_at: new Date(now),
      expires_at: new Date(now + lifeMs),
    })
    .execute();
  return token;
}

/** Whose a token is, while it is good for this purpose; nothing is used up. */
export async function readToken(
  db: Queryable,
  purpose: Purpose,
  token: string,
  now: number,
): Promise<Holder | undefined> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .select(['accounts.id', 'accounts.email', 'accounts.email_proven_at'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .where('migrated_to', 'is', null)
    .executeTakeFirst();
  return row && { accountId: row.id, email: row.email, emailProven: row.email_proven_at !== null };
}

/**
 * Uses a token up. Of any number of uses at once, one succeeds.
 *
 * @returns whether this use is the one
 */
export async function consumeToken(tx: Queryable, purpose: Purpose, token: string, now: number): Promise<boolean> {
  const used = await tx
    .updateTable('tokens')
    .set({ used_at: new Date(now) })
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

/** Tokens whose time is over. */
export async function forgetExpiredTokens(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom('tokens').where('expires_at', '<', new Date(now)).execute();
}
