import { can } from '@kc/rules/access';
import { byStatusThenNewest, effective, isAdmin } from '@kc/rules/account';
import { done, type Result } from '@kc/rules/result';
import { admission } from '@kc/rules/settings';
import type { NewSession, Session } from '@kc/rules/shapes';
import { checkName } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import { allowed, asError } from '../http/refusals.ts';
import { readAccountContext } from './account-context.ts';
import { changeMany, changeOne, createUser } from './admin-actions.ts';
import { claim, readClaim } from './claim.ts';
import { deletionCalls } from './delete-account.ts';
import type { AccountDeps } from './deps.ts';
import { cleanDuplicates, reportDuplicates } from './duplicates.ts';
import { stepUpWays, takeStepUp } from './google/step-up-with-identity.ts';
import { createKnownDevices } from './known-devices.ts';
import { nameLimit } from './limits.ts';
import { readReset, requestReset, requestVerification, resetPassword, verifyEmail } from './mailed-links.ts';
import { HashingBusy } from './passwords.ts';
import { lockAccounts, type StoredAccount, saveRoleAndStatus } from './queries.ts';
import { api, type Person, personOf, type RequestContext } from './require.ts';
import { type ServerFacts, toAccount, toAccountResponse, toSessionResponse } from './responses.ts';
import { endAllSessions, endSession, readSession } from './sessions.ts';
import { readSettings } from './settings.ts';
import { limited, signIn } from './sign-in.ts';
import { signUp, signUpCheck } from './sign-up.ts';
import { issueStepUp, stepUp } from './step-up.ts';

