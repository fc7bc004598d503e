import { limits } from '@kc/rules/limits';
import {
  beginSession,
  byEmail,
  countLetter,
  endSession,
  endSessionsOf,
  endTokensOf,
  isGood,
  isListed,
  isUsableAdmin,
  type Model,
  type ModelAccount,
  newAccount,
  prove,
  statusOf,
} from './model.ts';
import { emailOf, type Name, wrongPassword } from './start.ts';
import {
  addSessionToken,
  addToken,
  ask,
  choose,
  expectRefusal,
  expectSame,
  personAt,
  type Step,
  type TokenChoice,
  textOf,
} from './step.ts';
import type { Answer, Browser, World } from './world.ts';

export const signUp = (by: Name, name: Name, password: string): Step => ({
  text: `${by} signs up as ${name}`,
  kind: 'sign-up',
  by,
  async run(model, world) {
    const email = emailOf(name);
    const { open, auto, enforced } = model.settings;
    const body = { email: ` ${email.toUpperCase()}`, password, displayName: name };
    const { answer } = await ask(model, world, by, 'POST', '/api/sign-up', body);
    if (enforced && !open) return expectRefusal(answer, 'sign-up/closed');
    if (byEmail(model, email)) return expectRefusal(answer, 'sign-up/in-use');
    const status = enforced && auto ? 'approved' : 'pending';
    expectRefusal(answer, undefined);
    expectSame('Approved', answer.body, { email, isApproved: status === 'approved' });
    const { id } = (await world.records()).find((record) => record.email === email)!;
    model.accounts.push(newAccount({ id, email, status, password }));
    model.queued.push({ kind: 'verify', email });
  },
});

export const signIn = (by: Name, name: Name, isRight: boolean, remember: boolean): Step => ({
  text: `${by} signs in as ${name}${isRight ? '' : ' with a wrong password'}${remember ? ', remembered' : ''}`,
  by,
  async run(model, world) {
    const email = emailOf(name);
    const account = byEmail(model, email);
    const password = (isRight && account?.password) || wrongPassword;
    const body = { email, password, remember };
    const { answer, browser } = await ask(model, world, by, 'POST', '/api/session', body);
    if (!account && !model.listed.has(email)) return expectRefusal(answer, 'sign-in/not-found');
    if (!account || password !== account.password) return expectRefusal(answer, 'sign-in/wrong-password');
    begin(model, browser, account, remember, answer);
  },
});

/** The browser has a new session, its previous session has ended, and an admin receives a step-up handle. */
function begin(model: Model, browser: Browser, account: ModelAccount, remember: boolean, answer: Answer): void {
  expectRefusal(answer, undefined);
  endSession(model, browser.session);
  browser.session = beginSession(model, account, remember);
  const { status, isAdmin, stepUp } = answer.body as { status: string; isAdmin: boolean; stepUp?: string };
  const admin = isUsableAdmin(model, account);
  expectSame('Session', [status, isAdmin, stepUp !== undefined], [statusOf(model, account), admin, admin]);
  if (stepUp) addSessionToken(model, browser, { purpose: 'step-up', text: stepUp });
}

export const signOut = (by: Name): Step => ({
  text: `${by} signs out`,
  by,
  async run(model, world) {
    const { answer, browser } = await ask(model, world, by, 'DELETE', '/api/session');
    expectRefusal(answer, undefined);
    endSession(model, browser.session);
  },
});

export const signOutEverywhere = (by: Name): Step => ({
  text: `${by} signs out everywhere`,
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'DELETE', '/api/session/all');
    expectRefusal(answer, person ? undefined : 'session/required');
    if (person) endSessionsOf(model, person);
  },
});

const shown = (choice: TokenChoice): string => (typeof choice === 'number' ? `token ${choice}` : `the ${choice} token`);

export const claim = (by: Name, choice: TokenChoice, password: string): Step => ({
  text: `${by} claims with ${shown(choice)}`,
  kind: 'claim',
  by,
  async run(model, world) {
    const token = choose(model, choice, 'claim');
    const body = { token: textOf(token), password };
    const { answer, browser } = await ask(model, world, by, 'POST', '/api/claim', body);
    const good = isGood(model, token, 'claim') && isListed(model, token.account) ? token : undefined;
    if (!good) return expectRefusal(answer, 'claim/invalid');
    good.good = false;
    endSessionsOf(model, good.account);
    prove(model, good.account);
    Object.assign(good.account, { role: 'admin', status: 'approved', password });
    begin(model, browser, good.account, false, answer);
  },
});

