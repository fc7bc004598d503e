import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { openPatch, type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import type { Appender, Storage } from '../../storage/storage.ts';

let database: TestDatabase;
let directory: string;
const running: TestApp[] = [];
let people = 0;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-rights-'));
});
afterEach(async () => {
  for (const app of running.splice(0)) {
    await app.stop();
    expect(app.faults).toEqual([]);
  }
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(database, directory, options);
  running.push(app);
  return app;
}

type Sender = { readonly id: string; readonly cookie: string; readonly owner: string };

/** An admin with a session, and the user they upload for. */
async function sender(): Promise<Sender> {
  const [id, owner] = [`sender-${people++}`, `owner-${people++}`];
  await insertAccount(database.db, id, { role: 'admin' });
  await insertAccount(database.db, owner);
  return { id, owner, cookie: await cookieOf(database, id) };
}

const good = new TextEncoder().encode('{"keywords":[],"hierarchy":{"name":"shoes"}}');
const half = Math.floor(good.length / 2);
const beginning = good.slice(0, half);
const rest = good.slice(half);
const codeIn = (body: string): unknown => (JSON.parse(body) as { data: { code: string } }).data.code;
const metadata = (userId: string) => ({ filename: 'shoes.json', userId });

async function create(client: TusClient, userId: string): Promise<string> {
  return (await client.create(good.length, metadata(userId))).headers.get('location')!;
}
const rowOf = (location: string) =>
  database.db.selectFrom('uploads').selectAll().where('id', '=', location.split('/').at(-1)!).executeTakeFirstOrThrow();
const recordsOf = (userId: string) =>
  database.db.selectFrom('visualizations').select(['file_name', 'is_active']).where('user_id', '=', userId).execute();
const refusalsOf = async (actor: string): Promise<unknown[]> =>
  (
    await database.db
      .selectFrom('audit_log')
      .select('details')
      .where('actor', '=', actor)
      .where('action', '=', 'refused')
      .execute()
  ).map(({ details }) => details.code);

async function call(app: TestApp, method: string, path: string, cookie: string, body?: object): Promise<void> {
  const answer = await fetch(app.url + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
}

const admin = () => cookieOf(database, 'admin');
type Loss = {
  take(app: TestApp, by: Sender): Promise<void>;
  /** The response to the request in progress. */
  readonly told: [number, string];
  /** The response to the next one, if it is another: calls of all approved users are refused earlier. */
  readonly next?: [number, string];
};
/** Ways to lose the right to upload. */
const losses: Readonly<Record<string, Loss>> = {
  'is demoted': {
    take: async (app, { id }) => call(app, 'PUT', `/api/users/${id}/role`, await admin(), { role: 'user' }),
    told: [403, 'admin/only'],
  },
  'is denied': {
    take: async (app, { id }) => call(app, 'PUT', `/api/users/${id}/status`, await admin(), { status: 'denied' }),
    told: [403, 'admin/only'],
    next: [403, 'session/not-approved'],
  },
  'signs out': {
    take: (app, { cookie }) => call(app, 'DELETE', '/api/session', cookie),
    told: [401, 'session/required'],
  },
  'signs out everywhere': {
    take: async (app, { id }) => call(app, 'DELETE', '/api/session/all', await cookieOf(database, id)),
    told: [401, 'session/required'],
  },
};

describe.each([1, 2])('of %i servers', (servers) => {
  test.each(Object.entries(losses))(
    'a request in progress ends when its sender %s',
    async (_, { take, told, next = told }) => {
      const apps = [];
      for (let nth = 0; nth < servers; nth++) apps.push(await start({ alone: servers === 1 }));
      const [one, other] = [apps[0]!, apps.at(-1)!];
      const by = await sender();
      const location = await create(tusClient(one.url, by.cookie), by.owner);
      const patch = openPatch(one.url + location, by.cookie, good.length).send(beginning);
      const { file_key } = await rowOf(location);
      await expect.poll(async () => (await one.storage.stat(file_key))?.size).toBe(half);
      await take(other, by);
      const [answer] = await patch.answer;
      const body = Buffer.concat(await answer.toArray()).toString();
      expect([answer.statusCode, codeIn(body)]).toEqual(told);
      await patch.isClosed;
      expect(await rowOf(location)).toMatchObject({ state: 'receiving', received: 0 });
      expect(await recordsOf(by.owner)).toEqual([]);
      expect(await refusalsOf(by.id)).toEqual([told[1]]);
      const again = await tusClient(one.url, by.cookie).patch(location, 0, good);
      expect([again.status, codeIn(await again.text())]).toEqual(next);
    },
  );
});

/** A storage in which `happens` runs during each write, so before the written bytes are committed. */
const duringWrites =
  (happens: () => Promise<void>) =>
  (disk: Storage): Storage => ({
    ...disk,
    async append(key, offset): Promise<Appender> {
      const appender = await disk.append(key, offset);
      return {
        get size() {
          return appender.size;
        },
        write: async (bytes) => {
          await happens();
          await appender.write(bytes);
        },
        sync: () => appender.sync(),
        close: () => appender.close(),
      };
    },
  });

// Shows P10.17.
test('bytes from a demoted sender are discarded, whether or not the server was notified', async () => {
  const by = await sender();
  let isLast = false;
  const demote = async (): Promise<void> => {
    // Without a notification: only the database has the change.
    if (isLast) await database.db.updateTable('accounts').set({ role: 'user' }).where('id', '=', by.id).execute();
  };
  const app = await start({ wrap: duringWrites(demote) });
  const client = tusClient(app.url, by.cookie);
  const location = await create(client, by.owner);
  expect((await client.patch(location, 0, beginning)).status).toBe(204);
  isLast = true;
  const refused = await client.patch(location, half, rest);
  expect([refused.status, codeIn(await refused.text())]).toEqual([403, 'admin/only']);
  expect(await rowOf(location)).toMatchObject({ state: 'receiving', received: half });
  expect(await recordsOf(by.owner)).toEqual([]);
});

test('an upload interrupted by signing out resumes after signing in again', async () => {
  const app = await start();
  const by = await sender();
  const client = tusClient(app.url, by.cookie);
  const location = await create(client, by.owner);
  expect((await client.patch(location, 0, beginning)).status).toBe(204);
  await losses['signs out']!.take(app, by);
  expect((await client.patch(location, half, rest)).status).toBe(401);
  const back = tusClient(app.url, await cookieOf(database, by.id));
  expect((await back.patch(location, half, rest)).status).toBe(204);
  expect((await back.settled(location)).state).toBe('active');
});

test('the upload of another admin continues when one is demoted', async () => {
  const app = await start();
  const [by, other] = [await sender(), await sender()];
  const location = await create(tusClient(app.url, other.cookie), other.owner);
  const patch = openPatch(app.url + location, other.cookie, good.length).send(beginning);
  await losses['is demoted']!.take(app, by);
  patch.send(rest);
  expect((await patch.answer)[0].statusCode).toBe(204);
  expect((await tusClient(app.url, other.cookie).settled(location)).state).toBe('active');
});

describe('after the last byte', () => {
  /** Starts a server on which no pack is published until the test allows it. */
  async function startHeld() {
    let letGo = (): void => undefined;
    let reach = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const isReached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const wrap = (disk: Storage): Storage => ({
      ...disk,
      async publish(from, to) {
        reach();
        await held;
        await disk.publish(from, to);
      },
    });
    return { app: await start({ wrap }), letGo, isReached };
  }
  const settledRow = async (location: string) => {
    await expect.poll(async () => ['active', 'failed'].includes((await rowOf(location)).state)).toBe(true);
    return rowOf(location);
  };
  const files = (): Promise<string[]> => readdir(join(directory, 'files'));

  test.each(['is demoted', 'is denied'])('an upload whose sender %s fails, and nothing of it is left', async (way) => {
    const { app, letGo, isReached } = await startHeld();
    const by = await sender();
    const location = await tusClient(app.url, by.cookie).send(good, metadata(by.owner));
    await isReached;
    await losses[way]!.take(app, by);
    letGo();
    expect(await settledRow(location)).toMatchObject({ state: 'failed', refusal: { code: 'admin/only' }, attempts: 1 });
    expect(await recordsOf(by.owner)).toEqual([]);
    await expect.poll(files).toEqual([]);
  });

  test('an upload whose sender signs out is finished if everything was sent before', async () => {
    const { app, letGo, isReached } = await startHeld();
    const by = await sender();
    const location = await tusClient(app.url, by.cookie).send(good, metadata(by.owner));
    await isReached;
    await losses['signs out']!.take(app, by);
    letGo();
    expect((await settledRow(location)).state).toBe('active');
    expect(await recordsOf(by.owner)).toEqual([{ file_name: 'shoes.json', is_active: true }]);
  });

  test('an upload for a deleted user leaves nothing', async () => {
    const { app, letGo, isReached } = await startHeld();
    const by = await sender();
    await tusClient(app.url, by.cookie).send(good, metadata(by.owner));
    await isReached;
    await database.db.deleteFrom('accounts').where('id', '=', by.owner).execute();
    letGo();
    await expect.poll(files).toEqual([]);
    expect(await recordsOf(by.owner)).toEqual([]);
  });
});