/** The contract's calls about sessions and accounts. */
export function accountRoutes(deps: AccountDeps) {
  const { config, db, now } = deps;
  const server: ServerFacts = {
    version: deps.version,
    google: config.google !== undefined,
    ...(config.providerName === undefined ? {} : { providerName: config.providerName }),
    supportEmail: config.supportEmail,
  };
  const devices = createKnownDevices(deps.secret);
  const describe = (person: RequestContext['person']): Session =>
    toSessionResponse(person, config.builtInAdmins, server);

  /** Sends the browser its new session, as a cookie and in the response. */
  async function begin(context: RequestContext, token: string, remembered: boolean): Promise<Session> {
    context.setSession(token, remembered);
    return describe(await readSession(db, token, now()));
  }

  /** The session after a change of the user's own account. */
  async function again({ token }: RequestContext): Promise<Session> {
    return describe(token ? await readSession(db, token, now()) : undefined);
  }

  /**
   * Like {@link begin}, after a password: the step-up handle lets an administrator prove for a while that they just
   * entered it.
   */
  async function beginByPassword(context: RequestContext, token: string, remembered: boolean): Promise<NewSession> {
    const person = await readSession(db, token, now());
    const session = await begin(context, token, remembered);
    if (person) context.setDevice(devices.mark(person.account.email));
    if (!person || !isAdmin(person.account, config.builtInAdmins)) return session;
    const handle = await issueStepUp(db, person, now());
    return handle ? { ...session, stepUp: handle } : session;
  }

  async function present(context: RequestContext, row: StoredAccount) {
    const accountContext = await readAccountContext(db, now());
    return toAccountResponse(row, accountContext(row.id), personOf(context).account.id, config.builtInAdmins);
  }

  const deletion = deletionCalls(deps);
  return {
    session: {
      get: api.session.get.handler(({ context }) => describe(context.person)),
      signIn: api.session.signIn.handler(async ({ input, context }) => {
        const { token } = allowed(await unlessBusy(signIn(deps, input, context)));
        return beginByPassword(context, token, input.remember);
      }),
      signOut: api.session.signOut.handler(async ({ context }) => {
        const accountId = context.token ? await endSession(db, context.token) : undefined;
        if (accountId) {
          await audit(db, { actor: accountId, action: 'sign-out', target: accountId }, now());
          deps.log.info({ event: 'sign-out', account: accountId }, 'Signed out');
        }
        context.clearSession();
        return describe(undefined);
      }),
      signOutEverywhere: api.session.signOutEverywhere.handler(async ({ context }) => {
        await signOutEverywhere(deps, personOf(context));
        context.clearSession();
        return describe(undefined);
      }),
      setName: api.session.setName.handler(async ({ input, context }) => {
        allowed(can(personOf(context).account, { do: 'name/change' }, context.builtInAdmins));
        allowed(await setName(deps, personOf(context), input.displayName, context.address));
        return again(context);
      }),
      stepUp: api.session.stepUp.handler(async ({ input, context }) => {
        const again = allowed(await unlessBusy(stepUp(deps, personOf(context), input.password, context.address)));
        context.setSession(again.token, again.remembered);
        return { stepUp: again.stepUp };
      }),
      stepUpWays: api.session.stepUpWays.handler(({ context }) => stepUpWays(deps, personOf(context))),
      takeStepUp: api.session.takeStepUp.handler(async ({ input, context }) => ({
        stepUp: allowed(await takeStepUp(deps, personOf(context), input.nonce)),
      })),
      ...deletion.session,
    },
    people: {
      registration: api.people.registration.handler(async () => ({ isOpen: admission(await readSettings(db)).ok })),
      signUp: api.people.signUp.handler(async ({ input, context }) =>
        allowed(await unlessBusy(signUp(deps, input, context.address))),
      ),
      signUpCheck: api.people.signUpCheck.handler(async ({ context }) =>
        allowed(await signUpCheck(deps, context.address)),
      ),
      readClaim: api.people.readClaim.handler(async ({ input, context }) => {
        const { email } = allowed(await readClaim(deps, input.token, context.address));
        return { email };
      }),
      claim: api.people.claim.handler(async ({ input, context }) => {
        const { token } = allowed(await unlessBusy(claim(deps, input, context)));
        return beginByPassword(context, token, false);
      }),
      requestReset: api.people.requestReset.handler(async ({ input, context }) =>
        allowed(await requestReset(deps, input, context.address)),
      ),
      readReset: api.people.readReset.handler(async ({ input, context }) => {
        const { email, minPasswordLength } = allowed(await readReset(deps, input.token, context.address));
        return { email, minPasswordLength };
      }),
      resetPassword: api.people.resetPassword.handler(async ({ input, context }) =>
        allowed(await unlessBusy(resetPassword(deps, input, context.address))),
      ),
      requestVerification: api.people.requestVerification.handler(async ({ context }) =>
        allowed(await requestVerification(deps, personOf(context), context.address)),
      ),
      verifyEmail: api.people.verifyEmail.handler(async ({ input, context }) => {
        allowed(await verifyEmail(deps, personOf(context), input.token, context.address));
        return again(context);
      }),
    },
    accounts: {
      list: api.accounts.list.handler(async ({ context }) => {
        const you = personOf(context).account.id;
        const all = db.selectFrom('accounts').selectAll().where('migrated_to', 'is', null);
        const [rows, accountContext] = await Promise.all([
          (config.sample ? all : all.where('is_sample', '=', false)).execute(),
          readAccountContext(db, now()),
        ]);
        const listed = rows.map((row) => toAccountResponse(row, accountContext(row.id), you, config.builtInAdmins));
        return listed.sort(byStatusThenNewest);
      }),
      create: api.accounts.create.handler(async ({ input, context }) => {
        const made = allowed(await unlessBusy(createUser(deps, personOf(context).account.id, input)));
        return present(context, made);
      }),
      setStatus: api.accounts.setStatus.handler(async ({ input: { id, status }, context }) =>
        present(context, allowed(await changeOne(deps, personOf(context).account.id, { id, status }))),
      ),
      setRole: api.accounts.setRole.handler(async ({ input: { id, role }, context }) =>
        present(context, allowed(await changeOne(deps, personOf(context).account.id, { id, role }))),
      ),
      changeMany: api.accounts.changeMany.handler(async ({ input, context }) => {
        const you = personOf(context).account.id;
        const results = allowed(await changeMany(deps, you, input.changes));
        const accountContext = await readAccountContext(db, now());
        return {
          results: results.map((result) =>
            result.ok
              ? { account: toAccountResponse(result.value, accountContext(result.value.id), you, config.builtInAdmins) }
              : { refusal: result.refusal },
          ),
        };
      }),
      ...deletion.accounts,
      duplicates: api.accounts.duplicates.handler(({ context }) =>
        reportDuplicates(deps, personOf(context).account.id),
      ),
      cleanDuplicates: api.accounts.cleanDuplicates.handler(async ({ context }) => ({
        marked: allowed(await cleanDuplicates(deps, personOf(context).account.id)),
      })),
    },
    adminCheck: {
      fix: api.adminCheck.fix.handler(async ({ context }) => ({
        updated: await fixAdminStatus(deps, personOf(context).account.id),
      })),
    },
  };
}

