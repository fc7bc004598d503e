import { limits } from '@kc/rules/limits';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { startSession } from './sessions.ts';

const hour = 3_600_000;
const day = 24 * hour;
let server: TestServer;
let start = 0;
beforeAll(async () => {
  server = await testServer();
  start = server.clock;
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock = start;
});

async function begin(remembered: boolean): Promise<string> {
  const { id } = await server.person({});
  return `kc_session=${await startSession(server.database.db, id, remembered, server.clock)}`;
}
async function livesAt(cookie: string, at: number): Promise<boolean> {
  server.clock = at;
  return (await server.call('GET', '/api/session', { cookie })).json().isAuthenticated;
}

// Shows P3.11.
test('T12 a session lasts a day to the millisecond, however often it is used', async () => {
  const cookie = await begin(false);
  for (let at = 0; at < limits.sessionMs; at += 5 * hour) expect(await livesAt(cookie, start + at)).toBe(true);
  expect(await livesAt(cookie, start + day - 1)).toBe(true);
  expect(await livesAt(cookie, start + day)).toBe(false);
});

// Shows P3.11.
test('T12 a remembered session lasts thirty days with use, and seven without', async () => {
  const [used, left] = [await begin(true), await begin(true)];
  for (let days = 6; days < 30; days += 6) expect(await livesAt(used, start + days * day)).toBe(true);
  expect(await livesAt(used, start + 30 * day - 1)).toBe(true);
  expect(await livesAt(used, start + 30 * day)).toBe(false);
  expect(await livesAt(left, start + 7 * day + 1)).toBe(false);
});

test.each([
  ['an hour', hour],
  ['a day', day],
])('REL-20 setting the clock back by %s signs nobody out', async (_what, back) => {
  for (const remembered of [false, true]) {
    const cookie = await begin(remembered);
    expect(await livesAt(cookie, start - back)).toBe(true);
    server.clock = start;
  }
});

test('REL-20 a session created before the clock was set back still ends at its original time', async () => {
  const cookie = await begin(false);
  expect(await livesAt(cookie, start - hour)).toBe(true);
  expect(await livesAt(cookie, start + day - 1)).toBe(true);
  expect(await livesAt(cookie, start + day)).toBe(false);
});

test('REL-20 a session created while the clock was ten years ahead does not last ten years', async () => {
  server.clock = start + 3_650 * day;
  const cookie = await begin(true);
  expect(await livesAt(cookie, start)).toBe(false);
  expect(await livesAt(cookie, start + 365 * day)).toBe(false);
});

test('REL-20 a session used while the clock was ahead is idle a week after the clock is corrected', async () => {
  const cookie = await begin(true);
  expect(await livesAt(cookie, start + 6 * day)).toBe(true);
  expect(await livesAt(cookie, start)).toBe(true);
  expect(await livesAt(cookie, start + 7 * day + 1)).toBe(false);
});
