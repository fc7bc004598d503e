import {
  type BuiltInAdmins,
  type Duplicate,
  effective,
  pickCanonical,
  type Status,
  statusAfterMerge,
} from '@kc/rules/account';
import type { DuplicateReport } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import type { Queryable } from '../database/open.ts';
import { readAccountContext } from './account-context.ts';
import type { AccountDeps } from './deps.ts';
import type { StoredAccount } from './queries.ts';
import { toAccount, toAccountResponse } from './responses.ts';

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
export async function duplicateIds(db: Queryable): Promise<string[]> {
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
export function duplicateGroups(
  rows: readonly StoredAccount[],
  actorId: string,
  builtInAdmins: BuiltInAdmins,
): Group[] {
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