/** Too many passwords to hash at once is a refusal, not a fault. */
async function unlessBusy<T>(work: Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HashingBusy) throw asError({ code: 'sign-in/too-many', params: { seconds: 1 } });
    throw error;
  }
}

/**
 * The action "Fix Admin Status": stores the role and status that a built-in email gives its account.
 *
 * The email must be proven for this very account: an account that signed up before its email was added to
 * `ADMIN_EMAILS` gets nothing.
 *
 * Source: SECURITY.md, S2.
 *
 * @returns whether the account is a built-in administrator's, stored now or before
 */
function fixAdminStatus(deps: AccountDeps, accountId: string): Promise<boolean> {
  const { builtInAdmins } = deps.config;
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    const [row] = await lockAccounts(tx, [accountId]);
    if (!row?.email_proven_at || !builtInAdmins.has(row.email)) return false;
    const { role, status } = effective(toAccount(row), builtInAdmins);
    if (row.role === role && row.status === status) return true;
    await saveRoleAndStatus(tx, row, { role, status }, now);
    const details = { from: { role: row.role, status: row.status }, to: { role, status } };
    await audit(tx, { actor: accountId, action: 'admin-fix', target: accountId, details }, now);
    await notify(tx, { about: 'session', accountId });
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: 'admin-fix', account: accountId }, 'Stored a built-in admin’s role and status');
    return true;
  });
}

/** Changes a user's display name and notifies their other tabs and the administrators' lists. */
async function setName(deps: AccountDeps, { account }: Person, name: string, address: string): Promise<Result<true>> {
  const displayName = checkName(name);
  if (!displayName.ok) return displayName;
  if (displayName.value === account.displayName) return done(true);
  const now = deps.now();
  const wait = await consume(deps.db, nameLimit, account.id, now);
  if (wait > 0) return limited(deps, 'name', address, wait);
  await inTransaction(deps.db, async (tx) => {
    await tx
      .updateTable('accounts')
      .set({ display_name: displayName.value, updated_at: new Date(now) })
      .where('id', '=', account.id)
      .execute();
    await audit(tx, { actor: account.id, action: 'name', target: account.id }, now);
    await notify(tx, { about: 'session', accountId: account.id });
    await notify(tx, { about: 'accounts' });
  });
  return done(true);
}

/** Ends all sessions of the user, on every device; open streams close. Source: SECURITY.md, T11. */
async function signOutEverywhere(deps: AccountDeps, { account }: Person): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await endAllSessions(tx, account.id);
    await audit(tx, { actor: account.id, action: 'sign-out-everywhere', target: account.id }, deps.now());
  });
  deps.log.info({ event: 'sign-out', account: account.id, everywhere: true }, 'Signed out everywhere');
}
