import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft, DraftMarks, DraftSettings } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { sweepWhen } from '../../test/support/sweep.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let people = 0;
const running: TestApp[] = [];

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-lists-'));
  await allowImports(false);
});
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
  await database.db.deleteFrom('drafts').execute();
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

const allowImports = (isAllowed: boolean, more: object = {}) =>
  database.db
    .updateTable('settings')
    .set({ user_imports: isAllowed, max_user_visualizations: 5, max_user_import_mb: 100, ...more })
    .execute();

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(database, directory, options);
  running.push(app);
  return app;
}

type Person = { readonly id: string; readonly cookie: string };
async function person(role: 'user' | 'admin' = 'user'): Promise<Person> {
  const id = `person-${people++}`;
  await insertAccount(database.db, id, { role });
  return { id, cookie: await cookieOf(database, id) };
}

type Answer<Body> = { readonly status: number; readonly body: Body; readonly refusal: Refusal | undefined };
async function call<Body = Draft>(
  { url }: TestApp,
  { cookie }: Person,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as { data?: Refusal };
  return { status: answer.status, body: read as Body, refusal: read.data };
}

const settings: DraftSettings = { preset: 'balanced', grouping: 'columns' };
const grouped =
  'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\nblue hose,Garden,Hoses,20\ncat food,Pets,Food,5\n';
const bytes = (text: string) => new TextEncoder().encode(text);

const asked = (owner: Person, files: readonly string[], more: object = {}) => ({
  userId: owner.id,
  name: 'made',
  description: '',
  files: files.map((text, number) => ({ name: `list-${number}.csv`, size: bytes(text).length, corrections: {} })),
  settings,
  ...more,
});

async function send(app: TestApp, by: Person, draft: Draft, files: readonly string[]): Promise<void> {
  const client = tusClient(app.url, by.cookie);
  for (const [place, { id }] of draft.files.entries()) {
    const sent = await client.patch(`/api/uploads/${id}`, 0, bytes(files[place]!));
    expect(sent.status, await sent.text()).toBe(204);
  }
}

/** The draft once it is neither received nor clustered. */
async function settled(app: TestApp, by: Person, id: string): Promise<Draft> {
  for (;;) {
    const { body } = await call(app, by, 'GET', `/drafts/${id}`);
    if (!['receiving', 'queued', 'working'].includes(body.state)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function imported(app: TestApp, by: Person, owner: Person, files: readonly string[], more = {}): Promise<Draft> {
  const { body: draft, status } = await call(app, by, 'POST', '/drafts', asked(owner, files, more));
  expect(status, JSON.stringify(draft)).toBe(200);
  await send(app, by, draft, files);
  return settled(app, by, draft.id);
}

async function keysThere(app: TestApp): Promise<number> {
  let count = 0;
  for await (const _ of app.storage.list()) count++;
  return count;
}

describe('a list that an administrator sends', () => {
  // Shows P21.5.
  test('becomes a draft that is read like a visualization', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const draft = await imported(app, admin, owner, [grouped]);
    expect(draft).toMatchObject({ state: 'ready', method: 'columns', percent: 100, warnings: [] });
    expect(draft.revision).toMatchObject({
      operation: 0,
      counts: { keywords: 3, pillars: 2, clusters: 2, strays: 0 },
      canUndo: false,
    });
    const root = await call<{ keywords: number; volume: { sum: number } }>(
      app,
      admin,
      'GET',
      `/visualizations/${draft.revision!.viewId}/nodes/0`,
    );
    expect(root.body, JSON.stringify(root)).toMatchObject({ keywords: 3 });
    // The draft is not a visualization of its owner.
    expect((await call<unknown[]>(app, owner, 'GET', '/visualizations')).body).toEqual([]);
  });

  test('shows its first revision with the confidence of each cluster', async () => {
    const app = await start();
    const by = await person('admin');
    const list = ['hose', 'mower', 'seeds', 'leash']
      .flatMap((subject) => ['buy', 'cheap', 'best', 'review'].map((wording) => `${wording} garden ${subject}`))
      .join('\n');
    const text = `Keyword\n${list}\n`;
    const draft = await imported(app, by, by, [text], { settings: { ...settings, grouping: 'none', model: 'none' } });
    const { body } = await call<DraftMarks>(app, by, 'GET', `/drafts/${draft.id}/marks`);
    expect(Object.keys(body.confidence)).not.toEqual([]);
    for (const percent of Object.values(body.confidence)) {
      expect(percent).toBeGreaterThanOrEqual(0);
      expect(percent).toBeLessThanOrEqual(100);
    }
  });

  test('may be several files, which are read as one, each with its own corrections', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const files = [grouped, 'word;Group;Cluster\ngarden hose;Garden;Hoses\nred hose;Garden;Hoses\n'];
    const draftAsked = asked(owner, files);
    draftAsked.files[1]!.corrections = { meanings: { 0: 'keyword' }, delimiter: ';' };
    const { body } = await call(app, admin, 'POST', '/drafts', draftAsked);
    await send(app, admin, body, files);
    const draft = await settled(app, admin, body.id);
    expect(draft.revision?.counts.keywords).toBe(4);
  });

  test.each([
    ['that is a ZIP file', 'PK\u0003\u0004 and so on', 'This is a ZIP file. Unpack it and choose the CSV files in it.'],
    ['without rows', 'Keyword,Volume\n', 'This file has no rows.'],
  ])('%s fails with the reason, and can be started again or discarded', async (_, text, reason) => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const draft = await imported(app, admin, owner, [text]);
    expect(draft.state).toBe('failed');
    expect(sayRefusal(draft.refusal!)).toBe(reason);
    const lastRun = () =>
      database.db.selectFrom('drafts').select('run_id').where('id', '=', draft.id).executeTakeFirstOrThrow();
    const before = await lastRun();
    expect((await call(app, admin, 'POST', `/drafts/${draft.id}/start`)).status).toBe(200);
    expect((await settled(app, admin, draft.id)).refusal).toEqual(draft.refusal);
    expect(await lastRun()).not.toEqual(before);
    expect((await call(app, admin, 'DELETE', `/drafts/${draft.id}`)).status).toBe(200);
    const gone = await call(app, admin, 'GET', `/drafts/${draft.id}`);
    expect([gone.status, gone.refusal?.code]).toEqual([404, 'draft/not-found']);
  });

  test('whose groups are named but not there says so', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const draft = await imported(app, admin, owner, [grouped], { settings: { ...settings, grouping: ['Topic'] } });
    expect(sayRefusal(draft.refusal!)).toBe('There is no column "Topic" that can be a group.');
  });

  test('needs more memory than there is, and says how much', async () => {
    const app = await start({ memoryBytes: 100 * 2 ** 20 });
    const [admin, owner] = [await person('admin'), await person()];
    const draft = await imported(app, admin, owner, [grouped]);
    expect(sayRefusal(draft.refusal!)).toBe(
      'Clustering this list needs about 161 MiB of memory and the server allows 100 MiB. Raise INGEST_MEMORY or choose a smaller list.',
    );
  });
});

