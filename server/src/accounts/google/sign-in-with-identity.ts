import { randomUUID } from 'node:crypto';
import { isAdmin, type Role, type Status } from '@kc/rules/account';
import { standingByGroups } from '@kc/rules/group-roles';
import { provesEmail, type Reception, receive } from '@kc/rules/identity';
import { done, type Result, refuse } from '@kc/rules/result';
import { admission } from '@kc/rules/settings';
import { sql } from 'kysely';
import { type AuditLine, audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../database/open.ts';
import { consume } from '../../http/rate-limits.ts';
import { proveAdmin } from '../claim.ts';
import { stopUploads } from '../delete-account.ts';
import type { AccountDeps } from '../deps.ts';
import { auditRefusal, mayRevealTaken as mayRevealEmailInUse, signUpGlobalLimit, signUpLimit } from '../limits.ts';
import {
  insertAccount,
  isRoomToWait,
  lockAccounts,
  markSignedIn,
  type StoredAccount,
  saveRoleAndStatus,
} from '../queries.ts';
import { toAccount } from '../responses.ts';
import { endSession, startSession } from '../sessions.ts';
import { holdSettings } from '../settings.ts';
import type { Identity } from './identity-claims.ts';
import {
  closeWaysIn,
  dropTokens,
  endLinksOf,
  type FoundIdentity,
  findAccounts,
  keepIdentity,
  keepProfile,
  Overtaken,
  proveEmail,
  toFoundIdentity,
} from './identity-queries.ts';

/** The requester's address, their current session token, and whether the new session is remembered. */
type From = { readonly address: string; readonly token: string | undefined; readonly remember: boolean };
/** The only mail that sign-in queues. */
type IdentityDeps = Pick<AccountDeps, 'config' | 'db' | 'log' | 'announce' | 'now'> & {
  readonly mails: Pick<AccountDeps['mails'], 'enqueue'>;
};
type SignedIn = { readonly token: string; readonly accountId: string };

/**
 * Signs in a person identified by an identity provider. Creates, links or takes over an account in one transaction:
 * `receive` in `rules/identity` decides, under a lock, on the current state of the database. The browser's previous
 * session ends.
 *
 * Source: SECURITY.md, S1–S3, T17–T23.
 *
 * @returns the new session's token
 */
export async function signInWithIdentity(
  deps: IdentityDeps,
  identity: Identity,
  from: From,
): Promise<Result<SignedIn>> {
  const answer = await settle(deps, identity, from);
  const { log } = deps;
  if (answer.ok) {
    const account = answer.value.accountId;
    log.info({ event: 'sign-in', by: 'google', result: 'ok', account, address: from.address }, 'Signed in');
    return answer;
  }
  const { code } = answer.refusal;
  log.info({ event: 'sign-in', by: 'google', result: 'refused', code, address: from.address }, 'Sign-in refused');
  const line = { actor: 'anyone', action: 'sign-in', target: 'unknown', details: { by: 'google', code } } as const;
  await auditRefusal(deps, line, from.address);
  if (code !== 'sign-up/in-use') return answer;
  // Disclosing that an email is taken uses the same budget as a sign-up with a password.
  return (await mayRevealEmailInUse(deps.db, from.address, deps.now())) ? answer : refuse('google/failed');
}

/** Simultaneous sign-ins with one email or one identity run one after another, and each sees the previous result. */
async function settle(deps: IdentityDeps, identity: Identity, from: From): Promise<Result<SignedIn>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(deps.db, (tx) => arrive(tx, deps, identity, from));
    } catch (error) {
      const again = error instanceof Overtaken || isUniqueViolation(error);
      if (!again || attempt === 5) throw error;
    }
  }
}

async function arrive(tx: Tx, deps: IdentityDeps, identity: Identity, from: From): Promise<Result<SignedIn>> {
  const { builtInAdmins, trustedDomains } = deps.config;
  const now = deps.now();
  const found = await findAccounts(tx, identity);
  const reception = receive(
    {
      email: identity.email.email,
      proven: provesEmail(identity.email, trustedDomains),
      known: toFoundIdentity(found.known),
      holder: toFoundIdentity(found.holder),
      admission: admission(await holdSettings(tx)),
    },
    builtInAdmins,
  );
  if (!reception.ok) return reception;
  const account = await carryOut(tx, deps, { reception: reception.value, found, identity, from });
  if (!account.ok) return account;
  const { id } = account.value;
  await keepIdentity(tx, identity, id, new Date(now));
  await keepProfile(tx, account.value, identity);
  await applyGroups(tx, deps, id, identity.groups, now);
  await markSignedIn(tx, id, now);
  if (from.token) await endSession(tx, from.token);
  await audit(tx, { actor: id, action: 'sign-in', target: id, details: { by: 'google' } }, now);
  return done({ token: await startSession(tx, id, from.remember, now), accountId: id });
}

