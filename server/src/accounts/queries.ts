import { randomUUID } from 'node:crypto';
import type { Role, Status } from '@kc/rules/account';
import type { Insertable, Selectable, Transaction } from 'kysely';
import type { AccountRow } from '../database/account-tables.ts';
import type { Queryable } from '../database/open.ts';
import type { Database } from '../database/schema.ts';

export type StoredAccount = Selectable<AccountRow>;
type Tx = Transaction<Database>;

/** Everybody who is not marked migrated. `sample`: with the sample's own row. */
export function listAccounts(db: Queryable, sample: boolean): Promise<StoredAccount[]> {
  const all = db.selectFrom('accounts').selectAll().where('migrated_to', 'is', null);
  return (sample ? all : all.where('is_sample', '=', false)).execute();
}

export function accountByEmail(db: Queryable, email: string): Promise<StoredAccount | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .where('migrated_to', 'is', null)
    .executeTakeFirst();
}

/** Several accounts, locked until the transaction ends; always in the same order, so that two never wait in a ring. */
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

export type NewAccount = {
  readonly email: string;
  readonly displayName: string;
  readonly role?: Role;
  readonly status?: Status;
  readonly createdBy?: string;
};

/** @returns the new account, or `undefined` when the email is taken */
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

export function saveStanding(
  tx: Tx,
  id: string,
  standing: { role: Role; status: Status },
  now: number,
): Promise<StoredAccount> {
  return tx
    .updateTable('accounts')
    .set({ role: standing.role, status: standing.status, updated_at: new Date(now) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns `false` when the account was deleted meanwhile */
export async function markSignedIn(db: Queryable, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ last_login: new Date(now) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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
