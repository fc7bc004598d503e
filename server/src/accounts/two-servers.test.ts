import { limits } from '@kc/rules/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HeardStream, openEvents } from '../../test/support/events.ts';
import { cheapHash } from '../../test/support/passwords.ts';
import { isLong, proof, report } from '../../test/support/proof.ts';
import { cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { tusClient } from '../../test/support/tus.ts';
import { allowTwins } from '../../test/support/twins.ts';
import { notify } from '../database/notifications.ts';
import { savePassword } from './queries.ts';
import { issueToken } from './tokens.ts';

/** Two servers on one database: users are connected to one, and changes to their accounts are made at the other. */
let here: TestServer;
let there: TestServer;
let address = '';
beforeAll(async () => {
  here = await testServer();
  there = await testServer({}, {}, undefined, here);
  address = await here.app.listen({ host: '127.0.0.1', port: 0 });
  await allowTwins(here);
});
afterAll(async () => {
  // Closing waits for connections that a client opened in advance and never used: they count as busy.
  here.app.server.closeAllConnections();
  await there.close();
  await here.close();
});

type Someone = Awaited<ReturnType<TestServer['person']>>;
const password = 'violet-Quarry-77-lamp';

const put = (admin: Someone, id: string, what: 'status' | 'role', value: string) =>
  there.call('PUT', `/api/users/${id}/${what}`, { body: { [what]: value }, cookie: admin.cookie });
const statusAt = async (path: string, cookie: string) => (await here.call('GET', path, { cookie })).statusCode;

async function forceDelete(admin: Someone, userId: string): Promise<void> {
  const { db } = there.database;
  await savePassword(db, admin.id, cheapHash(password), there.clock);
  const stepped = await there.call('POST', '/api/session/step-up', { body: { password }, cookie: admin.cookie });
  const cookie = cookieOf(stepped);
  const minted = await there.call('POST', '/api/session/id-token', { body: { stepUp: stepped.json().stepUp }, cookie });
  const body = { userId, idToken: minted.json().idToken };
  expect((await there.call('POST', '/api/forceDeleteUser', { body, cookie })).json()).toEqual({ ok: true });
}

async function resetPassword(id: string): Promise<void> {
  const token = await issueToken(there.database.db, 'reset', id, limits.resetLinkMs, there.clock);
  const body = { token, password };
  expect((await there.call('POST', '/api/reset-password', { body })).statusCode).toBe(200);
}

/** Marks the account as migrated into another, proven account of the same email. */
async function migrate(admin: Someone, person: Someone): Promise<void> {
  const at = new Date(there.clock);
  const twin = { id: `twin-of-${person.id}`, email: person.email, email_proven_at: at, created_at: at, updated_at: at };
  await there.database.db.insertInto('accounts').values(twin).execute();
  await there.call('POST', '/api/users/clean-duplicates', { cookie: admin.cookie });
}

/** Actions at the other server that end every session of a user. */
const endings: Readonly<Record<string, (admin: Someone, person: Someone) => Promise<unknown>>> = {
  'signs out': (_admin, { cookie }) => there.call('DELETE', '/api/session', { cookie }),
  'signs out everywhere': (_admin, { cookie }) => there.call('DELETE', '/api/session/all', { cookie }),
  'sets a new password': (_admin, { id }) => resetPassword(id),
  'is deleted': (admin, { id }) => forceDelete(admin, id),
  'is marked as a duplicate': migrate,
};
/** Actions at the other server that revoke rights of a user but keep the session. */
const losses: Readonly<Record<string, (admin: Someone, person: Someone) => Promise<unknown>>> = {
  'is denied': (admin, { id }) => put(admin, id, 'status', 'denied'),
  'waits for approval again': (admin, { id }) => put(admin, id, 'status', 'pending'),
  'is no admin any more': (admin, { id }) => put(admin, id, 'role', 'user'),
};

const rounds = proof(2).runs;
const allWays = Object.keys(endings).length + Object.keys(losses).length;
/** The rounds per action. Those of a long run are divided equally among all actions. */
const each = isLong ? Math.ceil(rounds / allWays) : rounds;
/** The specified bound. A normal run only waits for the event; a long run also measures the time. */
const boundMs = 1_000;

async function within(what: string, event: Promise<void>): Promise<void> {
  const since = performance.now();
  await event;
  const took = performance.now() - since;
  if (isLong && took > boundMs) throw new Error(`${what}: ${took} ms`);
  report(`${what}: ${took.toFixed(0)} ms`);
}

describe.each(Object.keys(endings))('SEC-04 T11 a user who %s at one server', (way) => {
  // Shows P18.8.
  test(
    'loses their stream at the other, and the next request is refused',
    async () => {
      for (let n = 0; n < each; n++) {
        const [admin, person] = [await here.person({ role: 'admin' }), await here.person({ role: 'admin' })];
        const stream = await openEvents(address, person.cookie);
        expect(await statusAt('/api/users', person.cookie)).toBe(200);
        await endings[way]!(admin, person);
        expect(await statusAt('/api/users', person.cookie)).toBe(401);
        await within(`who ${way}`, stream.ended);
      }
    },
    2 ** 31 - 1,
  );
});

describe.each(Object.keys(losses))('SEC-04 an admin who %s at one server', (way) => {
  test(
    'is notified at the other, but of nothing that they may not know',
    async () => {
      for (let n = 0; n < each; n++) {
        const [admin, person] = [await here.person({ role: 'admin' }), await here.person({ role: 'admin' })];
        const stream = await openEvents(address, person.cookie);
        const told = stream.next('session');
        await losses[way]!(admin, person);
        expect(await statusAt('/api/users', person.cookie)).toBe(403);
        await within(`who ${way}`, told);
        const before = stream.heard.length;
        await put(admin, (await here.person({ status: 'pending' })).id, 'status', 'approved');
        // Notifications arrive in order, so an event for the change of the list would already be here.
        const again = stream.next('session');
        await notify(there.database.db, { about: 'session', accountId: person.id });
        await again;
        expect(stream.heard.slice(before)).toEqual(['session']);
        stream.close();
      }
    },
    2 ** 31 - 1,
  );
});

test('SEC-04 T24 a denied user keeps a session that reads its own status, and gets no data', async () => {
  const [admin, person] = [await here.person({ role: 'admin' }), await here.person({})];
  expect(await statusAt('/api/visualizations', person.cookie)).toBe(200);
  await put(admin, person.id, 'status', 'denied');
  for (const path of ['/api/visualizations', '/api/visualizations/x/slice?rows=1', '/api/visualizations/x/original']) {
    expect(await statusAt(path, person.cookie), path).toBe(403);
  }
  const renamed = await here.call('PUT', '/api/session/name', { body: { displayName: 'Jo' }, cookie: person.cookie });
  expect([renamed.statusCode, renamed.json().data.code]).toEqual([403, 'session/not-approved']);
  const session = await here.call('GET', '/api/session', { cookie: person.cookie });
  expect(session.json()).toMatchObject({ isAuthenticated: true, status: 'denied' });
});

test('T39 an admin who is denied at one server sends no further byte to the other', async () => {
  const [admin, sender] = [await here.person({ role: 'admin' }), await here.person({ role: 'admin' })];
  const tus = tusClient(address, sender.cookie);
  const metadata = { filename: 'a.json', filetype: 'application/json', userId: sender.id };
  const location = (await tus.create(4, metadata)).headers.get('location')!;
  expect((await tus.patch(location, 0, new TextEncoder().encode('{}'))).status).toBe(204);
  await put(admin, sender.id, 'status', 'denied');
  const refused = await tus.patch(location, 2, new TextEncoder().encode('  '));
  expect([refused.status, await refused.json()]).toMatchObject([403, { data: { code: 'session/not-approved' } }]);
  const row = await here.database.db
    .selectFrom('uploads')
    .select('received')
    .where('uploader_id', '=', sender.id)
    .executeTakeFirst();
  expect(row?.received).toBe(2);
});

test(
  'SEC-04 an admin demoted while their stream opens gets no events of the list',
  async () => {
    for (let n = 0; n < each; n++) {
      const [admin, person] = [await here.person({ role: 'admin' }), await here.person({ role: 'admin' })];
      const [stream] = await Promise.all([openEvents(address, person.cookie), put(admin, person.id, 'role', 'user')]);
      const first = stream.next('session');
      await there.call('PUT', '/api/session/name', { body: { displayName: 'Jo' }, cookie: person.cookie });
      await first;
      const before = stream.heard.length;
      const second = stream.next('session');
      await there.call('PUT', '/api/session/name', { body: { displayName: 'Joan' }, cookie: person.cookie });
      await second;
      expect(stream.heard.slice(before)).not.toContain('accounts');
      stream.close();
    }
  },
  2 ** 31 - 1,
);

test('signing in as another user closes the open stream of the browser', async () => {
  const person = await here.person({});
  const other = await here.person({});
  await savePassword(there.database.db, other.id, cheapHash(password), there.clock);
  const stream = await openEvents(address, person.cookie);
  const body = { email: other.email, password, remember: false };
  expect((await there.call('POST', '/api/session', { body, cookie: person.cookie })).statusCode).toBe(200);
  await stream.ended;
});

// Shows P7.8.
test('presence is the same at both servers: online with an open stream, busy while sending, offline after', async () => {
  const [admin, person] = [await here.person({ role: 'admin' }), await here.person({ role: 'admin' })];
  const presence = async (): Promise<string> => {
    const list = (await there.call('GET', '/api/users', { cookie: admin.cookie })).json();
    return list.find((account: Someone) => account.id === person.id).presence;
  };
  expect(await presence()).toBe('offline');
  const stream: HeardStream = await openEvents(address, person.cookie);
  expect(await presence()).toBe('online');
  const tus = tusClient(address, person.cookie);
  const metadata = { filename: 'a.json', filetype: 'application/json', userId: person.id };
  const created = await tus.create(4, metadata);
  expect([created.status, await created.text()]).toEqual([201, '']);
  expect(await presence()).toBe('busy');
  // No byte for a minute: the upload waits to be resumed.
  there.clock += 60_001;
  expect(await presence()).toBe('online');
  stream.close();
  await expect.poll(presence).toBe('offline');
});
