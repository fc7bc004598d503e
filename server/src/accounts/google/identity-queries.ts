import type { FoundAccount } from '@kc/rules/identity';
import type { Transaction } from 'kysely';
import type { Queryable } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { StoredAccount } from '../queries.ts';
import { endAllSessions } from '../sessions.ts';
import type { Identity } from './identity-claims.ts';

type Tx = Transaction<Database>;

/** Whose an identity is, and whose its email is; locked until the transaction ends. */
export type FoundIdentity = { readonly known: StoredAccount | undefined; readonly holder: StoredAccount | undefined };

/** What was found is so no more, because somebody else was quicker: what is to be done is another thing now. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** @throws Overtaken when the identity became another's, or nobody's, while this waited for the accounts */
export async function findAccounts(tx: Tx, identity: Identity): Promise<FoundIdentity> {
  const { email } = identity.email;
  const knownId = await accountIdOf(tx, identity);
  // Ordered, so that two who arrive at once never wait for each other in a ring.
  const rows = await tx
    .selectFrom('accounts')
    .selectAll()
    .where((e) =>
      e.or([e('id', '=', knownId ?? ''), e.and([e('email', '=', email ?? ''), e('migrated_to', 'is', null)])]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  // A proof of the email drops identities that came without one: who waited for it must not come in by theirs.
  if ((await accountIdOf(tx, identity)) !== knownId) throw new Overtaken();
  return {
    known: rows.find((row) => row.id === knownId),
    holder: rows.find((row) => row.email === email && row.migrated_to === null),
  };
}

async function accountIdOf(tx: Tx, { iss, sub }: Identity): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identities')
    .select('account_id')
    .where('iss', '=', iss)
    .where('sub', '=', sub)
    .executeTakeFirst();
  return row?.account_id;
}

/** A row as the rule about arrivals knows it. */
export const toFoundIdentity = (row: StoredAccount | undefined): FoundAccount | undefined =>
  row && {
    email: row.email,
    emailProven: row.email_proven_at !== null,
    role: row.role,
    status: row.status,
    createdBy: row.created_by,
    isSample: row.is_sample,
    isMigrated: row.migrated_to !== null,
  };

/** Writes down that this is who came, and what was told of them. @throws a unique violation when it is somebody else's */
export async function keepIdentity(tx: Tx, identity: Identity, accountId: string, now: Date): Promise<void> {
  const email = identity.email.email ?? null;
  const { iss, sub } = identity;
  const { numUpdatedRows } = await tx
    .updateTable('identities')
    .set({ email, last_used_at: now })
    .where('iss', '=', iss)
    .where('sub', '=', sub)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await tx
    .insertInto('identities')
    .values({ iss, sub, account_id: accountId, email, created_at: now, last_used_at: now })
    .execute();
}

/** The name where there is none yet, and where the picture lies now. */
export async function keepProfile(tx: Tx, account: StoredAccount, { name, picture }: Identity): Promise<void> {
  const display_name = account.display_name || name;
  const photo_url = picture ?? account.photo_url;
  if (display_name === account.display_name && photo_url === account.photo_url) return;
  await tx.updateTable('accounts').set({ display_name, photo_url }).where('id', '=', account.id).execute();
}

/** The email is the account's and proven from now on. @throws a unique violation when somebody got it meanwhile */
export async function proveEmail(tx: Tx, accountId: string, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ email, email_proven_at: now, updated_at: now })
    .where('id', '=', accountId)
    .execute();
}

/** Links that were mailed to the address an account had. */
export async function dropTokens(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('tokens').where('account_id', '=', accountId).execute();
}

/** Every way into an account ends: password, identities, links on their way, sessions and their streams. */
export async function closeWaysIn(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('identities').where('account_id', '=', accountId).execute();
  await dropTokens(tx, accountId);
  await endAllSessions(tx, accountId);
}

/**
 * Before an email is proven by a mailed link or a claim: whoever came from an identity provider with an email that they
 * did not prove is not known to be its owner, and does not come in beside the one who is.
 *
 * Source: security T20.
 */
export async function dropUnprovenIdentities(tx: Queryable, accountId: string): Promise<void> {
  await tx
    .deleteFrom('identities')
    .where('account_id', '=', accountId)
    .where((e) =>
      e.exists(e.selectFrom('accounts').select('id').where('id', '=', accountId).where('email_proven_at', 'is', null)),
    )
    .execute();
}
