import { randomUUID } from 'node:crypto';
import type { Account } from '@kc/rules/account';
import { hashToken } from '../../src/accounts/tokens.ts';
import type { TestServer } from './server.ts';

/** Every kind of client that can send a request. The list begins with one actor of each {@link ActorKind}. */
export const actors = [
  'user A',
  'pending',
  'anonymous',
  'admin',
  'denied',
  'user B',
  'demoted admin',
  'denied admin',
  'expired session',
  'signed-out cookie',
  'deleted user’s cookie',
  'forged cookie',
  'built-in admin',
  'unproven built-in email',
] as const;
export type Actor = (typeof actors)[number];

/** How the server must treat an actor, regardless of what the cookie once allowed. */
export type ActorKind = 'nobody' | 'unapproved' | 'approved' | 'admin';

export const standingOf: Readonly<Record<Actor, ActorKind>> = {
  anonymous: 'nobody',
  'forged cookie': 'nobody',
  'expired session': 'nobody',
  'signed-out cookie': 'nobody',
  'deleted user’s cookie': 'nobody',
  pending: 'unapproved',
  denied: 'unapproved',
  'denied admin': 'unapproved',
  'user A': 'approved',
  'user B': 'approved',
  'demoted admin': 'approved',
  admin: 'admin',
  'built-in admin': 'admin',
  'unproven built-in email': 'unapproved',
};

/** The emails of {@link Actor}s on the built-in list. Each account is created again for every call. */
export const builtInEmails = { proven: 'proven@example.com', unproven: 'unproven@example.com' } as const;

/** The client of a request. `cookie` is what the browser sends; `sessionId` is the valid session, if there is one. */
export type Asker = {
  readonly actor: Actor;
  readonly account: Account;
  readonly cookie: string | undefined;
  readonly sessionId: string | undefined;
};

type Row = { role?: 'admin' | 'user'; status?: Account['status'] };

const rows: Readonly<Record<Actor, Row>> = {
  anonymous: {},
  'forged cookie': {},
  // These three used to be admins: what the cookie once allowed must not matter.
  'expired session': { role: 'admin' },
  'signed-out cookie': { role: 'admin' },
  'deleted user’s cookie': { role: 'admin' },
  pending: { status: 'pending' },
  denied: { status: 'denied' },
  'denied admin': { role: 'admin', status: 'denied' },
  'user A': {},
  'user B': {},
  'demoted admin': { role: 'admin' },
  admin: { role: 'admin' },
  'built-in admin': { status: 'denied' },
  'unproven built-in email': { status: 'pending' },
};

/** One actor of each kind; the others differ only in how they came to be of their kind. */
export const oneOfEachKind: readonly Actor[] = actors.slice(0, 4);

/** Creates an actor with a new account and session. @param colleague an admin, who demotes the demoted admin */
export async function enter(server: TestServer, actor: Actor, colleague: { cookie: string }): Promise<Asker> {
  const { db } = server.database;
  const made = await server.person(rows[actor]);
  const { id } = made;
  const session = await sessionOf(server, made.cookie);
  if (actor === 'built-in admin') await rename(server, id, builtInEmails.proven, new Date(server.clock));
  if (actor === 'unproven built-in email') await rename(server, id, builtInEmails.unproven, null);
  if (actor === 'expired session') {
    await db
      .updateTable('sessions')
      .set({ expires_at: new Date(server.clock) })
      .where('account_id', '=', id)
      .execute();
  }
  if (actor === 'signed-out cookie') await server.call('DELETE', '/api/session', { cookie: made.cookie });
  if (actor === 'deleted user’s cookie') await db.deleteFrom('accounts').where('id', '=', id).execute();
  if (actor === 'demoted admin') {
    await server.call('PUT', `/api/users/${id}/role`, { body: { role: 'user' }, cookie: colleague.cookie });
    // The next request rotates the token. The actor keeps using the old one, which stays valid for 30 seconds.
    await server.call('GET', '/api/session', { cookie: made.cookie });
  }
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return {
    actor,
    account: {
      id,
      email: row?.email ?? made.email,
      displayName: '',
      role: row?.role ?? 'user',
      status: row?.status ?? 'pending',
      emailProven: row?.email_proven_at != null,
      createdAt: server.clock,
    },
    cookie: cookieOfActor(actor, made.cookie),
    sessionId: standingOf[actor] === 'nobody' ? undefined : session,
  };
}

function cookieOfActor(actor: Actor, cookie: string): string | undefined {
  if (actor === 'anonymous') return undefined;
  return actor === 'forged cookie' ? `kc_session=${randomUUID().replaceAll('-', '')}forgedforge` : cookie;
}

async function sessionOf(server: TestServer, cookie: string): Promise<string> {
  const token = cookie.slice(cookie.indexOf('=') + 1);
  const row = await server.database.db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Gives an account an email from the built-in list, and deletes the account that had it before. */
async function rename(server: TestServer, id: string, email: string, provenAt: Date | null): Promise<void> {
  const { db } = server.database;
  await db.deleteFrom('accounts').where('email', '=', email).execute();
  await db.updateTable('accounts').set({ email, email_proven_at: provenAt }).where('id', '=', id).execute();
}
