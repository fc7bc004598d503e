import { limits } from '@kc/rules/limits';
import { defaultSettings } from '@kc/rules/settings';
import {
  byEmail,
  byId,
  isGood,
  isListed,
  type Model,
  type ModelAccount,
  newAccount,
  remove,
  roleOf,
  statusOf,
} from './model.ts';
import { emailOf, type Name, passwords, wrongPassword } from './start.ts';
import {
  addSessionToken,
  ask,
  browserOf,
  choose,
  expectRefusal,
  expectSame,
  notAdmin,
  type Step,
  type TokenChoice,
  textOf,
} from './step.ts';

/** A user by name, the last deleted account, or an account that never existed. */
export type Target = Name | 'deleted' | 'nobody';

function idOf(model: Model, target: Target): string {
  if (target === 'deleted') return model.deleted.at(-1) ?? 'nobody';
  return target === 'nobody' ? 'nobody' : (byEmail(model, emailOf(target))?.id ?? 'nobody');
}

export const stepUp = (by: Name, right: boolean): Step => ({
  text: `${by} gives ${right ? 'the' : 'a wrong'} password again`,
  by,
  async run(model, world) {
    const password = (right && browserOf(world, by).session?.account.password) || wrongPassword;
    const { answer, browser, person } = await ask(model, world, by, 'POST', '/api/session/step-up', { password });
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    if (person!.password !== password) return expectRefusal(answer, 'sign-in/wrong-password');
    expectRefusal(answer, undefined);
    addSessionToken(model, browser, { purpose: 'step-up', text: (answer.body as { stepUp: string }).stepUp });
  },
});

export const mintIdToken = (by: Name, choice: TokenChoice): Step => ({
  text: `${by} asks for an id token with ${choice} handle`,
  by,
  async run(model, world) {
    const { session } = browserOf(world, by);
    const handle = choose(model, choice, 'step-up', (token) => token.session === session);
    const body = { stepUp: textOf(handle) };
    const { answer, browser, person } = await ask(model, world, by, 'POST', '/api/session/id-token', body);
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    const good = isGood(model, handle, 'step-up') && handle.session === browser.session;
    if (!good) return expectRefusal(answer, 'step-up/required');
    expectRefusal(answer, undefined);
    addSessionToken(model, browser, { purpose: 'forceDelete', text: (answer.body as { idToken: string }).idToken });
  },
});

export const changeStanding = (by: Name, target: Target, what: 'status' | 'role', value: string): Step => ({
  text: `${by} sets the ${what} of ${target} to ${value}`,
  kind: 'administration',
  by,
  async run(model, world) {
    const id = idOf(model, target);
    const body = { [what]: value };
    const { answer, person } = await ask(model, world, by, 'PUT', `/api/users/${id}/${what}`, body);
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    const account = byId(model, id);
    if (!account) return expectRefusal(answer, 'account/no-such-id');
    if (account === person) return expectRefusal(answer, `account/own-${what}`);
    if (isListed(model, account) && !['approved', 'admin'].includes(value)) {
      return expectRefusal(answer, what === 'status' ? 'account/primary-admin' : 'account/primary-admin-role');
    }
    expectRefusal(answer, undefined);
    Object.assign(account, { [what]: value });
  },
});

export const createUser = (by: Name, name: Name, role: 'admin' | 'user'): Step => ({
  text: `${by} creates ${name} as ${role}`,
  kind: 'administration',
  by,
  async run(model, world) {
    const email = emailOf(name);
    const password = passwords[0];
    const { answer, person } = await ask(model, world, by, 'POST', '/api/users', { email, password, role });
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    const known = byEmail(model, email);
    if (known) {
      const isAgain = known.madeBy?.id === person!.id && model.now - known.madeBy.at <= 60_000;
      if (isAgain && known.role === role && known.password === password) return expectRefusal(answer, undefined);
      const deletedAt = model.deletedAt.get(email);
      const isRecent = deletedAt !== undefined && model.now - deletedAt < limits.justDeletedMs;
      return expectRefusal(answer, isRecent ? 'create-user/recently-deleted' : 'create-user/in-use');
    }
    expectRefusal(answer, undefined);
    const { id } = answer.body as { id: string };
    model.accounts.push(
      newAccount({
        id,
        email,
        role,
        status: 'approved',
        password,
        vouched: true,
        madeBy: { id: person!.id, at: model.now },
      }),
    );
  },
});