describe('20,000 keywords, which need more memory than their bytes told,', () => {
  const memoryBytes = 180 * 2 ** 20;
  const rows = Array.from({ length: 20_000 }, (_, number) => `hose ${number},topic ${number % 5},group ${number % 50}`);
  const inGroups = `Keyword,Group,Cluster\n${rows.join('\n')}\n`;

  test('are refused once they are read', async () => {
    const app = await start({ memoryBytes });
    const [admin, owner] = [await person('admin'), await person()];
    const { state, refusal } = await imported(app, admin, owner, [inGroups.replaceAll(/,.*/g, '')]);
    // 160 MiB, and 1,150 bytes for each keyword.
    expect([state, refusal]).toEqual(['failed', { code: 'draft/memory', params: { needed: 421, allowed: 180 } }]);
  });

  test('need no vectors if they come with groups', async () => {
    const app = await start({ memoryBytes });
    const [admin, owner] = [await person('admin'), await person()];
    expect(await imported(app, admin, owner, [inGroups])).toMatchObject({ state: 'ready', method: 'columns' });
  });
});

describe('a list that is cancelled', () => {
  const remove = (app: TestApp, by: Person, id: string) => tusClient(app.url, by.cookie).remove(`/api/uploads/${id}`);

  test('leaves the others, which are then clustered', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const { body: draft } = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped, grouped]));
    const [first, second] = draft.files;
    await tusClient(app.url, admin.cookie).patch(`/api/uploads/${first!.id}`, 0, bytes(grouped));
    expect((await remove(app, admin, second!.id)).status).toBe(204);
    const ready = await settled(app, admin, draft.id);
    expect([ready.state, ready.files.length, ready.revision?.counts.keywords]).toEqual(['ready', 1, 3]);
  });

  test('takes the draft with it if it was the last', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const { body: draft } = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped]));
    expect((await remove(app, admin, draft.files[0]!.id)).status).toBe(204);
    expect((await call(app, admin, 'GET', `/drafts/${draft.id}`)).refusal?.code).toBe('draft/not-found');
  });
});

test('a draft updates a visualization of its own owner only', async () => {
  const app = await start();
  const [admin, owner, other] = [await person('admin'), await person(), await person()];
  const base = await visualizationOf(app, admin, other);
  const refused = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped], { updateOf: base }));
  expect([refused.status, refused.refusal?.code]).toEqual([404, 'visualization/not-found']);
  const begun = await call(app, admin, 'POST', '/drafts', asked(other, [grouped], { updateOf: base }));
  expect(begun.body.base?.id).toBe(base);
});