type Case = {
  readonly reception: Reception;
  readonly found: FoundIdentity;
  readonly identity: Identity;
  readonly from: From;
};

/** @returns the account to sign in to */
async function carryOut(tx: Tx, deps: IdentityDeps, all: Case): Promise<Result<StoredAccount>> {
  const { reception, found } = all;
  const now = deps.now();
  const account = found.known ?? found.holder;
  switch (reception.do) {
    case 'sign-in':
      if (reception.email !== undefined) await takeEmail(tx, account!, reception.email, now);
      break;
    case 'link':
      await auditAndNotify(tx, { actor: account!.id, action: 'link', target: account!.id }, now);
      break;
    case 'claim':
      await closeWaysIn(tx, account!.id);
      await proveAdmin(tx, account!.id, now);
      await auditAndNotify(
        tx,
        { actor: account!.id, action: 'claim', target: account!.id, details: { by: 'google' } },
        now,
      );
      break;
    case 'migrate': {
      const { role, status } = reception;
      const fresh = await migrateAccount(tx, account!, { role, status }, new Date(now));
      const details = { to: fresh.id, role, status };
      await auditAndNotify(tx, { actor: fresh.id, action: 'migrate', target: account!.id, details }, now);
      return done(fresh);
    }
    case 'create':
      return create(tx, deps, reception, all);
  }
  return done(account!);
}

async function takeEmail(tx: Tx, account: StoredAccount, email: string, now: number): Promise<void> {
  const line = { actor: account.id, target: account.id };
  await proveEmail(tx, account.id, email, new Date(now));
  if (email === account.email) {
    return auditAndNotify(tx, { ...line, action: 'verify-email', details: { by: 'google' } }, now);
  }
  await dropTokens(tx, account.id);
  await auditAndNotify(tx, { ...line, action: 'email', details: { from: account.email, to: email } }, now);
  await notify(tx, { about: 'session', accountId: account.id });
}

async function create(
  tx: Tx,
  deps: IdentityDeps,
  { role, status, proven }: Extract<Reception, { do: 'create' }>,
  { identity, from }: Case,
): Promise<Result<StoredAccount>> {
  const now = deps.now();
  const email = identity.email.email!;
  const wait = (await consume(tx, signUpLimit, from.address, now)) || (await consume(tx, signUpGlobalLimit, '', now));
  if (wait > 0) return refuse('google/failed');
  if (status === 'pending' && !(await isRoomToWait(tx))) return refuse('sign-up/full');
  const account = await insertAccount(tx, { email, displayName: '', role, status }, now);
  if (!account) throw new Overtaken();
  if (proven) await proveEmail(tx, account.id, email, new Date(now));
  else await deps.mails.enqueue(tx, 'verify', email);
  const details = { status, by: 'google' };
  await auditAndNotify(tx, { actor: account.id, action: 'sign-up', target: account.id, details }, now);
  if (status === 'pending') await deps.announce(tx, { event: 'user.pending', accountId: account.id });
  return done(account);
}

/** Records what happened to an account in the audit log, and notifies administrators who view the list. */
async function auditAndNotify(tx: Tx, line: AuditLine, now: number): Promise<void> {
  await audit(tx, line, now);
  await notify(tx, { about: 'accounts' });
}

/**
 * Creates a new account with a proven email that takes over the contents of an account with an unproven email:
 * visualizations, plans, judgements of warnings, saved views and filters, running uploads, imported files, and records merged
 * into it. Links to visualizations end: the person who created them may still have them. The old record stays, marked, and nobody
 * can sign in to it. Its name, picture and personal settings may be a stranger's and are not copied.
 *
 * A new table of things that users own must be moved here.
 *
 * Source: SECURITY.md, S3.
 *
 * @param old locked by the caller
 */
