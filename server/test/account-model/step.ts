import { limits } from '@kc/rules/limits';
import {
  endTokensOf,
  isUsableAdmin,
  lives,
  type Model,
  type ModelAccount,
  type ModelToken,
  mayReceive,
  type Purpose,
} from './model.ts';
import type { Name } from './start.ts';
import type { Answer, Browser, World } from './world.ts';

/** One action: it calls the real server, compares the response with the model, and updates the model accordingly. */
export type Step = {
  readonly text: string;
  /** The user whose browser does it; absent for events without a user. */
  readonly by?: Name;
  /** The kinds of step that may raise a user's rights. A step without a kind may not. */
  readonly kind?: 'claim' | 'sign-up' | 'google' | 'administration' | 'fix' | 'restart';
  run(model: Model, world: World): Promise<void>;
};

/** The account that is signed in to a browser, if any. */
export function personAt(model: Model, browser: Browser): ModelAccount | undefined {
  return browser.session && lives(model, browser.session) ? browser.session.account : undefined;
}

export const browserOf = (world: World, name: Name): Browser => world.browsers.get(name)!;

/** A call from a user's browser. It updates the last-seen time of the session, at most once every five minutes. */
export async function ask(
  model: Model,
  world: World,
  by: Name,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ answer: Answer; browser: Browser; person: ModelAccount | undefined }> {
  const browser = browserOf(world, by);
  const person = personAt(model, browser);
  if (person && browser.session && model.now - browser.session.seenAt > 5 * 60_000) browser.session.seenAt = model.now;
  const answer = await world.call(browser, method, path, body);
  if (answer.status >= 500) throw new Error(`A fault at ${method} ${path}: ${world.logged()}`);
  return { answer, browser, person };
}

/** @throws unless the response is a refusal with this code, or a success if there is no code */
export function expectRefusal(answer: Answer, code: string | undefined): void {
  if (answer.code === code && (code !== undefined || answer.status === 200)) return;
  throw new Error(`Expected ${code ?? 'success'}, got ${answer.status} ${JSON.stringify(answer.body)}`);
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/** The code that refuses an admin-only call; `undefined` for an admin. */
export function notAdmin(model: Model, person: ModelAccount | undefined): string | undefined {
  if (!person) return 'session/required';
  return isUsableAdmin(model, person) ? undefined : 'admin/only';
}

/** Which known token a step uses: one of the right kind, the n-th of any kind, or an invented one. */
export type TokenChoice = 'newest' | 'earlier' | 'invented' | number;

/**
 * The token that a choice stands for; `undefined` for an invented one, which was never issued.
 *
 * @param mine selects the tokens that belong to the user
 */
export function choose(
  model: Model,
  choice: TokenChoice,
  purpose: Purpose,
  mine: (token: ModelToken) => boolean = () => true,
): ModelToken | undefined {
  if (choice === 'invented') return undefined;
  if (typeof choice === 'number') return model.tokens[choice % Math.max(1, model.tokens.length)];
  return model.tokens.filter((token) => token.purpose === purpose && mine(token)).at(choice === 'newest' ? -1 : -2);
}

export const textOf = (token: ModelToken | undefined): string => token?.text ?? 'A'.repeat(43);

const letterLife = { reset: limits.resetLinkMs, verify: limits.verifyLinkMs } as const;

/** Runs the job that sends the requested mails, and adds their tokens to the model. */
export async function deliverLetters(model: Model, world: World): Promise<void> {
  const written = await world.letters();
  const asked = model.queued.splice(0);
  expectSame(
    'Letters',
    written.map(({ kind, email, token }) => ({ kind, email, sent: token !== undefined })),
    asked.map(({ kind, email }) => ({ kind, email, sent: mayReceive(model, kind, email) })),
  );
  for (const { kind, email, token } of written) {
    const account = model.accounts.find((one) => one.email === email);
    if (token && account) addToken(model, { purpose: kind, text: token, account }, letterLife[kind]);
  }
}

/** Adds a token and invalidates earlier ones with the same purpose and account. */
export function addToken(model: Model, token: Pick<ModelToken, 'purpose' | 'text' | 'account'>, lifeMs: number): void {
  endTokensOf(model, token.account, token.purpose);
  model.tokens.push({ ...token, endsAt: model.now + lifeMs, good: true });
}

/** Adds a token that is valid for one session. A step-up handle invalidates the session's earlier one. */
export function addSessionToken(model: Model, browser: Browser, token: Pick<ModelToken, 'purpose' | 'text'>): void {
  const session = browser.session!;
  const isHandle = token.purpose === 'step-up';
  if (isHandle) {
    for (const other of model.tokens) if (other.session === session && other.purpose === 'step-up') other.good = false;
  }
  const life = isHandle ? limits.stepUpMs : limits.idTokenMs;
  model.tokens.push({ ...token, account: session.account, session, endsAt: model.now + life, good: true });
}