/** @returns the ID of a new visualization */
async function visualizationOf(app: TestApp, admin: Person, owner: Person): Promise<string> {
  const client = tusClient(app.url, admin.cookie);
  const file = bytes('{"keywords":[],"hierarchy":{"name":"shoes"}}');
  const location = await client.send(file, { filename: 'shoes.json', userId: owner.id });
  return (await client.settled(location)).visualizationId!;
}

test('a draft is found by those who may use it, and by nobody else', async () => {
  const app = await start();
  const [admin, other, owner, stranger] = [
    await person('admin'),
    await person('admin'),
    await person(),
    await person(),
  ];
  await allowImports(true);
  const draft = await imported(app, admin, owner, [grouped]);
  expect((await call(app, other, 'GET', `/drafts/${draft.id}`)).status).toBe(200);
  // An administrator's work for somebody is not shown to them.
  for (const asker of [owner, stranger]) {
    const answer = await call(app, asker, 'GET', `/drafts/${draft.id}`);
    expect([answer.status, answer.refusal?.code]).toEqual([404, 'draft/not-found']);
    expect(sayRefusal(answer.refusal!)).toBe('This draft does not exist or is not yours to see.');
    expect((await call(app, asker, 'DELETE', `/drafts/${draft.id}`)).status).toBe(404);
    const seen = await call(app, asker, 'GET', `/visualizations/${draft.revision!.viewId}`);
    expect(seen.status).toBe(404);
  }
  const own = await imported(app, owner, owner, [grouped]);
  const listed = async (asker: Person) =>
    (await call<Draft[]>(app, asker, 'GET', `/drafts?userId=${owner.id}`)).body.map?.(({ id }) => id);
  expect(await listed(owner)).toEqual([own.id]);
  expect((await listed(admin))?.toSorted()).toEqual([draft.id, own.id].toSorted());
});

describe('a user', () => {
  test('imports lists for themselves alone, and only while that is switched on', async () => {
    const app = await start();
    const [user, other] = [await person(), await person()];
    const refused = await call(app, user, 'POST', '/drafts', asked(user, [grouped]));
    expect([refused.status, sayRefusal(refused.refusal!)]).toEqual([
      403,
      'Importing is switched off. Please ask an administrator.',
    ]);
    await allowImports(true);
    expect((await call(app, user, 'POST', '/drafts', asked(other, [grouped]))).refusal?.code).toBe('admin/only');
    expect((await imported(app, user, user, [grouped])).state).toBe('ready');
  });

  test('sends nothing more once it is switched off, and may go on later', async () => {
    const app = await start();
    const user = await person();
    await allowImports(true);
    const { body: draft } = await call(app, user, 'POST', '/drafts', asked(user, [grouped]));
    const client = tusClient(app.url, user.cookie);
    const location = `/api/uploads/${draft.files[0]!.id}`;
    const half = bytes(grouped).slice(0, 20);
    expect((await client.patch(location, 0, half)).status).toBe(204);
    await allowImports(false);
    expect((await client.patch(location, 20, bytes(grouped).slice(20))).status).toBe(403);
    await allowImports(true);
    expect((await client.head(location)).headers.get('upload-offset')).toBe('20');
    expect((await client.patch(location, 20, bytes(grouped).slice(20))).status).toBe(204);
    expect((await settled(app, user, draft.id)).state).toBe('ready');
  });

  test('has a quota of drafts, visualizations and megabytes', async () => {
    const app = await start();
    const user = await person();
    await allowImports(true, { max_user_import_mb: 1 });
    const large = asked(user, [grouped]);
    large.files[0]!.size = 2.5 * 2 ** 20;
    expect(sayRefusal((await call(app, user, 'POST', '/drafts', large)).refusal!)).toBe(
      'These files have 3 MB. You may import up to 1 MB at a time.',
    );
    for (let number = 0; number < 3; number++)
      expect((await call(app, user, 'POST', '/drafts', asked(user, [grouped]))).status).toBe(200);
    const fourth = await call(app, user, 'POST', '/drafts', asked(user, [grouped]));
    expect([fourth.status, sayRefusal(fourth.refusal!)]).toEqual([
      409,
      'There are 3 drafts already. Publish or discard one to start another.',
    ]);
  });

  test('is refused a list for which there is no room', async () => {
    const app = await start({ wrap: (disk) => ({ ...disk, freeBytes: async () => 300 * 2 ** 20 }) as typeof disk });
    const admin = await person('admin');
    const large = asked(admin, [grouped]);
    large.files[0]!.size = 100 * 2 ** 20;
    const { refusal } = await call(app, admin, 'POST', '/drafts', large);
    expect(sayRefusal(refusal!)).toBe(
      'These files need about 400 MB of storage, and 44 MB are free. Ask an administrator to make room: “Purge now” in the settings frees what deleted files still take.',
    );
    expect(app.logged.filter((line) => line.includes('"event":"storage-full"'))).toHaveLength(1);
  });
});

