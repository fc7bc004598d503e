import { type BuiltInAdmins, type Duplicate, isAdmin, pickCanonical, statusAfterMerge } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts, type StoredAccount, saveStanding } from './queries.ts';
import { toAccount } from './responses.ts';

/**
 * Of several accounts of one email, marks all but the one that is used as migrated to it. Nothing is deleted or moved;
 * who is marked is signed out and cannot sign in. Whoever is marked and was denied takes their denial along. The asker's
 * own account is never touched; of a built-in email it is the one that is used.
 *
 * A unique index keeps duplicates out, so they can only come from data put in from outside. Done twice, the second time
 * finds none.
 *
 * Source: spec §4 "Duplicate accounts", decisions §2.3, security S4.
 *
 * @returns how many were marked
 */
export function cleanDuplicates(deps: AccountDeps, actorId: string): Promise<Result<number>> {
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    const rows = await lockAccounts(tx, [actorId, ...(await duplicateIds(tx))]);
    const actor = rows.find((row) => row.id === actorId);
    if (!actor) return refuse('session/required');
    if (!isAdmin(toAccount(actor), deps.config.builtInAdmins)) return refuse('admin/only');
    let marked = 0;
    for (const { canonical, losers } of groups(rows, actorId, deps.config.builtInAdmins)) {
      for (const row of losers) {
        await markMigrated(tx, row, canonical.id, actorId, now);
        deps.log.info({ event: 'duplicate', actor: actorId, account: row.id, to: canonical.id }, 'Marked a duplicate');
        marked++;
      }
      if (canonical.id !== actorId) await carryDenialOver(tx, deps, { canonical, losers }, actorId);
    }
    if (marked > 0) await notify(tx, { about: 'accounts' });
    return done(marked);
  });
}

/** Everybody whose email is another's as well. */
async function duplicateIds(tx: Transaction<Database>): Promise<string[]> {
  const rows = await tx
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.migrated_to', 'is', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('accounts as b')
          .select('b.id')
          .whereRef('b.email', '=', 'a.email')
          .whereRef('b.id', '!=', 'a.id')
          .where('b.migrated_to', 'is', null),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** An email's account that is used, and those that are not any more. */
type Group = { readonly canonical: StoredAccount; readonly losers: readonly StoredAccount[] };

function groups(rows: readonly StoredAccount[], actorId: string, builtInAdmins: BuiltInAdmins): Group[] {
  const emails = [...new Set(rows.map((row) => row.email))];
  return emails.flatMap((email) => {
    const group = rows.filter((row) => row.email === email);
    const isBuiltIn = builtInAdmins.has(email);
    const picked = pickCanonical(group.map((row) => toDuplicate(row, isBuiltIn)))?.id;
    // Who asks is an admin: of a built-in email they are its administrator, whatever role is stored.
    const id = isBuiltIn && group.some((row) => row.id === actorId) ? actorId : picked;
    const canonical = group.find((row) => row.id === id);
    if (!canonical) return [];
    return { canonical, losers: group.filter((row) => row !== canonical && row.id !== actorId) };
  });
}

const toDuplicate = (row: StoredAccount, isBuiltIn: boolean): Duplicate => ({
  id: row.id,
  isBuiltInAdmin: isBuiltIn && row.role === 'admin',
  emailProven: row.email_proven_at !== null,
  createdBy: row.created_by,
  lastLogin: row.last_login?.getTime(),
  createdAt: row.created_at.getTime(),
});

async function markMigrated(
  tx: Transaction<Database>,
  row: StoredAccount,
  to: string,
  actorId: string,
  now: number,
): Promise<void> {
  const at = new Date(now);
  await tx
    .updateTable('accounts')
    .set({ migrated_to: to, migrated_at: at, updated_at: at })
    .where('id', '=', row.id)
    .execute();
  await tx.deleteFrom('sessions').where('account_id', '=', row.id).execute();
  await audit(tx, { actor: actorId, action: 'duplicate', target: row.id, details: { to } }, now);
  await notify(tx, { about: 'session', accountId: row.id });
}

/** Nobody who was denied comes back by having been there twice. Source: security SEC-06. */
async function carryDenialOver(
  tx: Transaction<Database>,
  deps: AccountDeps,
  { canonical, losers }: Group,
  actorId: string,
): Promise<void> {
  const status = statusAfterMerge(toAccount(canonical), losers.map(toAccount), deps.config.builtInAdmins);
  if (status === canonical.status) return;
  const { id, role } = canonical;
  const details = { from: canonical.status, to: status };
  await saveStanding(tx, canonical, { role, status }, deps.now());
  await audit(tx, { actor: actorId, action: 'status', target: id, details }, deps.now());
  await notify(tx, { about: 'session', accountId: id });
  deps.log.info({ event: 'status', actor: actorId, account: id, ...details }, 'Changed status');
}
