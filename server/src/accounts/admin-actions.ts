import { type Account, changeRole, changeStatus, type Role, type Status } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import { checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { actingAdmin } from './acting-admin.ts';
import { emailAvailability } from './availability.ts';
import type { AccountParts } from './parts.ts';
import { isWeak } from './password-strength.ts';
import { toAccount } from './present.ts';
import {
  accountByEmail,
  insertAccount,
  isId,
  lockAccounts,
  passwordHash,
  type StoredAccount,
  savePassword,
  saveStanding,
} from './queries.ts';

/** @param actorId who asks: an admin when the call began; asked again under lock */
export function setStatus(
  parts: AccountParts,
  actorId: string,
  id: string,
  status: Status,
): Promise<Result<StoredAccount>> {
  const { builtInAdmins } = parts.config;
  const rule: Rule = (actor, account) => changeStatus(actor, account, status, builtInAdmins);
  return changeStanding(parts, actorId, id, 'status', rule);
}

/** As {@link setStatus}. */
export function setRole(parts: AccountParts, actorId: string, id: string, role: Role): Promise<Result<StoredAccount>> {
  const { builtInAdmins } = parts.config;
  const rule: Rule = (actor, account) => changeRole(actor, account, role, builtInAdmins);
  return changeStanding(parts, actorId, id, 'role', rule);
}

type Rule = (actor: Account, account: Account) => Result<Account>;

/**
 * Rule, change, audit line and notification in one transaction.
 *
 * Actor and account are locked together. Two admins who demote each other at once are put in order by that, and the
 * second is no admin any more: whoever's change is committed is an admin still, so there is always one.
 *
 * Source: house "An approval", security T31.
 */
function changeStanding(
  parts: AccountParts,
  actorId: string,
  id: string,
  what: 'status' | 'role',
  rule: Rule,
): Promise<Result<StoredAccount>> {
  const now = parts.now();
  const missing = refuse('account/no-such-id', { id });
  if (!isId(id)) return Promise.resolve(missing);
  return inTransaction(parts.db, async (tx) => {
    const rows = await lockAccounts(tx, [actorId, id]);
    const actor = rows.find((row) => row.id === actorId);
    const before = rows.find((row) => row.id === id);
    if (!actor) return refuse('session/required');
    if (!before || before.is_sample) return missing;
    const answer = rule(toAccount(actor), toAccount(before));
    if (!answer.ok) return answer;
    const after = answer.value;
    if (after.status === before.status && after.role === before.role) return done(before);
    const saved = await saveStanding(tx, before, after, now);
    await audit(
      tx,
      { actor: actorId, action: what, target: id, details: { from: before[what], to: after[what] } },
      now,
    );
    await notify(tx, { about: 'session', accountId: id });
    await notify(tx, { about: 'accounts' });
    parts.log.info(
      { event: what, actor: actorId, account: id, from: before[what], to: after[what] },
      `Changed ${what}`,
    );
    return done(saved);
  });
}

/** Within this time the same call again is the same button, or an answer that was lost on its way. */
const sameCallMs = 60_000;

/** The account, if this very admin made it with these very fields a moment ago. Source: security REL-32. */
async function madeJustNow(
  { db, now, passwords }: AccountParts,
  actorId: string,
  { email, password, role }: NewUser,
): Promise<StoredAccount | undefined> {
  const account = await accountByEmail(db, email);
  const isTheirs = account?.created_by === actorId && account.role === role;
  if (!isTheirs || now() - account.created_at.getTime() > sameCallMs) return undefined;
  return (await passwords.verify(await passwordHash(db, account.id), password)) ? account : undefined;
}

/**
 * An approved account with a password that the admin chose. Vouched for, not proven: its email gives it nothing.
 *
 * Source: spec §5 "Admin create user", security S17.
 */
export async function createUser(
  parts: AccountParts,
  actorId: string,
  fields: NewUser,
): Promise<Result<StoredAccount>> {
  const checked = checkNewUser(fields);
  if (!checked.ok) return checked;
  const { email, password, role } = checked.value;
  if (isWeak(password, email)) return refuse('sign-up/weak');
  const { availability } = await emailAvailability(parts.db, email, parts.now());
  if (availability !== 'available') {
    const again = await madeJustNow(parts, actorId, checked.value);
    if (again) return done(again);
  }
  if (availability === 'in-use' || availability === 'recently-deleted') {
    const support = parts.config.supportEmail;
    return refuse(`create-user/${availability}`, { email, ...(support ? { support } : {}) });
  }
  const hash = await parts.passwords.hash(password);
  const now = parts.now();
  const answer = await inTransaction(parts.db, async (tx): Promise<Result<StoredAccount>> => {
    const actor = await actingAdmin(tx, parts, actorId);
    if (!actor.ok) return actor;
    const made = await insertAccount(tx, { email, displayName: '', role, status: 'approved', createdBy: actorId }, now);
    // It was available a moment ago.
    if (!made) return refuse('create-user/taken');
    await savePassword(tx, made.id, hash, now);
    await audit(tx, { actor: actorId, action: 'create', target: made.id, details: { role } }, now);
    await notify(tx, { about: 'accounts' });
    parts.log.info({ event: 'create', actor: actorId, account: made.id, role }, 'Created an account');
    return done(made);
  });
  if (answer.ok || answer.refusal.code !== 'create-user/taken') return answer;
  const again = await madeJustNow(parts, actorId, checked.value);
  return again ? done(again) : answer;
}