describe('a draft that is stopped', () => {
  test('keeps its lists, and gives the same result when it is started again', async () => {
    const app = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const reference = await imported(app, admin, owner, [grouped]);
    const { body } = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped]));
    await send(app, admin, body, [grouped]);
    const stopped = await call(app, admin, 'POST', `/drafts/${body.id}/stop`);
    // It may be ready already: then it cannot be stopped any more.
    if (stopped.status === 409) expect(stopped.refusal?.code).toBe('draft/not-ready');
    else {
      expect(stopped.body).toMatchObject({ state: 'stopped', percent: 0 });
      expect((await call(app, admin, 'POST', `/drafts/${body.id}/start`)).status).toBe(200);
    }
    const draft = await settled(app, admin, body.id);
    expect(draft.revision?.counts).toEqual(reference.revision?.counts);
    expect(await bytesOf(app, body.id)).toEqual(await bytesOf(app, reference.id));
  });

  test('is clustered by the next server if its own one stops', async () => {
    const first = await start();
    const [admin, owner] = [await person('admin'), await person()];
    const { body } = await call(first, admin, 'POST', '/drafts', asked(owner, [grouped]));
    await send(first, admin, body, [grouped]);
    await first.stop();
    running.splice(running.indexOf(first), 1);
    const second = await start();
    const draft = await settled(second, admin, body.id);
    expect(draft.state).toBe('ready');
    const { attempts } = await database.db.selectFrom('drafts').selectAll().executeTakeFirstOrThrow();
    expect(attempts).toBe(1);
  });
});

test('the objects of a discarded draft are removed, and of every other one kept', async () => {
  let clock = Date.now();
  const app = await start({ now: () => clock });
  const [admin, owner] = [await person('admin'), await person()];
  const kept = await imported(app, admin, owner, [grouped]);
  const before = await keysThere(app);
  const gone = await imported(app, admin, owner, [grouped]);
  expect(await keysThere(app)).toBe(2 * before);
  await call(app, admin, 'DELETE', `/drafts/${gone.id}`);
  clock += 49 * 3_600_000;
  await sweepWhen({ db: database.db, storage: app.storage, now: () => clock });
  expect(await keysThere(app)).toBe(before);
  expect(await bytesOf(app, kept.id)).toContain('red hose');
});

test('a draft that nobody touches is removed after a month, one whose lists never came after a day', async () => {
  let clock = Date.now();
  const app = await start({ now: () => clock });
  const [admin, owner] = [await person('admin'), await person()];
  const ready = await imported(app, admin, owner, [grouped]);
  const { body: unsent } = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped]));
  clock += 25 * 3_600_000;
  await sweepWhen({ db: database.db, storage: app.storage, now: () => clock });
  expect(await left()).toEqual([ready.id]);
  expect(await left()).not.toContain(unsent.id);
  clock += 31 * 86_400_000;
  await sweepWhen({ db: database.db, storage: app.storage, now: () => clock });
  expect(await left()).toEqual([]);
  expect(await keysThere(app)).toBe(0);
});

test('a draft is kept for as long as its lists arrive', async () => {
  let clock = Date.now();
  const app = await start({ now: () => clock });
  const [admin, owner] = [await person('admin'), await person()];
  const { body: draft } = await call(app, admin, 'POST', '/drafts', asked(owner, [grouped]));
  const client = tusClient(app.url, admin.cookie);
  const location = `/api/uploads/${draft.files[0]!.id}`;
  const sweepLater = async (hours: number) => {
    clock += hours * 3_600_000;
    await sweepWhen({ db: database.db, storage: app.storage, now: () => clock });
  };
  await sweepLater(20);
  expect((await client.patch(location, 0, bytes(grouped).slice(0, 20))).status).toBe(204);
  await sweepLater(20);
  expect(await left()).toEqual([draft.id]);
  await sweepLater(5);
  expect(await left()).toEqual([]);
});

/** The IDs of all drafts. */
const left = async () => (await database.db.selectFrom('drafts').select('id').execute()).map(({ id }) => id);

/** The upload that the revision of a draft is. */
async function bytesOf(app: TestApp, id: string): Promise<string> {
  const { file_key } = await database.db
    .selectFrom('drafts')
    .select('file_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const stored = await app.storage.open(file_key!);
  try {
    return Buffer.from(await stored.read(0, stored.size)).toString();
  } finally {
    await stored.close();
  }
}
