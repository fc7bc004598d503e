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

/** One action: calls the real server, states the response that the model expects, and updates the model. */
export type Step = {
  readonly text: string;
  /** Whose browser does it; none for what happens by itself. */
  readonly by?: Name;
  /** What may raise the rights of a person. Actions without a kind may not. */
  readonly kind?: 'claim' | 'sign-up' | 'google' | 'administration' | 'fix' | 'restart';
  run(model: Model, world: World): Promise<void>;
};

/** The person at a browser, if any. */
export function personAt(model: Model, browser: Browser): ModelAccount | undefined {
  return browser.session && lives(model, browser.session) ? browser.session.account : undefined;
}

export const browserOf = (world: World, name: Name): Browser => world.browsers.get(name)!;

/** A call from a person's browser. The use of its session is recorded every five minutes. */
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

/** @throws unless the answer is the refusal with this code, or a success for none */
export function expectRefusal(answer: Answer, code: string | undefined): void {
  if (answer.code === code && (code !== undefined || answer.status === 200)) return;
  throw new Error(`Expected ${code ?? 'success'}, got ${answer.status} ${JSON.stringify(answer.body)}`);
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/** Why a person is refused what only admins may do. */
export function notAdmin(model: Model, person: ModelAccount | undefined): string | undefined {
  if (!person) return 'session/required';
  return isUsableAdmin(model, person) ? undefined : 'admin/only';
}

/** Which of the known tokens a person uses: one of the right kind, the n-th of any kind, or none. */
export type TokenChoice = 'newest' | 'earlier' | 'invented' | number;

/**
 * The token that a choice means; `undefined`: one that nobody ever gave out.
 *
 * @param mine tells the tokens that the person would come with by themselves
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

/** The job writes the letters that were asked for, and the model what they hold. */
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

/** A new token; the earlier ones of its purpose and account end. */
export function addToken(model: Model, token: Pick<ModelToken, 'purpose' | 'text' | 'account'>, lifeMs: number): void {
  endTokensOf(model, token.account, token.purpose);
  model.tokens.push({ ...token, endsAt: model.now + lifeMs, good: true });
}

/** A token that is good for one session; of a step-up handle the session's earlier one ends. */
export function addSessionToken(model: Model, browser: Browser, token: Pick<ModelToken, 'purpose' | 'text'>): void {
  const session = browser.session!;
  const isHandle = token.purpose === 'step-up';
  if (isHandle) {
    for (const other of model.tokens) if (other.session === session && other.purpose === 'step-up') other.good = false;
  }
  const life = isHandle ? limits.stepUpMs : limits.idTokenMs;
  model.tokens.push({ ...token, account: session.account, session, endsAt: model.now + life, good: true });
}
