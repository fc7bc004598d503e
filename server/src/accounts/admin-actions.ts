import { type Account, changeRole, changeStatus, type Role, type Status } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import { checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, isId, type Tx } from '../database/open.ts';
import { emailAvailability } from './availability.ts';
import type { AccountDeps } from './deps.ts';
import { actingAdmin } from './may-do.ts';
import { isWeak } from './passwords.ts';
import {
  accountByEmail,
  insertAccount,
  lockAccounts,
  passwordHash,
  type StoredAccount,
  savePassword,
  saveRoleAndStatus,
} from './queries.ts';
import { toAccount } from './responses.ts';

type Rule = (actor: Account, account: Account) => Result<Account>;

/** One rule applied to one account. */
type StandingChange = { readonly id: string; readonly what: 'status' | 'role'; readonly rule: Rule };

/** A change of status or role, as the contract defines it. */
type RequestedChange = { readonly id: string } & ({ readonly status: Status } | { readonly role: Role });

/**
 * Changes the status or role of an account. Its refusal is the refusal of the call.
 *
 * @param actorId the requester: an administrator when the call began; checked again under lock
 */
export async function changeOne(
  deps: AccountDeps,
  actorId: string,
  requested: RequestedChange,
): Promise<Result<StoredAccount>> {
  const results = await changeMany(deps, actorId, [requested]);
  return results.ok ? results.value[0]! : results;
}

/**
 * Changes the status or role of several accounts in one transaction, in the given order.
 *
 * @param actorId as for {@link changeOne}
 * @returns one result per change; a refused change does not stop the others
 */
export function changeMany(
  deps: AccountDeps,
  actorId: string,
  requested: readonly RequestedChange[],
): Promise<Result<readonly Result<StoredAccount>[]>> {
  const { builtInAdmins } = deps.config;
  const changes = requested.map((change): StandingChange => {
    if ('status' in change) {
      const { id, status } = change;
      return { id, what: 'status', rule: (actor, account) => changeStatus(actor, account, status, builtInAdmins) };
    }
    const { id, role } = change;
    return { id, what: 'role', rule: (actor, account) => changeRole(actor, account, role, builtInAdmins) };
  });
  return changeStandings(deps, actorId, changes);
}

/**
 * Applies rules and changes and writes audit lines and notifications in one transaction.
 *
 * The actor and all accounts are locked together, in the order of their IDs. If two administrators demote each other at
 * the same time, the calls run one after the other, and the second actor is no longer an administrator: at least one
 * administrator always remains.
 */
function changeStandings(
  deps: AccountDeps,
  actorId: string,
  changes: readonly StandingChange[],
): Promise<Result<readonly Result<StoredAccount>[]>> {
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    const rows = await lockAccounts(tx, [actorId, ...changes.map(({ id }) => id).filter(isId)]);
    const accounts = new Map(rows.map((row) => [row.id, row]));
    const results: Result<StoredAccount>[] = [];
    for (const { id, what, rule } of changes) {
      const actor = accounts.get(actorId);
      if (!actor) return refuse('session/required');
      const before = accounts.get(id);
      if (!before || before.is_sample) {
        results.push(refuse('account/no-such-id', { id }));
        continue;
      }
      const answer = rule(toAccount(actor), toAccount(before));
      if (!answer.ok) {
        results.push(answer);
        continue;
      }
      const saved = await saveChange(tx, deps, actorId, before, answer.value, what, now);
      accounts.set(id, saved);
      results.push(done(saved));
    }
    if (results.some((result) => result.ok)) await notify(tx, { about: 'accounts' });
    return done(results);
  });
}

async function saveChange(
  tx: Tx,
  { log }: AccountDeps,
  actorId: string,
  before: StoredAccount,
  after: Account,
  what: 'status' | 'role',
  now: number,
): Promise<StoredAccount> {
  if (after.status === before.status && after.role === before.role) return before;
  const { id } = before;
  const saved = await saveRoleAndStatus(tx, before, after, now);
  await audit(tx, { actor: actorId, action: what, target: id, details: { from: before[what], to: after[what] } }, now);
  await notify(tx, { about: 'session', accountId: id });
  log.info({ event: what, actor: actorId, account: id, from: before[what], to: after[what] }, `Changed ${what}`);
  return saved;
}

/** Within this time, the same call is a double click, or a retry after a lost response. */
const sameCallMs = 60_000;

/** The account, if this administrator created it with the same fields a moment ago. Source: SECURITY.md, REL-32. */
async function madeJustNow(
  { db, now, passwords }: AccountDeps,
  actorId: string,
  { email, password, role }: NewUser,
): Promise<StoredAccount | undefined> {
  const account = await accountByEmail(db, email);
  const isTheirs = account?.created_by === actorId && account.role === role;
  if (!isTheirs || now() - account.created_at.getTime() > sameCallMs) return undefined;
  return (await passwords.verify(await passwordHash(db, account.id), password)) ? account : undefined;
}

/**
 * Creates an approved account with a password that the administrator chose. Its email is unproven and grants nothing.
 *
 * Source: SECURITY.md, S17.
 */
export async function createUser(deps: AccountDeps, actorId: string, fields: NewUser): Promise<Result<StoredAccount>> {
  const checked = checkNewUser(fields);
  if (!checked.ok) return checked;
  const { email, password, role } = checked.value;
  if (isWeak(password, email)) return refuse('sign-up/weak');
  const { availability } = await emailAvailability(deps.db, email, deps.now());
  if (availability !== 'available') {
    const again = await madeJustNow(deps, actorId, checked.value);
    if (again) return done(again);
  }
  if (availability === 'in-use' || availability === 'recently-deleted') {
    const support = deps.config.supportEmail;
    return refuse(`create-user/${availability}`, { email, ...(support ? { support } : {}) });
  }
  const hash = await deps.passwords.hash(password);
  const now = deps.now();
  const answer = await inTransaction(deps.db, async (tx): Promise<Result<StoredAccount>> => {
    const actor = await actingAdmin(tx, deps, actorId);
    if (!actor.ok) return actor;
    const made = await insertAccount(tx, { email, displayName: '', role, status: 'approved', createdBy: actorId }, now);
    // It was available a moment ago.
    if (!made) return refuse('create-user/taken');
    await savePassword(tx, made.id, hash, now);
    await audit(tx, { actor: actorId, action: 'create', target: made.id, details: { role } }, now);
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: 'create', actor: actorId, account: made.id, role }, 'Created an account');
    return done(made);
  });
  if (answer.ok || answer.refusal.code !== 'create-user/taken') return answer;
  const again = await madeJustNow(deps, actorId, checked.value);
  return again ? done(again) : answer;
}
