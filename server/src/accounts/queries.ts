import { randomUUID } from 'node:crypto';
import type { Role, Status } from '@kc/rules/account';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { AccountRow } from '../database/account-tables.ts';
import { changesRow, countOf, type Queryable, type Tx } from '../database/open.ts';
import { rotateSoon } from './sessions.ts';

export type StoredAccount = Selectable<AccountRow>;

export function accountByEmail(db: Queryable, email: string): Promise<StoredAccount | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .where('migrated_to', 'is', null)
    .executeTakeFirst();
}

/** Several accounts, locked until the transaction ends. Always in the same order, so that two calls cannot deadlock. */
export function lockAccounts(tx: Tx, ids: readonly string[]): Promise<StoredAccount[]> {
  return tx
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('migrated_to', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

type NewAccount = {
  readonly email: string;
  readonly displayName: string;
  readonly role?: Role;
  readonly status?: Status;
  readonly createdBy?: string;
};

/** @returns the new account, or `undefined` if the email is taken */
export async function insertAccount(tx: Tx, account: NewAccount, now: number): Promise<StoredAccount | undefined> {
  const values: Insertable<AccountRow> = {
    id: randomUUID(),
    email: account.email,
    display_name: account.displayName,
    role: account.role ?? 'user',
    status: account.status ?? 'pending',
    created_by: account.createdBy ?? 'system',
    created_at: new Date(now),
    updated_at: new Date(now),
  };
  return tx
    .insertInto('accounts')
    .values(values)
    .onConflict((conflict) => conflict.column('email').where('migrated_to', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** How many self-registered users may wait for approval at a time. Source: SECURITY.md, T4. */
const maxWaiting = 1_000;

/**
 * Whether another user may wait for approval. Accounts created by administrators and built-in ones do not count. Other
 * callers wait until the transaction ends, so that simultaneous sign-ups cannot exceed the limit.
 */
export async function isRoomToWait(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('accounts: waiting'))`.execute(tx);
  const waiting = tx
    .selectFrom('accounts')
    .where('status', '=', 'pending')
    .where('created_by', '=', 'system')
    .where('built_in', '=', false)
    .where('migrated_to', 'is', null);
  return (await countOf(waiting)) < maxWaiting;
}

/** Saves role and status. If the role changes, the user's sessions continue under new tokens. */
export async function saveRoleAndStatus(
  tx: Tx,
  before: StoredAccount,
  { role, status }: { readonly role: Role; readonly status: Status },
  now: number,
): Promise<StoredAccount> {
  if (role !== before.role) await rotateSoon(tx, before.id);
  return tx
    .updateTable('accounts')
    .set({ role, status, updated_at: new Date(now) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns `false` if the account was deleted meanwhile */
export async function markSignedIn(db: Queryable, id: string, now: number): Promise<boolean> {
  return changesRow(
    db
      .updateTable('accounts')
      .set({ last_login: new Date(now) })
      .where('id', '=', id),
  );
}

/** An account and its password hash, in one query: it takes as long for an unknown email. */
export async function credentialByEmail(
  db: Queryable,
  email: string,
): Promise<{ readonly account: Pick<StoredAccount, 'id'> | undefined; readonly stored: string | undefined }> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('credentials', (join) =>
      join.onRef('credentials.account_id', '=', 'accounts.id').on('credentials.locked_at', 'is', null),
    )
    // Only the columns needed: reading more would take time that an unknown email does not cost.
    .select(['accounts.id', 'credentials.password_hash'])
    .where('accounts.email', '=', email)
    .where('accounts.migrated_to', 'is', null)
    .executeTakeFirst();
  return { account: row, stored: row?.password_hash ?? undefined };
}

export async function passwordHash(db: Queryable, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('credentials')
    .select('password_hash')
    .where('account_id', '=', accountId)
    .where('locked_at', 'is', null)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function savePassword(db: Queryable, accountId: string, hash: string, now: number): Promise<void> {
  const at = new Date(now);
  await db
    .insertInto('credentials')
    .values({ account_id: accountId, password_hash: hash, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ password_hash: hash, updated_at: at }))
    .execute();
}
