import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cheapHash } from '../../test/support/passwords.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { createKnownDevices } from './known-devices.ts';
import { savePassword } from './queries.ts';

describe('the cookie of a known browser', () => {
  const devices = createKnownDevices('the secret of a server');
  const mark = devices.mark('ann@example.org');

  test('names the device for the email that signed in there, however it is typed', () => {
    const name = devices.nameFor('ann@example.org', mark);
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(devices.nameFor(' Ann@Example.org ', mark)).toBe(name);
    expect(devices.nameFor('ann@example.org', devices.mark('ann@example.org'))).not.toBe(name);
  });

  test('is invalid for another email, at another server, or if changed', () => {
    expect(devices.nameFor('ben@example.org', mark)).toBeUndefined();
    expect(createKnownDevices('another secret').nameFor('ann@example.org', mark)).toBeUndefined();
    for (const changed of [undefined, '', '.', `x${mark}`, mark.slice(0, -2), mark.split('.')[0]]) {
      expect(devices.nameFor('ann@example.org', changed)).toBeUndefined();
    }
  });
});

describe('T7 REL-31 while an account is attacked from many addresses', () => {
  const password = 'violet-Quarry-77-lamp';
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server.close());
  beforeEach(() => server.database.db.deleteFrom('rate_limits').execute());

  const signIn = (email: string, options: { cookie?: string; given?: string; from?: string } = {}) =>
    server.call('POST', '/api/session', {
      ...options,
      body: { email, password: options.given ?? password, remember: false },
    });

  /** A user, and the device cookie of the browser in which they signed in. */
  async function member() {
    const { id, email } = await server.person({});
    await savePassword(server.database.db, id, cheapHash(password), server.clock);
    const cookies = [(await signIn(email)).headers['set-cookie']].flat();
    const header = String(cookies.find((cookie) => cookie?.startsWith('kc_device=')));
    return { email, header, device: header.split(';')[0]! };
  }

  /** Sets the number of attempts that unknown browsers have made at this account. */
  async function exhaust(limit: string, email: string): Promise<void> {
    await signIn(email, { given: 'wrong' });
    await server.database.db
      .updateTable('rate_limits')
      .set({ uses: 1_000_000 })
      .where('key', 'like', `${limit}:%`)
      .executeTakeFirstOrThrow();
  }

  test.each(['sign-in', 'sign-in-address', 'sign-in-account', 'sign-in-all'])(
    'its owner can sign in there beyond the limit %s, and nowhere else',
    async (limit) => {
      const [ann, ben] = [await member(), await member()];
      await exhaust(limit, ann.email);
      expect((await signIn(ann.email)).json().data.code).toBe('sign-in/too-many');
      expect((await signIn(ann.email, { cookie: ben.device })).json().data.code).toBe('sign-in/too-many');
      expect((await signIn(ann.email, { cookie: ann.device })).statusCode).toBe(200);
    },
  );

  test('a hundred attempts an hour are allowed, whatever addresses they come from', async () => {
    const { email } = await member();
    await server.database.db.deleteFrom('rate_limits').execute();
    const codes: string[] = [];
    for (let n = 0; n < 102; n++) {
      codes.push((await signIn(email, { given: 'wrong', from: `198.51.100.${n}` })).json().data.code);
    }
    expect(codes).toEqual([...Array(100).fill('sign-in/wrong-password'), 'sign-in/too-many', 'sign-in/too-many']);
  });

  test('a known browser has ten attempts, and its cookie is as protected as the session cookie', async () => {
    const { email, device, header } = await member();
    const codes: string[] = [];
    for (let n = 0; n < 11; n++) codes.push((await signIn(email, { given: 'wrong', cookie: device })).json().data.code);
    expect(codes).toEqual([...Array(10).fill('sign-in/wrong-password'), 'sign-in/too-many']);
    expect(header.replace(/=[\w.-]+;/, '=…;')).toBe('kc_device=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000');
    const session = await server.call('GET', '/api/session', { cookie: device });
    expect(session.json()).toMatchObject({ isAuthenticated: false });
  });
});
