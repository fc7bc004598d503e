import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import pg from 'pg';
import { hashToken, newToken } from '../../src/accounts/tokens.ts';
import { cheapHash } from '../support/passwords.ts';
import { beginSession, type Model, type ModelAccount, newAccount } from './model.ts';

export const names = ['root', 'heir', 'ada', 'alan', 'ann', 'ben', 'eve'] as const;
export type Name = (typeof names)[number];
export const emailOf = (name: Name): string => `${name}@example.com`;

/** Both are long enough for a built-in admin, and neither is on a blocklist. */
export const passwords = ['violet-Quarry-77-lamp', 'amber-Ladder-31-fog'] as const;
export const wrongPassword = 'a-Wrong-one-5';

/** The accounts that exist when a history begins. Built-in admin `root` is always reserved; `eve` has no account. */
export type Start = {
  /** Whether `root` has claimed the server. */
  readonly claimed: boolean;
  /** Whether two more admins exist, `ada` and `alan`. */
  readonly crew: boolean;
  readonly ann: ModelAccount['status'] | 'absent';
  readonly ben: ModelAccount['status'] | 'absent';
  /** A restart may add this user's email to the list of built-in admins. */
  readonly heir: ModelAccount['status'] | 'absent';
};

/** The model of a start, with a session cookie for every user who has a password. */
export function modelOf(start: Start, now: number): { model: Model; cookies: Map<Name, string> } {
  const model: Model = {
    now,
    listed: new Set([emailOf('root')]),
    accounts: [],
    sessions: [],
    tokens: [],
    identities: new Map(),
    settings: { version: 1, open: false, auto: false, enforced: false },
    deleted: [],
    deletedAt: new Map(),
    leftovers: new Set(),
    letters: new Map(),
    queued: [],
  };
  const cookies = new Map<Name, string>();
  const add = (name: Name, account: Partial<ModelAccount>): void => {
    const added = newAccount({ id: randomUUID(), email: emailOf(name), password: passwords[0], ...account });
    model.accounts.push(added);
    if (!added.password) return;
    beginSession(model, added, false);
    cookies.set(name, newToken());
  };
  if (start.claimed) add('root', { role: 'admin', status: 'approved', proven: true });
  else add('root', { password: undefined });
  for (const name of ['ada', 'alan'] as const) {
    if (start.crew) add(name, { role: 'admin', status: 'approved', vouched: true });
  }
  if (start.ann !== 'absent') add('ann', { status: start.ann });
  if (start.ben !== 'absent') add('ben', { status: start.ben, proven: true });
  if (start.heir !== 'absent') add('heir', { status: start.heir });
  return { model, cookies };
}

/** Replaces the database contents with a start, in one query. The audit log stays, because it is append-only. */
export async function fill(client: pg.Client, { model, cookies }: ReturnType<typeof modelOf>): Promise<void> {
  const at = `timestamptz 'epoch' + interval '${model.now} milliseconds'`;
  const text = (value: string): string => pg.escapeLiteral(value);
  const people = model.accounts.map(({ id, email, role, status, proven, vouched }) => {
    const values = [id, email, role, status, vouched ? 'an admin' : 'system'].map(text).join(', ');
    return `(${values}, ${proven ? at : 'null'}, ${model.listed.has(email)}, ${at}, ${at})`;
  });
  const credentials = model.accounts.flatMap(({ id, password }) =>
    password ? [`(${text(id)}, ${text(cheapHash(password))}, ${at}, ${at})`] : [],
  );
  const sessions = [...cookies].map(([name, token]) => {
    const account = model.accounts.find(({ email }) => email === emailOf(name))!;
    const ends = `${at} + interval '${limits.sessionMs} milliseconds'`;
    const hash = `'\\x${hashToken(token).toString('hex')}'`;
    return `(${text(randomUUID())}, ${hash}, ${text(account.id)}, false, ${at}, ${at}, ${ends})`;
  });
  await client.query(`
    delete from accounts; delete from credentials; delete from rate_limits;
    update settings set version = 1, open_registration = false, auto_approve = false, policy_enforced = false;
    insert into accounts (id, email, role, status, created_by, email_proven_at, built_in, created_at, updated_at)
      values ${people.join(', ')};
    ${credentials.length ? `insert into credentials (account_id, password_hash, created_at, updated_at) values ${credentials.join(', ')};` : ''}
    ${sessions.length ? `insert into sessions values ${sessions.join(', ')};` : ''}`);
}