async function migrateAccount(
  tx: Tx,
  old: StoredAccount,
  standing: { readonly role: Role; readonly status: Status },
  at: Date,
): Promise<StoredAccount> {
  const id = randomUUID();
  await stopUploads(tx, old.id);
  // First, because an email is unique among unmarked accounts.
  await tx
    .updateTable('accounts')
    .set({ migrated_to: id, migrated_at: at, updated_at: at })
    .where('id', '=', old.id)
    .execute();
  const account = await tx
    .insertInto('accounts')
    .values({
      id,
      email: old.email,
      ...standing,
      email_proven_at: at,
      created_by: old.created_by,
      created_at: old.created_at,
      updated_at: at,
      migrated_from: old.id,
      migrated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.updateTable('accounts').set({ migrated_to: id }).where('migrated_to', '=', old.id).execute();
  await tx.updateTable('visualizations').set({ user_id: id }).where('user_id', '=', old.id).execute();
  await tx.updateTable('saved_views').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('presets').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('saved_views').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('plans').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('continued_roots').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('dismissed_warnings').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('dismissed_warnings').set({ dismissed_by: id }).where('dismissed_by', '=', old.id).execute();
  await tx.updateTable('warning_thresholds').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await endLinksOf(tx, old.id, at.getTime());
  await tx.updateTable('share_links').set({ maker_id: id }).where('maker_id', '=', old.id).execute();
  await tx.updateTable('share_links').set({ opened_by: id }).where('opened_by', '=', old.id).execute();
  await tx.updateTable('plan_assignments').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('uploads').set({ user_id: id }).where('user_id', '=', old.id).execute();
  await tx.updateTable('uploads').set({ uploader_id: id }).where('uploader_id', '=', old.id).execute();
  await tx.updateTable('imported_files').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('drafts').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('drafts').set({ begun_by: id }).where('begun_by', '=', old.id).execute();
  await tx.updateTable('stored_files').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await closeWaysIn(tx, old.id);
  await notify(tx, { about: 'visualizations', accountId: id });
  return account;
}

/**
 * Gives an account the role and the approval that the groups of its person mean, if this server knows such groups. Whoever
 * signs in holds the lock on the account; of several who would lose the role at once, each sees what became of the one before,
 * so that one administrator always remains.
 *
 * Source: SECURITY.md, SEC-55
 */
async function applyGroups(
  tx: Tx,
  { config, log }: Pick<AccountDeps, 'config' | 'log'>,
  accountId: string,
  groups: readonly string[],
  now: number,
): Promise<void> {
  const { groupRoles: rules, builtInAdmins } = config;
  if (!rules) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('roles by groups', 0))`.execute(tx);
  // As it is after what the sign-in has changed so far.
  const [account] = await lockAccounts(tx, [accountId]);
  if (!account) return;
  const others = await anotherAdmin(tx, account.id, builtInAdmins);
  const { role, status, isLast } = standingByGroups(account, groups, rules, others, builtInAdmins);
  const line = { actor: 'system', target: account.id } as const;
  if (isLast) {
    log.warn(
      { event: 'role', account: account.id },
      'The last administrator keeps the role, although no group gives it',
    );
    const details = { by: 'groups', kept: 'the last administrator' };
    await audit(tx, { ...line, action: 'role', result: 'refused', details }, now);
  }
  if (role === account.role && status === account.status) return;
  await saveRoleAndStatus(tx, account, { role, status }, now);
  for (const [action, from, to] of [
    ['role', account.role, role],
    ['status', account.status, status],
  ] as const) {
    if (from !== to) await audit(tx, { ...line, action, details: { from, to, by: 'groups' } }, now);
  }
  await notify(tx, { about: 'accounts' });
  await notify(tx, { about: 'session', accountId: account.id });
  log.info({ event: 'role', account: account.id, role, status, by: 'groups' }, 'Groups changed an account');
}

async function anotherAdmin(
  tx: Tx,
  except: string,
  builtInAdmins: AccountDeps['config']['builtInAdmins'],
): Promise<boolean> {
  const candidates = await tx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '!=', except)
    .where('migrated_to', 'is', null)
    .where('is_sample', '=', false)
    .where((e) => e.or([e('role', '=', 'admin'), e('email', 'in', ['', ...builtInAdmins])]))
    .execute();
  return candidates.some((row) => isAdmin(toAccount(row), builtInAdmins));
}
