import type { Role, Status } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';

/** An account as the model knows it: what the product says of people, written a second time and as simply as can be. */
export type ModelAccount = {
  readonly id: string;
  email: string;
  role: Role;
  status: Status;
  proven: boolean;
  /** The password that signs in; `undefined`: none does. */
  password: string | undefined;
  /** Whether an admin made it, and so vouched for its email. */
  readonly vouched: boolean;
  /** Which admin made it, and when: the same call again a moment later is the same account. */
  readonly madeBy?: { readonly id: string; readonly at: number } | undefined;
};

/** An account that a person created without an administrator. */
export const newAccount = (account: Pick<ModelAccount, 'id' | 'email'> & Partial<ModelAccount>): ModelAccount => ({
  role: 'user',
  status: 'pending',
  proven: false,
  password: undefined,
  vouched: false,
  ...account,
});

export type ModelSession = {
  readonly account: ModelAccount;
  readonly remembered: boolean;
  readonly endsAt: number;
  seenAt: number;
  alive: boolean;
};

export type Purpose = 'claim' | 'reset' | 'verify' | 'step-up' | 'forceDelete';

export type ModelToken = {
  readonly purpose: Purpose;
  readonly text: string;
  readonly account: ModelAccount;
  readonly session?: ModelSession;
  readonly endsAt: number;
  /** Not used and not followed by a newer one. */
  good: boolean;
};

export type ModelSettings = { version: number; open: boolean; auto: boolean; enforced: boolean };

/** Everything that decides what the product answers. Times in milliseconds. */
export type Model = {
  now: number;
  /** Emails that `ADMIN_EMAILS` names. */
  listed: ReadonlySet<string>;
  accounts: ModelAccount[];
  sessions: ModelSession[];
  tokens: ModelToken[];
  /** Whose account each subject of the identity provider comes to. */
  identities: Map<string, ModelAccount>;
  settings: ModelSettings;
  /** Ids of accounts that were deleted. */
  deleted: string[];
  /** When an email's account was deleted last. */
  deletedAt: Map<string, number>;
  /** Ids of deleted accounts whose locked credential is left. */
  leftovers: Set<string>;
  /** Letters asked for, by kind and email: since when, how many. */
  letters: Map<string, { since: number; count: number }>;
  /** Letters that the job has to look at before the next step. */
  queued: { kind: 'reset' | 'verify'; email: string }[];
};

export const isListed = (model: Model, account: { readonly email: string }): boolean => model.listed.has(account.email);

const crowned = (model: Model, account: ModelAccount): boolean => account.proven && isListed(model, account);

export const roleOf = (model: Model, account: ModelAccount): Role => (crowned(model, account) ? 'admin' : account.role);
export const statusOf = (model: Model, account: ModelAccount): Status =>
  crowned(model, account) ? 'approved' : account.status;
export const isUsableAdmin = (model: Model, account: ModelAccount): boolean =>
  roleOf(model, account) === 'admin' && statusOf(model, account) === 'approved';

export const byEmail = (model: Model, email: string): ModelAccount | undefined =>
  model.accounts.find((account) => account.email === email);
export const byId = (model: Model, id: string): ModelAccount | undefined =>
  model.accounts.find((account) => account.id === id);

/** Whether a session opens anything now. Source: decisions §2.4. */
export function lives(model: Model, session: ModelSession): boolean {
  if (!session.alive || model.now >= session.endsAt) return false;
  return !session.remembered || model.now - session.seenAt <= limits.rememberedIdleMs;
}

/** Whether a token does what it is for now. */
export const isGood = (model: Model, token: ModelToken | undefined, purpose: Purpose): token is ModelToken =>
  token !== undefined && token.purpose === purpose && token.good && model.now < token.endsAt;

export function beginSession(model: Model, account: ModelAccount, remembered: boolean): ModelSession {
  const life = remembered ? limits.rememberedSessionMs : limits.sessionMs;
  const session = { account, remembered, endsAt: model.now + life, seenAt: model.now, alive: true };
  model.sessions.push(session);
  return session;
}

/** A session ends, and with it what it was given. */
export function endSession(model: Model, session: ModelSession | undefined): void {
  if (!session) return;
  session.alive = false;
  for (const token of model.tokens) if (token.session === session) token.good = false;
}

export function endSessionsOf(model: Model, account: ModelAccount): void {
  for (const session of model.sessions) if (session.account === account) endSession(model, session);
}

export function endTokensOf(model: Model, account: ModelAccount, purpose?: Purpose): void {
  for (const token of model.tokens) {
    if (token.account === account && (!purpose || token.purpose === purpose)) token.good = false;
  }
}

function dropIdentities(model: Model, account: ModelAccount): void {
  for (const [sub, owner] of model.identities) if (owner === account) model.identities.delete(sub);
}

/**
 * A reset or a claim proves the email of the person who uses it. Earlier users without a proof are not known to be the
 * same person.
 */
export function prove(model: Model, account: ModelAccount): void {
  if (!account.proven) dropIdentities(model, account);
  account.proven = true;
}

export function closeWaysIn(model: Model, account: ModelAccount): void {
  account.password = undefined;
  dropIdentities(model, account);
  endTokensOf(model, account);
  endSessionsOf(model, account);
}

/** The owner of an unproven account's email comes: a new account has what it gave, and nobody gets in to the old one. */
export function moveTo(model: Model, account: ModelAccount, id: string): void {
  closeWaysIn(model, account);
  const { email, role, status, vouched, madeBy } = account;
  const given = vouched ? { role, status } : status === 'denied' ? ({ status } as const) : {};
  model.accounts = model.accounts.filter((other) => other !== account);
  model.accounts.push(newAccount({ id, email, proven: true, vouched, madeBy, ...given }));
}

export function remove(model: Model, account: ModelAccount): void {
  endSessionsOf(model, account);
  endTokensOf(model, account);
  dropIdentities(model, account);
  model.accounts = model.accounts.filter((other) => other !== account);
  model.deleted.push(account.id);
  model.deletedAt.set(account.email, model.now);
}

/** Whether a letter to this person is written: nobody is proven twice, and none makes an admin. Source: decision 006. */
export function mayReceive(model: Model, kind: 'reset' | 'verify', email: string): boolean {
  const account = byEmail(model, email);
  if (!account) return false;
  return account.proven ? kind === 'reset' : !isListed(model, account);
}

/** Counts a letter that is asked for; `false`: one more than three within the hour. */
export function countLetter(model: Model, kind: 'reset' | 'verify', email: string): boolean {
  const hour = 3_600_000;
  const key = `${kind} ${email}`;
  const before = model.letters.get(key);
  const counted = before && model.now - before.since < hour ? before : { since: model.now, count: 0 };
  counted.count++;
  model.letters.set(key, counted);
  return counted.count <= 3;
}
