import type { FoundAccount } from '@kc/rules/identity';
import { changesRow, type Queryable, type Tx } from '../../database/open.ts';
import type { StoredAccount } from '../queries.ts';
import { endAllSessions } from '../sessions.ts';
import type { Identity } from './identity-claims.ts';

/** The accounts that an identity and its email belong to, locked until the transaction ends. */
export type FoundIdentity = { readonly known: StoredAccount | undefined; readonly holder: StoredAccount | undefined };

/** Another request was faster and changed the premises: decide again. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** @throws Overtaken if the identity became another account's, or nobody's, while this waited for the accounts */
export async function findAccounts(tx: Tx, identity: Identity): Promise<FoundIdentity> {
  const { email } = identity.email;
  const knownId = await accountIdOf(tx, identity);
  // In a fixed order, so that simultaneous sign-ins cannot deadlock.
  const rows = await tx
    .selectFrom('accounts')
    .selectAll()
    .where((e) =>
      e.or([e('id', '=', knownId ?? ''), e.and([e('email', '=', email ?? ''), e('migrated_to', 'is', null)])]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  // A proof of the email removes identities linked without one. A sign-in that waited for it must not use such an
  // identity.
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

/** A row in the shape of the rule about sign-ins. */
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

/** Records the identity's sign-in and claims. @throws a unique violation if the identity is another account's */
export async function keepIdentity(tx: Tx, identity: Identity, accountId: string, now: Date): Promise<void> {
  const email = identity.email.email ?? null;
  const { iss, sub } = identity;
  const used = tx
    .updateTable('identities')
    .set({ email, last_used_at: now })
    .where('iss', '=', iss)
    .where('sub', '=', sub)
    .where('account_id', '=', accountId);
  if (await changesRow(used)) return;
  await tx
    .insertInto('identities')
    .values({ iss, sub, account_id: accountId, email, created_at: now, last_used_at: now })
    .execute();
}

/** Sets the name if there is none yet, and the picture's address. */
export async function keepProfile(tx: Tx, account: StoredAccount, { name, picture }: Identity): Promise<void> {
  const display_name = account.display_name || name;
  const photo_url = picture ?? account.photo_url;
  if (display_name === account.display_name && photo_url === account.photo_url) return;
  await tx.updateTable('accounts').set({ display_name, photo_url }).where('id', '=', account.id).execute();
}

/** Makes the email the account's, proven. @throws a unique violation if another account has it meanwhile */
export async function proveEmail(tx: Tx, accountId: string, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ email, email_proven_at: now, updated_at: now })
    .where('id', '=', accountId)
    .execute();
}

/** Links that were mailed to an account's previous address. */
export async function dropTokens(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('tokens').where('account_id', '=', accountId).execute();
}

/** Ends every way into an account: password, identities, access tokens, mailed links, sessions and their streams. */
export async function closeWaysIn(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('identities').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('access_tokens').where('account_id', '=', accountId).execute();
  await dropTokens(tx, accountId);
  await endAllSessions(tx, accountId);
}

/** Ends the links to visualizations that an account has made. Open pages are notified when its sessions end. */
export async function endLinksOf(tx: Queryable, makerId: string, now: number): Promise<void> {
  await tx
    .updateTable('share_links')
    .set({ revoked_at: new Date(now) })
    .where('maker_id', '=', makerId)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Before a mailed link or a claim proves an email: identities, access tokens and links to visualizations of an account whose
 * email was unproven are not known to belong to the owner of the address, so they end. The caller ends the sessions.
 *
 * Source: SECURITY.md, T20.
 */
export async function dropUnprovenWaysIn(tx: Queryable, accountId: string, now: number): Promise<void> {
  const unproven = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
  if (!(await unproven.where('email_proven_at', 'is', null).executeTakeFirst())) return;
  await endLinksOf(tx, accountId, now);
  for (const table of ['identities', 'access_tokens'] as const)
    await tx.deleteFrom(table).where('account_id', '=', accountId).execute();
}