export const deleteAccount = (by: Name, target: Target, choice: TokenChoice, way: 'force' | 'records'): Step => ({
  text: `${by} deletes ${way === 'force' ? '' : 'the records of '}${target} with ${choice} id token`,
  by,
  async run(model, world) {
    const id = idOf(model, target);
    const { session } = browserOf(world, by);
    const token = choose(model, choice, 'forceDelete', (one) => one.session === session);
    const idToken = textOf(token);
    const call = way === 'force' ? '/api/forceDeleteUser' : `/api/users/${id}/delete-records`;
    const body = way === 'force' ? { userId: id, idToken } : { idToken };
    const { answer, person, browser } = await ask(model, world, by, 'POST', call, body);
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    if (way === 'force' && id === person!.id) return expectRefusal(answer, 'account/own-delete');
    const authRemains = model.leftovers.has(id);
    const done = (remains: boolean): void => {
      expectRefusal(answer, undefined);
      expectSame('Deleted', answer.body, way === 'force' ? { ok: true } : { authRemains: remains });
    };
    if (model.deleted.includes(id)) return done(authRemains);
    if (!isGood(model, token, 'forceDelete') || token.session !== browser.session) {
      return expectRefusal(answer, 'step-up/required');
    }
    token.good = false;
    const account = byId(model, id);
    const why = whyNotDelete(model, person!, account);
    if (why || !account) return expectRefusal(answer, why);
    const leaves = way === 'records' && account.password !== undefined;
    done(leaves);
    remove(model, account);
    if (leaves) model.leftovers.add(id);
  },
});

function whyNotDelete(model: Model, person: ModelAccount, account: ModelAccount | undefined): string | undefined {
  if (!account) return 'account/not-found';
  if (account === person) return 'account/own-delete';
  return isListed(model, account) ? 'account/primary-admin-delete' : undefined;
}

export const deleteLeftover = (by: Name, target: Target): Step => ({
  text: `${by} deletes what is left of ${target}`,
  by,
  async run(model, world) {
    const id = idOf(model, target);
    const { answer, person } = await ask(model, world, by, 'POST', '/api/deleteUserAuth', { userId: id });
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    expectRefusal(answer, undefined);
    const { success } = answer.body as { success: boolean };
    expectSame('Left over', success, byId(model, id) === undefined);
    if (success) model.leftovers.delete(id);
  },
});

export const saveSettings = (by: Name, open: boolean, auto: boolean, enforce: boolean, isStale: boolean): Step => ({
  text: `${by} saves ${open ? 'open' : 'closed'} registration${auto ? ' that approves' : ''}${enforce ? ', enforced' : ''}`,
  by,
  async run(model, world) {
    const { settings } = model;
    const version = isStale ? settings.version - 1 : settings.version;
    const { openRegistration: _open, autoApprove: _auto, ...others } = defaultSettings;
    const body = { version, settings: { ...others, openRegistration: open, autoApprove: auto }, enforce };
    const { answer, person } = await ask(model, world, by, 'PUT', '/api/settings', body);
    const refused = notAdmin(model, person);
    if (refused) return expectRefusal(answer, refused);
    if (version !== settings.version) return expectRefusal(answer, 'settings/stale');
    if (auto && !open) return expectRefusal(answer, 'settings/auto-approve-closed');
    const changed = open !== settings.open || auto !== settings.auto;
    const enforced = settings.enforced || enforce || changed;
    const isSame = !changed && enforced === settings.enforced;
    model.settings = { version: settings.version + (isSame ? 0 : 1), open, auto, enforced };
    const { policyEnforced, version: kept } = answer.body as { policyEnforced: boolean; version: number };
    expectSame('Settings', [policyEnforced, kept], [enforced, model.settings.version]);
  },
});

export const cleanDuplicates = (by: Name): Step => ({
  text: `${by} cleans up duplicates`,
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'POST', '/api/users/clean-duplicates');
    const refused = notAdmin(model, person);
    expectRefusal(answer, refused);
    if (!refused) expectSame('Marked', answer.body, { marked: 0 });
  },
});

/** The user list shows the effective role and status of every account. */
export const listUsers = (by: Name): Step => ({
  text: `${by} looks at the users`,
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'GET', '/api/users');
    const refused = notAdmin(model, person);
    expectRefusal(answer, refused);
    if (refused) return;
    const listed = (answer.body as { email: string; role: string; status: string }[]).map(({ email, role, status }) => [
      email,
      role,
      status,
    ]);
    const known = model.accounts.map((account) => [account.email, roleOf(model, account), statusOf(model, account)]);
    expectSame('Users', listed.sort(), known.sort());
  },
});