export const requestReset = (by: Name, name: Name): Step => ({
  text: `${by} asks for a reset link for ${name}`,
  by,
  async run(model, world) {
    const email = emailOf(name);
    const { answer } = await ask(model, world, by, 'POST', '/api/reset-password/request', { email });
    expectRefusal(answer, undefined);
    if (countLetter(model, 'reset', email)) model.queued.push({ kind: 'reset', email });
  },
});

export const resetPassword = (by: Name, choice: TokenChoice, password: string): Step => ({
  text: `${by} resets a password with ${shown(choice)}`,
  by,
  async run(model, world) {
    const token = choose(model, choice, 'reset');
    const body = { token: textOf(token), password };
    const { answer } = await ask(model, world, by, 'POST', '/api/reset-password', body);
    const holder = isGood(model, token, 'reset') ? token.account : undefined;
    // A built-in admin whose email is unproven: no mail makes an admin.
    if (!holder || (isListed(model, holder) && !holder.proven)) return expectRefusal(answer, 'reset/invalid');
    expectRefusal(answer, undefined);
    prove(model, holder);
    holder.password = password;
    endTokensOf(model, holder);
    endSessionsOf(model, holder);
  },
});

export const requestVerification = (by: Name): Step => ({
  text: `${by} asks for a link that confirms the email`,
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'POST', '/api/verify-email/request');
    if (!person) return expectRefusal(answer, 'session/required');
    if (!countLetter(model, 'verify', person.email)) return expectRefusal(answer, 'sign-in/too-many');
    expectRefusal(answer, undefined);
    model.queued.push({ kind: 'verify', email: person.email });
  },
});

export const verifyEmail = (by: Name, choice: TokenChoice): Step => ({
  text: `${by} confirms an email with ${shown(choice)}`,
  by,
  async run(model, world) {
    const own = personAt(model, world.browsers.get(by)!);
    const token = choose(model, choice, 'verify', ({ account }) => !own || account === own);
    const { answer, person } = await ask(model, world, by, 'POST', '/api/verify-email', { token: textOf(token) });
    if (!person) return expectRefusal(answer, 'session/required');
    const theirs = isGood(model, token, 'verify') && token.account === person && !isListed(model, person);
    if (!theirs) return expectRefusal(answer, 'verify/invalid');
    expectRefusal(answer, undefined);
    token.good = false;
    // Only a signed-in user can confirm an email, so the password and identities stay: they belong to the same person.
    person.proven = true;
  },
});

export const fixAdminStatus = (by: Name): Step => ({
  text: `${by} presses Fix Admin Status`,
  kind: 'fix',
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'POST', '/api/admin-check/fix');
    if (!person) return expectRefusal(answer, 'session/required');
    if (statusOf(model, person) !== 'approved') return expectRefusal(answer, 'session/not-approved');
    const updated = person.proven && isListed(model, person);
    expectSame('Fixed', answer.body, { updated });
    if (updated) Object.assign(person, { role: 'admin', status: 'approved' });
  },
});

export const look = (by: Name): Step => ({
  text: `${by} opens the visualizations`,
  by,
  async run(model, world) {
    const { answer, person } = await ask(model, world, by, 'GET', '/api/visualizations');
    if (!person) return expectRefusal(answer, 'session/required');
    expectRefusal(answer, statusOf(model, person) === 'approved' ? undefined : 'session/not-approved');
  },
});

export const passTime = (text: string, ms: number): Step => ({
  text,
  async run(model, world) {
    model.now += ms;
    world.setClock(model.now);
  },
});

/** The operator restarts the server with another list of built-in admins. */
export const restart = (heirIsListed: boolean): Step => ({
  text: `the server starts with heir ${heirIsListed ? 'on' : 'off'} ADMIN_EMAILS`,
  kind: 'restart',
  async run(model, world) {
    await world.restart(heirIsListed);
    const listed: Name[] = heirIsListed ? ['root', 'heir'] : ['root'];
    model.listed = new Set(listed.map(emailOf));
    if (!heirIsListed || byEmail(model, emailOf('heir'))) return;
    const { id } = (await world.records()).find(({ email }) => email === emailOf('heir'))!;
    model.accounts.push(newAccount({ id, email: emailOf('heir') }));
  },
});

export const printClaimLinks = (): Step => ({
  text: 'the operator prints claim links',
  async run(model: Model, world: World) {
    const links = await world.claimLinks();
    const due = [...model.listed].filter((email) => {
      const account = byEmail(model, email);
      return account && !(account.proven && account.password);
    });
    expectSame(
      'Claim links',
      links.map(({ email }) => email),
      due,
    );
    for (const { email, token } of links) {
      addToken(model, { purpose: 'claim', text: token, account: byEmail(model, email)! }, limits.claimLinkMs);
    }
  },
});
