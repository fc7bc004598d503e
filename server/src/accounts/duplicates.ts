import {
  type BuiltInAdmins,
  type Duplicate,
  effective,
  isAdmin,
  pickCanonical,
  type Status,
  statusAfterMerge,
} from '@kc/rules/account';
import type { DuplicateReport } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Queryable, type Tx } from '../database/open.ts';
import { readAccountContext } from './account-context.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts, type StoredAccount, saveRoleAndStatus } from './queries.ts';
import { toAccount, toAccountResponse } from './responses.ts';

/**
 * Of several accounts with one email, marks all but the one in use as migrated to it. Nothing is deleted or moved.
 * Marked accounts are signed out and cannot sign in. If a marked account was denied, the denial carries over. The
 * requester's own account is never changed; if the email is built in, it is the one in use.
 *
 * A unique index prevents duplicates, so they can only come from imported data. A second run finds none.
 *
 * Source: SECURITY.md, S4.
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
    for (const group of duplicateGroups(rows, actorId, deps.config.builtInAdmins)) {
      const { canonical, losers } = group;
      for (const row of losers) {
        await markMigrated(tx, row, canonical.id, actorId, now);
        deps.log.info({ event: 'duplicate', actor: actorId, account: row.id, to: canonical.id }, 'Marked a duplicate');
        marked++;
      }
      await carryDenialOver(tx, deps, group, actorId);
    }
    if (marked > 0) await notify(tx, { about: 'accounts' });
    return done(marked);
  });
}

async function markMigrated(tx: Tx, row: StoredAccount, to: string, actorId: string, now: number): Promise<void> {
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

/** A denied user must not regain access through a duplicate. Source: SECURITY.md, SEC-06. */
async function carryDenialOver(
  tx: Tx,
  deps: AccountDeps,
  { canonical, statusAfter: status }: Group,
  actorId: string,
): Promise<void> {
  if (status === canonical.status) return;
  const { id, role } = canonical;
  const details = { from: canonical.status, to: status };
  await saveRoleAndStatus(tx, canonical, { role, status }, deps.now());
  await audit(tx, { actor: actorId, action: 'status', target: id, details }, deps.now());
  await notify(tx, { about: 'session', accountId: id });
  deps.log.info({ event: 'status', actor: actorId, account: id, ...details }, 'Changed status');
}

/** The accounts of one email: the one in use, and what a clean-up does to the others. */
export type Group = {
  readonly email: string;
  readonly canonical: StoredAccount;
  /** Accounts that are marked as merged into it. */
  readonly losers: readonly StoredAccount[];
  /** The requester's own account if another one is in use. It stays as it is. */
  readonly untouched: readonly StoredAccount[];
  /** The status of the account in use after the clean-up. */
  readonly statusAfter: Status;
};

/**
 * What a clean-up would do now, for the first emails in alphabetical order. Changes and locks nothing: the clean-up
 * decides again.
 */
export async function reportDuplicates(deps: AccountDeps, actorId: string): Promise<DuplicateReport> {
  const { builtInAdmins } = deps.config;
  const ids = await duplicateIds(deps.db);
  const rows =
    ids.length === 0 ? [] : await deps.db.selectFrom('accounts').selectAll().where('id', 'in', ids).execute();
  const groups = duplicateGroups(rows, actorId, builtInAdmins).sort((a, b) => (a.email < b.email ? -1 : 1));
  const after = ({ canonical, statusAfter }: Group): Status =>
    effective({ ...toAccount(canonical), status: statusAfter }, builtInAdmins).status;
  const accountContext = await readAccountContext(deps.db, deps.now());
  const respond = (row: StoredAccount) => toAccountResponse(row, accountContext(row.id), actorId, builtInAdmins);
  return {
    emails: groups.length,
    merges: groups.reduce((sum, { losers }) => sum + losers.length, 0),
    groups: groups.slice(0, limits.maxDuplicateGroups).map((group) => ({
      email: group.email,
      kept: respond(group.canonical),
      merged: group.losers.map(respond),
      untouched: group.untouched.map(respond),
      statusAfter: after(group),
    })),
  };
}

/** IDs of all accounts that share an email. */
async function duplicateIds(db: Queryable): Promise<string[]> {
  const rows = await db
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

/** @returns a group for each email that several of the rows have */
function duplicateGroups(rows: readonly StoredAccount[], actorId: string, builtInAdmins: BuiltInAdmins): Group[] {
  const byEmail = new Map<string, StoredAccount[]>();
  for (const row of rows) byEmail.set(row.email, [...(byEmail.get(row.email) ?? []), row]);
  return [...byEmail].flatMap(([email, group]) => {
    if (group.length < 2) return [];
    const isBuiltIn = builtInAdmins.has(email);
    const picked = pickCanonical(group.map((row) => toDuplicate(row, isBuiltIn)))?.id;
    // The requester is an administrator: if the email is built in, theirs is the account in use, whatever role is
    // stored.
    const id = isBuiltIn && group.some((row) => row.id === actorId) ? actorId : picked;
    const canonical = group.find((row) => row.id === id);
    if (!canonical) return [];
    const others = group.filter((row) => row !== canonical);
    const losers = others.filter((row) => row.id !== actorId);
    const untouched = others.filter((row) => row.id === actorId);
    const merged = statusAfterMerge(toAccount(canonical), losers.map(toAccount), builtInAdmins);
    const statusAfter = canonical.id === actorId ? canonical.status : merged;
    return { email, canonical, losers, untouched, statusAfter };
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
