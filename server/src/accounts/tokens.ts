import { createHash, randomBytes } from 'node:crypto';
import type { TokenRow } from '../database/account-tables.ts';
import { changesRow, type Queryable } from '../database/open.ts';
import type { Person } from './require.ts';

export type Purpose = TokenRow['purpose'];

/** The owner of a token. */
export type Holder = { readonly accountId: string; readonly email: string; readonly emailProven: boolean };

/** 256 bits. The client has the token, the database its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * A new single-use token of an account; its earlier ones for this purpose become invalid. Source: SECURITY.md, SEC-14.
 */
export async function issueToken(
  tx: Queryable,
  purpose: Purpose,
  accountId: string,
  lifeMs: number,
  now: number,
): Promise<string> {
  const token = newToken();
  await tx.deleteFrom('tokens').where('account_id', '=', accountId).where('purpose', '=', purpose).execute();
  await insertToken(tx, { account: { id: accountId } }, { token, purpose, lifeMs }, now);
  return token;
}

type NewToken = { readonly token: string; readonly purpose: Purpose; readonly lifeMs: number };

/** A token of an account; of a person, for their session only. */
export async function insertToken(
  db: Queryable,
  { account, sessionId }: { readonly account: { readonly id: string }; readonly sessionId?: string },
  { token, purpose, lifeMs }: NewToken,
  now: number,
): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      token_hash: hashToken(token),
      purpose,
      account_id: account.id,
      session_id: sessionId ?? null,
      created_at: new Date(now),
      expires_at: new Date(now + lifeMs),
    })
    .execute();
}

/** The owner of a token, while it is valid for this purpose. Does not consume it. */
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
 * Consumes a token. Of several simultaneous uses, one succeeds.
 *
 * @param person whose session it must be for, if it is for one
 * @returns whether it was this one
 */
export async function consumeToken(
  tx: Queryable,
  purpose: Purpose,
  token: string,
  now: number,
  person?: Person,
): Promise<boolean> {
  let use = tx
    .updateTable('tokens')
    .set({ used_at: new Date(now) })
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now));
  if (person) use = use.where('account_id', '=', person.account.id).where('session_id', '=', person.sessionId);
  return changesRow(use);
}

/** The access tokens of an account that work. */
export const livingTokensOf = (db: Queryable, accountId: string, now: number) =>
  db
    .selectFrom('access_tokens')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(now));
