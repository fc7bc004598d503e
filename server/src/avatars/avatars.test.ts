import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { createLog } from '../log.ts';
import { type AvatarSource, gravatarSource } from './gravatar.ts';
import { lookUpPictures, startAvatars } from './start.ts';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('the rest of a small picture')]);

/** The avatar service and a foreign host, both on loopback: the requests they receive, and their responses. */
type Fake = { readonly server: Server; readonly origin: string; readonly asked: string[]; answer: RequestListener };

async function startFake(): Promise<Fake> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    fake.answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: Fake = { server, origin, asked, answer: (_request, response) => void response.writeHead(404).end() };
  return fake;
}

const serve =
  (status: number, body: Buffer | string = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

let server: TestServer;
let gravatar: Fake;
let elsewhere: Fake;
const day = 24 * 3_600_000;
const logged: string[] = [];
const log = createLog('INFO', { write: (line) => logged.push(line) });
const never = new AbortController().signal;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('accounts').execute();
  gravatar = await startFake();
  elsewhere = await startFake();
});
afterEach(() => {
  for (const fake of [gravatar, elsewhere]) {
    fake.server.close();
    fake.server.closeAllConnections();
  }
});

const outside = (changes: Partial<AvatarSource> = {}): AvatarSource => ({
  gravatar: gravatar.origin,
  photoOrigins: new Set(),
  fetch,
  deadline: () => never,
  ...changes,
});
const lookUp = (changes: Partial<AvatarSource> = {}) => {
  const { db } = server.database;
  return lookUpPictures({ db, log, outside: outside(changes), now: () => server.clock }, never);
};
const pathOf = (email: string) => `/avatar/${createHash('sha256').update(email).digest('hex')}?d=404&s=128`;
const get = (id: string, cookie?: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/avatars/${id}`, headers: { ...headers, ...(cookie ? { cookie } : {}) } });
const rowOf = (id: string) =>
  server.database.db.selectFrom('avatars').selectAll().where('account_id', '=', id).executeTakeFirst();
const setPhotoUrl = (id: string, photoUrl: string) =>
  server.database.db.updateTable('accounts').set({ photo_url: photoUrl }).where('id', '=', id).execute();

test('S15 a picture is found by the hash of the email, and this server sends it only to the user and to admins', async () => {
  const [ann, ben] = [await server.person({}), await server.person({})];
  const admin = await server.person({ role: 'admin' });
  gravatar.answer = (request, response) => serve(request.url === pathOf(ann.email) ? 200 : 404, png)(request, response);
  await lookUp();
  expect(gravatar.asked.toSorted()).toEqual(
    [`GET ${pathOf(ann.email)}`, ...[ann, ben, admin].map(({ email }) => `HEAD ${pathOf(email)}`)].toSorted(),
  );

  const own = await get(ann.id, ann.cookie);
  expect([own.statusCode, own.headers['content-type'], own.rawPayload.equals(png)]).toEqual([200, 'image/png', true]);
  expect(own.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    vary: 'Cookie',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/; sandbox$/),
  });
  const etag = String(own.headers.etag);
  expect((await get(ann.id, ann.cookie, { 'if-none-match': etag })).statusCode).toBe(304);
  expect((await get(ann.id, admin.cookie)).statusCode).toBe(200);
  expect((await get(ann.id, ben.cookie, { 'if-none-match': etag })).statusCode).toBe(404);
  expect((await get(ben.id, ben.cookie)).statusCode).toBe(404);
  expect((await get(ann.id)).statusCode).toBe(401);
  expect((await get(`${ann.id}%00`, admin.cookie)).statusCode).toBe(404);

  const session = await server.call('GET', '/api/session', { cookie: ann.cookie });
  expect(session.json().account.photoUrl).toBe(`/api/avatars/${ann.id}`);
  const list: { id: string; photoUrl?: string }[] = (
    await server.call('GET', '/api/users', { cookie: admin.cookie })
  ).json();
  expect(list.filter(({ photoUrl }) => photoUrl).map(({ id }) => id)).toEqual([ann.id]);
  const body = { status: 'denied' };
  const changed = await server.call('PUT', `/api/users/${ann.id}/status`, { body, cookie: admin.cookie });
  expect(changed.json().photoUrl).toBe(`/api/avatars/${ann.id}`);
  expect((await get(ann.id, ann.cookie)).statusCode).toBe(200);
});

test('a picture is deleted with its account', async () => {
  const [admin, ann] = [await server.person({ role: 'admin' }), await server.person({})];
  gravatar.answer = serve(200, png);
  await lookUp();
  await server.database.db.deleteFrom('accounts').where('id', '=', ann.id).execute();
  expect(await rowOf(ann.id)).toBeUndefined();
  expect((await get(ann.id, admin.cookie)).statusCode).toBe(404);
});

test('no email leaves the server before it is proven or its account is approved', async () => {
  const [stranger, denied] = [await server.person({ status: 'pending' }), await server.person({ status: 'denied' })];
  await setPhotoUrl(stranger.id, `${gravatar.origin}/face`);
  await lookUp({ photoOrigins: new Set([gravatar.origin]) });
  expect(gravatar.asked).toEqual([]);
  const proven = { email_proven_at: new Date(server.clock) };
  await server.database.db.updateTable('accounts').set(proven).where('id', '=', denied.id).execute();
  await lookUp();
  expect(gravatar.asked).toEqual([`HEAD ${pathOf(denied.email)}`]);
});

test('a user without a picture is looked up again after a month and not before', async () => {
  const ann = await server.person({});
  await lookUp();
  server.clock += 29 * day;
  await lookUp();
  expect(gravatar.asked).toHaveLength(1);
  server.clock += day;
  gravatar.answer = serve(200, png);
  await lookUp();
  expect(gravatar.asked).toHaveLength(3);
  expect((await rowOf(ann.id))?.picture?.equals(png)).toBe(true);
  // A picture that its owner removed from the service is removed here at the next look-up.
  server.clock += 30 * day;
  gravatar.answer = serve(404);
  await lookUp();
  expect((await rowOf(ann.id))?.picture).toBeNull();
});

test('five users are looked up at a time', async () => {
  for (let n = 0; n < 12; n++) await server.person({});
  const waiting: (() => void)[] = [];
  const most: number[] = [];
  gravatar.answer = (_request, response) => {
    waiting.push(() => response.writeHead(404).end());
    most.push(waiting.length);
    // Responds only after all requests of a batch have arrived.
    const left = 12 - gravatar.asked.length;
    if (waiting.length === 5 || left === 0) for (const answer of waiting.splice(0)) answer();
  };
  await lookUp();
  expect([gravatar.asked.length, Math.max(...most)]).toEqual([12, 5]);
});

test('REL-34 an unavailable service is not called for a day, and stored pictures stay', async () => {
  const ann = await server.person({});
  gravatar.answer = serve(200, png);
  await lookUp();
  server.clock += 30 * day;
  for (let n = 0; n < 6; n++) await server.person({});
  gravatar.asked.length = 0;
  gravatar.answer = serve(503);
  await lookUp();
  expect(gravatar.asked).toHaveLength(5);
  gravatar.answer = (request) => request.socket.destroy();
  await lookUp();
  await lookUp();
  expect((await rowOf(ann.id))?.picture?.equals(png)).toBe(true);
  const soFar = gravatar.asked.length;
  await lookUp();
  expect(gravatar.asked).toHaveLength(soFar);
  server.clock += day;
  await lookUp();
  expect(gravatar.asked.length).toBeGreaterThan(soFar);
});

test('SEC-23 a redirect is not followed', async () => {
  const [ann, ben] = [await server.person({}), await server.person({})];
  gravatar.answer = (request, response) =>
    serve(request.method === 'GET' || request.url === pathOf(ben.email) ? 302 : 200, '', {
      location: `${elsewhere.origin}/secret`,
    })(request, response);
  elsewhere.answer = serve(200, png);
  await lookUp();
  expect(elsewhere.asked).toEqual([]);
  expect([(await rowOf(ann.id))?.picture, (await rowOf(ben.id))?.picture]).toEqual([null, null]);
});

test('SEC-23 a picture URL is fetched only from the listed hosts', async () => {
  const [ann, ben] = [await server.person({}), await server.person({})];
  const named = `${gravatar.origin}/google/ann`;
  await setPhotoUrl(ann.id, named);
  await setPhotoUrl(ben.id, `${elsewhere.origin}/ben`);
  gravatar.answer = (request, response) => serve(request.url === '/google/ann' ? 200 : 404, png)(request, response);
  elsewhere.answer = serve(200, png);
  const changes = { photoOrigins: new Set([gravatar.origin]) };
  await lookUp(changes);
  expect(elsewhere.asked).toEqual([]);
  expect(gravatar.asked.toSorted()).toEqual(['GET /google/ann', `HEAD ${pathOf(ben.email)}`]);
  expect((await rowOf(ann.id))?.picture?.equals(png)).toBe(true);
  // The account has another picture URL now. It is fetched without waiting for the end of the month.
  await setPhotoUrl(ann.id, `${named}-2`);
  await lookUp(changes);
  expect(gravatar.asked.slice(2)).toEqual(['GET /google/ann-2', `HEAD ${pathOf(ann.email)}`]);
  for (const address of ['file:///etc/passwd', 'no address', `${gravatar.origin.replace('//', '//a:b@')}/x`]) {
    await setPhotoUrl(ann.id, address);
    gravatar.asked.length = 0;
    await lookUp(changes);
    expect(gravatar.asked, address).toEqual([`HEAD ${pathOf(ann.email)}`]);
  }
});

test('SEC-23 by default, only Gravatar and the host of Google’s pictures are contacted', () => {
  expect([gravatarSource.gravatar, ...gravatarSource.photoOrigins]).toEqual([
    'https://www.gravatar.com',
    'https://lh3.googleusercontent.com',
  ]);
});

test('a body of 10 MB is cut off', async () => {
  const ann = await server.person({});
  let sent = 0;
  const cut = new Promise<void>((resolve) => {
    gravatar.answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      if (request.method === 'HEAD') return void response.end();
      response.once('close', resolve);
      const more = () => {
        while (sent < 10 * 2 ** 20 && !response.destroyed) {
          sent += 16_384;
          if (!response.write(sent === 16_384 ? png : Buffer.alloc(16_384))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
  });
  await lookUp();
  await cut;
  expect((await rowOf(ann.id))?.picture).toBeNull();
  expect(sent).toBeLessThan(10 * 2 ** 20);
});

test.each([
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['nothing', ''],
])('%s is not accepted as a picture, whatever its media type', async (_name, body) => {
  const ann = await server.person({});
  gravatar.answer = serve(200, body, { 'content-type': 'image/png' });
  await lookUp();
  expect((await rowOf(ann.id))?.picture).toBeNull();
});

test.each([
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])],
  ['image/gif', Buffer.from('GIF89a...')],
  ['image/webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')],
])('%s is recognized by its first bytes', async (type, bytes) => {
  const ann = await server.person({});
  gravatar.answer = serve(200, bytes, { 'content-type': 'text/html' });
  await lookUp();
  expect((await get(ann.id, ann.cookie)).headers['content-type']).toBe(type);
});

test('a host that hangs times out without delaying others', async () => {
  const ann = await server.person({});
  const patience = new AbortController();
  gravatar.answer = () => patience.abort(new DOMException('Three seconds are over', 'TimeoutError'));
  await lookUp({ deadline: () => patience.signal });
  expect(await rowOf(ann.id)).toMatchObject({ picture: null, look_again_at: new Date(server.clock + day) });
});

test('stopping the server aborts a look-up without saving a result', async () => {
  const ann = await server.person({});
  const stop = new AbortController();
  gravatar.answer = () => stop.abort(new Error('The server is stopping'));
  const { db } = server.database;
  const run = lookUpPictures({ db, log, outside: outside(), now: () => server.clock }, stop.signal);
  await expect(run).rejects.toThrow('The server is stopping');
  expect(await rowOf(ann.id)).toBeUndefined();
});

const start = (avatarLookup: boolean, changes: Partial<AvatarSource>) => {
  const { db, connection } = server.database;
  return startAvatars({
    config: { avatarLookup },
    db,
    connection: () => connection,
    log,
    alone: true,
    now: () => server.clock,
    outside: outside(changes),
  });
};

/** The number of runs ever queued, at most one per five minutes. */
const queuedRuns = async (): Promise<number> => {
  const { rows } = await sql<{ runs: number }>`select count(*) as runs from jobs.job where name = 'avatars'`.execute(
    server.database.db,
  );
  return rows[0]!.runs;
};

test('with AVATAR_LOOKUP on, a job looks up pictures from the start', async () => {
  const ann = await server.person({});
  const asked = new Promise<void>((resolve) => {
    gravatar.answer = (request, response) => {
      resolve();
      serve(404)(request, response);
    };
  });
  const before = await queuedRuns();
  const replicas = [await start(true, {}), await start(true, {})];
  expect(await queuedRuns()).toBe(before + 1);
  await asked;
  for (const replica of replicas) await replica.stop();
  expect(gravatar.asked).toEqual([`HEAD ${pathOf(ann.email)}`]);
});

// Shows P7.10.
test('S15 with AVATAR_LOOKUP off, the default, nothing is queued and no request is sent', async () => {
  expect(server.config.avatarLookup).toBe(false);
  await server.person({});
  server.clock += day;
  const before = await queuedRuns();
  const calls: unknown[] = [];
  const spy: typeof fetch = async (...call) => {
    calls.push(call);
    return new Response(null, { status: 404 });
  };
  const avatars = await start(server.config.avatarLookup, { fetch: spy });
  expect(await queuedRuns()).toBe(before);
  await avatars.stop();
  expect(calls).toEqual([]);
});
