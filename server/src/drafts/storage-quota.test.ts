// Shows T71, T72, REL-41.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { escaped, workbookOf } from '../../../cluster/test/support/workbooks.ts';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase, untilOneWaits } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { sweepWhen } from '../../test/support/sweep.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { noteStored } from '../storage/stored-files.ts';
import { storageUse } from '../visualizations/quota.ts';
import { holdCreations } from '../visualizations/upload/upload-queries.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let people = 0;
const MiB = 2 ** 20;
const day = 24 * 3_600_000;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await database.db
    .updateTable('settings')
    .set({ user_imports: true, max_user_visualizations: 2, max_user_import_mb: 1 })
    .execute();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-quota-'));
  app = await startTestApp(database, directory);
});
afterEach(async () => {
  await app.stop();
  await database.db.deleteFrom('drafts').execute();
  await database.db.deleteFrom('stored_files').execute();
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

type Person = { readonly id: string; readonly cookie: string };
async function person(role: 'user' | 'admin' = 'user'): Promise<Person> {
  const id = `person-${people++}`;
  await insertAccount(database.db, id, { role });
  return { id, cookie: await cookieOf(database, id) };
}

const list = new TextEncoder().encode('Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\ncat food,Pets,Food,5\n');

async function call<Body = Draft>({ cookie }: Person, method: string, path: string, body?: object) {
  const answer = await fetch(`${app.url}/api/${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as Body & { data?: Refusal };
  return { status: answer.status, body: read, refusal: read.data };
}

const begin = (who: Person, bytes: Uint8Array<ArrayBuffer>, name = 'list.csv') =>
  call(who, 'POST', 'drafts', {
    userId: who.id,
    name: 'made',
    description: '',
    files: [{ name, size: bytes.length, corrections: {} }],
    settings: { preset: 'balanced', grouping: 'columns' },
  });

/** The draft of a list once it is clustered, or has failed. */
async function imported(who: Person, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Draft> {
  const { body: draft, status } = await begin(who, bytes, name);
  expect(status, JSON.stringify(draft)).toBe(200);
  const sent = await tusClient(app.url, who.cookie).patch(`/api/uploads/${draft.files[0]!.id}`, 0, bytes);
  expect(sent.status).toBe(204);
  return reached(who, draft.id, ['ready', 'failed']);
}

async function reached(who: Person, id: string, states: readonly Draft['state'][]): Promise<Draft> {
  const now = async () => (await call(who, 'GET', `drafts/${id}`)).body;
  await expect.poll(async () => (await now()).state, { timeout: 110_000 }).toBeOneOf([...states]);
  return now();
}

/** What counts, and what is there, by key. */
async function counted(): Promise<Record<string, number>> {
  const rows = await database.db.selectFrom('stored_files').select(['key', 'bytes']).orderBy('key').execute();
  return Object.fromEntries(rows.map(({ key, bytes }) => [key, Number(bytes)]));
}
async function there(): Promise<Record<string, number>> {
  const found: [string, number][] = [];
  for await (const key of app.storage.list()) found.push([key, (await app.storage.stat(key))!.size]);
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
const sweepAfter = (ms: number) => sweepWhen({ db: database.db, storage: app.storage, now: () => Date.now() + ms });
const usedBy = async ({ id }: Person) => (await storageUse(database.db, id)).used;
/** Leaves an account with so many bytes. */
async function leave({ id }: Person, bytes: number): Promise<void> {
  const { used, most } = await storageUse(database.db, id);
  await noteStored(database.db, id, [{ key: `file-${id}`, bytes: most - used - bytes }]);
}

test('who stops being an administrator while a list waits for its turn has the quota of a user', async () => {
  const who = await person('admin');
  let answer: ReturnType<typeof begin> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await holdCreations(tx);
    answer = begin(who, new Uint8Array(2 * MiB));
    await untilOneWaits(database.db);
    await tx.updateTable('accounts').set({ role: 'user' }).where('id', '=', who.id).execute();
  });
  expect((await answer)!.refusal).toMatchObject({ code: 'list/too-large' });
});

test('every byte that an import writes counts, until it is really gone', async () => {
  const who = await person();
  const draft = await imported(who, list);
  expect(draft.state).toBe('ready');
  expect(await counted()).toEqual(await there());
  const imports = await usedBy(who);
  expect(imports).toBeGreaterThan(list.length);

  await call(who, 'PUT', `drafts/${draft.id}/lease`, { takeOver: false });
  const edited = await call(who, 'POST', `drafts/${draft.id}/operations`, {
    after: 0,
    operation: { kind: 'exclude', nodes: [await addressOf(who, draft, 'Pets')] },
  });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  expect(await counted()).toEqual(await there());

  await call(who, 'POST', `drafts/${draft.id}/publish`, { after: 1, name: 'made', description: '' });
  await reached(who, draft.id, ['published']);
  expect(await counted()).toEqual(await there());

  expect((await call(who, 'DELETE', `drafts/${draft.id}`)).status).toBe(200);
  expect(await usedBy(who)).toBeGreaterThan(imports);
  await sweepAfter(2 * day);
  // What is left is the map.
  expect(await counted()).toEqual(await there());
  expect(Object.keys(await counted())).toHaveLength(3);
});

/** The address of a node with this name, in the revision that a draft shows. */
async function addressOf(who: Person, { revision }: Draft, name: string): Promise<string> {
  const found = await call<{ hits: { address?: string; node: number }[] }>(
    who,
    'GET',
    `visualizations/${revision!.viewId}/search?q=${name}`,
  );
  const { body } = await call<{ address: string }>(
    who,
    'GET',
    `visualizations/${revision!.viewId}/nodes/${found.body.hits[0]!.node}`,
  );
  return body.address;
}

test('what a list leaves that is cancelled does not count', async () => {
  const who = await person();
  const { body } = await begin(who, list);
  // Room that is asked for counts.
  expect(await usedBy(who)).toBe(list.length);
  expect((await call(who, 'DELETE', `drafts/${body.id}`)).status).toBe(200);
  expect(await usedBy(who)).toBe(0);
  const second = (await begin(who, list)).body;
  await tusClient(app.url, who.cookie).remove(`/api/uploads/${second.files[0]!.id}`);
  expect(await usedBy(who)).toBe(0);
});

test('what a list asked for does not count once its draft is forgotten', async () => {
  const who = await person();
  await begin(who, list);
  const begun = (await begin(who, list)).body;
  await tusClient(app.url, who.cookie).patch(`/api/uploads/${begun.files[0]!.id}`, 0, list.subarray(0, 10));
  expect(await usedBy(who)).toBe(2 * list.length);
  await sweepAfter(day / 2);
  expect(await usedBy(who)).toBe(2 * list.length);
  await sweepAfter(2 * day);
  expect(await usedBy(who)).toBe(0);
  expect(await there()).toEqual({});
});

test('a user without storage left begins, edits and publishes nothing, and is told why; an administrator does', async () => {
  const who = await person();
  const draft = await imported(who, list);
  await leave(who, 10);
  const text =
    'Your lists, drafts and maps take 320 of 320 MB of storage. Delete some, and try again tomorrow: what is deleted is kept for 24 hours. An administrator can purge it at once.';
  const begun = await begin(who, list);
  expect([begun.status, sayRefusal(begun.refusal!)]).toEqual([409, text]);
  await call(who, 'PUT', `drafts/${draft.id}/lease`, { takeOver: false });
  const operation = { kind: 'exclude', nodes: [await addressOf(who, draft, 'Pets')] };
  const before = await there();
  const edited = await call(who, 'POST', `drafts/${draft.id}/operations`, { after: 0, operation });
  expect(edited.refusal?.code).toBe('list/quota');
  const published = await call(who, 'POST', `drafts/${draft.id}/publish`, { after: 0, name: 'made', description: '' });
  expect(published.refusal?.code).toBe('list/quota');
  expect(await there()).toEqual(before);
  const admin = await person('admin');
  await leave(admin, 10);
  expect((await imported(admin, list)).state).toBe('ready');
});

test('the process that clusters writes no more than its user has left, and leaves nothing', async () => {
  const who = await person();
  await leave(who, list.length + 500);
  const draft = await imported(who, list);
  expect([draft.state, draft.refusal?.code]).toEqual(['failed', 'list/quota']);
  expect(Object.values(await there())).toEqual([list.length]);
});

/** A workbook of rows that share one long text. */
function repeating(rows: number, text: string): Uint8Array<ArrayBuffer> {
  const cells = (row: number) =>
    `<row r="${row + 2}"><c t="inlineStr"><is><t>hose ${row}</t></is></c><c t="inlineStr"><is><t>Garden</t></is></c><c t="s"><v>0</v></c></row>`;
  const header = `<row r="1">${['Keyword', 'Group', 'Notes'].map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`;
  const sheet = `<worksheet><sheetData>${header}${Array.from({ length: rows }, (_, row) => cells(row)).join('')}</sheetData></worksheet>`;
  return new Uint8Array(workbookOf({ sheets: { One: sheet }, shared: `<si><t>${escaped(text)}</t></si>` }));
}

test('a small file that would fill the disk is refused, whoever sends it', async () => {
  const who = await person('admin');
  // 45 million characters of two bytes each.
  const bytes = repeating(1_500, 'é'.repeat(30_000));
  expect(bytes.length).toBeLessThan(100_000);
  const draft = await imported(who, bytes, 'list.xlsx');
  expect([draft.state, sayRefusal(draft.refusal!)]).toEqual([
    'failed',
    'A draft of these lists would take more than 64 MB of storage, which is too much for lists of this size. Leave out columns with long or repeated texts, or choose a smaller list.',
  ]);
  expect(Object.values(await there())).toEqual([bytes.length]);
  const longer = await imported(who, repeating(4_000, 'x'.repeat(30_000)), 'list.xlsx');
  expect(sayRefusal(longer.refusal!)).toBe(
    'This spreadsheet is too large or damaged (its cells repeat texts to more than 100 times its size). Save it as CSV: CSV files up to 3072 MB are read.',
  );
});

test('a list that takes too much memory while it is read is refused', async () => {
  await app.stop();
  app = await startTestApp(database, directory, { memoryBytes: 165 * MiB });
  const who = await person('admin');
  const rows = Array.from({ length: 20_000 }, (_, number) => `hose ${number},topic ${number % 5},group ${number % 50}`);
  const draft = await imported(who, new TextEncoder().encode(`Keyword,Group,Cluster\n${rows.join('\n')}\n`));
  expect([draft.state, draft.refusal?.code, draft.refusal?.params?.allowed]).toEqual(['failed', 'draft/memory', 165]);
  expect(Number(draft.refusal?.params?.needed)).toBeGreaterThan(165);
});

test('drafts are begun and deleted only so often', async () => {
  const who = await person('admin');
  const { body } = await begin(who, list);
  await call(who, 'DELETE', `drafts/${body.id}`);
  await database.db
    .updateTable('rate_limits')
    .set({ uses: limits.draftsPerHour - 1 })
    .where('key', 'like', 'begin-draft:%')
    .execute();
  expect((await begin(who, list)).status).toBe(200);
  const { status, refusal } = await begin(who, list);
  expect(status).toBe(429);
  expect(sayRefusal(refusal!)).toContain('Too many drafts were started within an hour. Please wait ');
});

// Shows P26.8.
test('REL-66 an administrator sets limits of one user, which hold for the next import, and gives them back', async () => {
  const [admin, ann, ben] = [await person('admin'), await person(), await person()];
  const quota = (who: Person) => call<UserQuota>(admin, 'GET', `users/${who.id}/quota`);
  const set = (who: Person, own: OwnLimits, by = admin) => call<UserQuota>(by, 'PUT', `users/${who.id}/quota`, { own });
  // Two visualizations and three drafts of 64 MiB each.
  const byDefault = { visualizations: { used: 0, byDefault: 2 }, storageMb: { used: 0, byDefault: 320 } };
  expect((await quota(ann)).body).toEqual({ ...byDefault, own: { visualizations: null, storageMb: null } });
  const none = { visualizations: 0, storageMb: null };
  expect((await set(ann, none)).body.own).toEqual(none);
  expect((await begin(ann, list)).refusal).toEqual({ code: 'list/too-many-maps', params: { count: 0, max: 0 } });
  expect((await begin(ben, list)).status).toBe(200);
  await set(ann, { visualizations: 9, storageMb: 1 });
  await noteStored(database.db, ann.id, [{ key: 'file-x', bytes: MiB }]);
  expect((await begin(ann, list)).refusal).toEqual({ code: 'list/quota', params: { used: 1, max: 1 } });
  await set(ann, { visualizations: null, storageMb: 2 });
  expect((await begin(ann, list)).status).toBe(200);
  expect((await set(ann, { visualizations: null, storageMb: null })).body.storageMb).toEqual({
    used: 2,
    byDefault: 320,
  });
  const lines = await database.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'quota')
    .where('target', '=', ann.id)
    .orderBy('id')
    .execute();
  expect(lines[0]).toEqual({
    actor: admin.id,
    details: { visualizations: 'default → 0', storageMb: 'default → default' },
  });
  expect(lines).toHaveLength(4);
});

test('REL-66 own visualizations count for the storage that the settings allow, and impossible limits are refused', async () => {
  const [admin, ann] = [await person('admin'), await person()];
  const set = (own: object) => call<UserQuota>(admin, 'PUT', `users/${ann.id}/quota`, { own });
  expect((await set({ visualizations: 7, storageMb: null })).body.storageMb.byDefault).toBe(640);
  expect(await storageUse(database.db, ann.id)).toEqual({ used: 0, most: 640 * MiB });
  for (const own of [
    { visualizations: -1, storageMb: null },
    { visualizations: 1.5, storageMb: null },
    { storageMb: 1 },
  ])
    expect((await set(own)).status).toBe(422);
  expect(
    (await call(ann, 'PUT', `users/${ann.id}/quota`, { own: { visualizations: 99, storageMb: null } })).refusal,
  ).toEqual({ code: 'admin/only' });
});
