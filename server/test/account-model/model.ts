import type { Role, Status } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';

/** An account in the model, which implements the account rules a second time, as simply as possible. */
export type ModelAccount = {
  readonly id: string;
  email: string;
  role: Role;
  status: Status;
  proven: boolean;
  /** The password that signs in. `undefined` means that none does. */
  password: string | undefined;
  /** Whether an admin created it, and so vouched for its email. */
  readonly vouched: boolean;
  /** Which admin created it, and when. Repeating the same call shortly afterwards returns the same account. */
  readonly madeBy?: { readonly id: string; readonly at: number } | undefined;
};

/** A self-registered account, unless `account` says otherwise. */
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
  /** Neither used nor replaced by a newer one. */
  good: boolean;
};

export type ModelSettings = { version: number; open: boolean; auto: boolean; enforced: boolean };

/** All state that determines the server's responses. Times are in milliseconds. */
export type Model = {
  now: number;
  /** The emails in `ADMIN_EMAILS`. */
  listed: ReadonlySet<string>;
  accounts: ModelAccount[];
  sessions: ModelSession[];
  tokens: ModelToken[];
  /** The account that each subject of the identity provider signs in to. */
  identities: Map<string, ModelAccount>;
  settings: ModelSettings;
  /** IDs of deleted accounts. */
  deleted: string[];
  /** When the account with an email was last deleted. */
  deletedAt: Map<string, number>;
  /** IDs of deleted accounts that left a locked credential behind. */
  leftovers: Set<string>;
  /** Requested mails by kind and email: the start of the current hour and the count. */
  letters: Map<string, { since: number; count: number }>;
  /** Mails that the job has to process before the next step. */
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

/** Whether a session is valid now. A remembered session also ends after a period of inactivity. */
export function lives(model: Model, session: ModelSession): boolean {
  if (!session.alive || model.now >= session.endsAt) return false;
  return !session.remembered || model.now - session.seenAt <= limits.rememberedIdleMs;
}

/** Whether a token is valid now for this purpose. */
export const isGood = (model: Model, token: ModelToken | undefined, purpose: Purpose): token is ModelToken =>
  token !== undefined && token.purpose === purpose && token.good && model.now < token.endsAt;

export function beginSession(model: Model, account: ModelAccount, remembered: boolean): ModelSession {
  const life = remembered ? limits.rememberedSessionMs : limits.sessionMs;
  const session = { account, remembered, endsAt: model.now + life, seenAt: model.now, alive: true };
  model.sessions.push(session);
  return session;
}

/** Ends a session and invalidates the tokens that belong to it. */
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
 * A reset or a claim proves the user's email. Identities that were linked before the proof may belong to another
 * person, so they are dropped.
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

/**
 * Replaces an unproven account when the owner of its email signs in. The new account keeps the role and status that an
 * admin granted, or a denial. Nobody can sign in to the old one.
 */
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

/**
 * Whether a mail is sent to this address: a proven email is not verified again, and no mail makes an admin. See
 * decision 006.
 */
export function mayReceive(model: Model, kind: 'reset' | 'verify', email: string): boolean {
  const account = byEmail(model, email);
  if (!account) return false;
  return account.proven ? kind === 'reset' : !isListed(model, account);
}

/** Counts a requested mail. Returns `false` once the limit of three per hour is exceeded. */
export function countLetter(model: Model, kind: 'reset' | 'verify', email: string): boolean {
  const hour = 3_600_000;
  const key = `${kind} ${email}`;
  const before = model.letters.get(key);
  const counted = before && model.now - before.since < hour ? before : { since: model.now, count: 0 };
  counted.count++;
  model.letters.set(key, counted);
  return counted.count <= 3;
}
