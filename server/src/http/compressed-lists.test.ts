import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await testServer();
  ({ cookie } = await server.person({ role: 'admin' }));
});
afterAll(() => server.close());

async function ask(path: string, accepted?: string) {
  const headers = { cookie, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
  return server.app.inject({ url: path, headers });
}

async function addPeople(count: number): Promise<void> {
  const at = new Date(server.clock);
  const rows = Array.from({ length: count }, (_, n) => ({ id: `p${n}`, email: `p${n}@example.net` }));
  await server.database.db
    .insertInto('accounts')
    .values(rows.map((row) => ({ ...row, created_at: at, updated_at: at })))
    .execute();
}

test('a short list is sent uncompressed', async () => {
  const answer = await ask('/api/users', 'gzip');
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.json()).toHaveLength(1);
});

test('a long list is sent as gzip to clients that accept it, with a Vary header and unchanged content', async () => {
  await addPeople(400);
  const plain = await ask('/api/users');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.json()).toHaveLength(401);
  for (const accepted of ['gzip', 'gzip, deflate, br, zstd', 'br;q=1, GZIP;q=0.5', 'identity, gzip;q=1.0']) {
    const answer = await ask('/api/users', accepted);
    expect(answer.headers, accepted).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': plain.headers['content-type'],
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Encoding',
    });
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(plain.json());
  }
  expect(plain.headers.vary).toBe('Cookie, Accept-Encoding');
});

test.each(['identity', 'br', 'gzip;q=0', 'gzip;q=0.000', 'x-gzip', '*', ''])(
  'not to clients that accept “%s”',
  async (accepted) => {
    const answer = await ask('/api/users', accepted);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.json()).toHaveLength(401);
  },
);

test('the compressed length of the same list differs between responses', async () => {
  const lengths = new Set<number>();
  for (let n = 0; n < 12; n++) lengths.add((await ask('/api/users', 'gzip')).rawPayload.length);
  expect(lengths.size).toBeGreaterThan(3);
});

test('nothing else is compressed, and neither are refusals', async () => {
  for (const path of ['/api/session', '/api/openapi.json', '/api/activity', '/api/users/availability?email=x']) {
    expect((await ask(path, 'gzip')).headers['content-encoding'], path).toBeUndefined();
  }
  const stranger = await server.app.inject({ url: '/api/users', headers: { 'accept-encoding': 'gzip' } });
  expect([stranger.statusCode, stranger.headers['content-encoding']]).toEqual([401, undefined]);
});
