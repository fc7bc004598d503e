import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { createImportFolder, type ImportFolderDeps } from './import-folder.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let people = 0;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-folder-'));
  app = await startTestApp(database, join(directory, 'data'));
  await database.db.updateTable('settings').set({ user_imports: true, max_user_visualizations: 20 }).execute();
});
let id: string;
let place: string;
beforeEach(async () => {
  id = `folder-${people++}`;
  await insertAccount(database.db, id);
  place = join(root(), `${id}@example.com`, 'new');
  await mkdir(place, { recursive: true });
});
// What a test leaves there, later ones would look at as well.
afterEach(() => rm(place, { recursive: true }));
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

const root = () => join(directory, 'lists');
const april = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';

/** A server's view of the folder, with a clock that a look moves on. */
function watcher(more: Partial<ImportFolderDeps> = {}) {
  let clock = Date.now();
  const { look } = createImportFolder({ ...app.importing, ...more, folder: root(), now: () => clock });
  return {
    look: async () => {
      await look();
      clock += 11_000;
    },
  };
}

const names = async (folder: string) => (await readdir(join(place, folder)).catch(() => [])).sort();
const maps = () =>
  database.db.selectFrom('visualizations').select(['id', 'is_active']).where('user_id', '=', id).execute();
const drafts = () => database.db.selectFrom('drafts').selectAll().where('owner_id', '=', id).execute();

/** Looks until the file is no longer in its place. */
async function untilGone(file: string, { look } = watcher()): Promise<void> {
  while ((await readdir(place)).includes(file)) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const publishing = () =>
  database.db.insertInto('import_settings').values({ account_id: id, publishes: true }).execute();

// Shows P29.4.
test('a list that is put into the folder of a person is imported once it stays as it is, and moved to done', async () => {
  await publishing();
  const folder = watcher();
  await writeFile(join(place, 'april.csv'), april.slice(0, 40));
  await folder.look();
  await writeFile(join(place, 'april.csv'), april);
  await folder.look();
  expect(await drafts()).toEqual([]);
  await untilGone('april.csv', folder);
  expect(await maps()).toEqual([{ id: expect.any(String), is_active: true }]);
  expect((await names('done')).map((name) => name.replace(/^\S+ /u, ''))).toEqual(['april.csv']);
  expect(app.faults).toEqual([]);
});

test('a list stays a draft without the setting, and a sentence says so', async () => {
  await writeFile(join(place, 'april.csv'), april);
  await untilGone('april.csv');
  expect(await drafts()).toMatchObject([{ state: 'ready', name: 'april' }]);
  const [, said] = await names('done');
  expect(await readFile(join(place, 'done', said!), 'utf8')).toBe('This list waits as a draft.\n');
});

test('import.json beside the files says what the query of a request would', async () => {
  await writeFile(join(place, 'import.json'), '{"publish":"yes","title":"Shop"}');
  await writeFile(join(place, 'april.csv'), april);
  await untilGone('april.csv');
  expect(await maps()).toHaveLength(1);
  expect((await drafts()).map(({ name }) => name)).toEqual(['Shop']);
});

test.each(['{"publish": yes}', '["publish"]', '"publish"'])(
  'an import.json with %s is said to be none',
  async (text) => {
    await writeFile(join(place, 'import.json'), text);
    await writeFile(join(place, 'april.csv'), april);
    await untilGone('april.csv');
    const said = (await names('failed')).find((name) => name.endsWith('.txt'));
    expect(await readFile(join(place, 'failed', said!), 'utf8')).toBe(
      'import.json next to the file is not an object of options, such as {"publish": "yes"}. Correct it, and put the file into the folder again.\n',
    );
  },
);

test.each([
  [
    'that cannot be read',
    'zip.csv',
    'PK\u0003\u0004 and so on',
    'This is a ZIP file. Unpack it and choose the CSV files in it.\n',
  ],
  ['that is empty', 'empty.csv', '', 'This file has no rows.\n'],
  [
    'of an administrator',
    'map.json',
    '{}',
    'A hierarchy cannot wait as a draft: it is published once it has been read. Add publish=yes to confirm that.\n',
  ],
])('a file %s is moved to failed with a sentence beside it, and can be tried again', async (_, file, text, why) => {
  for (const times of [1, 2]) {
    await writeFile(join(place, file), text);
    await untilGone(file);
    const failed = await names('failed');
    expect(failed).toHaveLength(2 * times);
    const said = failed.filter((name) => name.endsWith(`${file}.txt`));
    expect(await readFile(join(place, 'failed', said[0]!), 'utf8')).toBe(why);
  }
});

test('a folder that is not there is said once each time, and looked at when it is', async () => {
  const gone = `${root()}.gone`;
  const lines: string[] = [];
  const log = createLog('INFO', { write: (line) => lines.push(line) });
  const { look } = createImportFolder({ ...app.importing, log, folder: gone, now: Date.now });
  for (const [isThere, said] of [
    [false, 1],
    [false, 1],
    [true, 1],
    [false, 2],
  ] as const) {
    if (isThere) await mkdir(gone);
    await look();
    expect(lines.filter((line) => line.includes('IMPORT_DIR is not there'))).toHaveLength(said);
    await rm(gone, { recursive: true, force: true });
  }
});

test('two servers import a file once, and so does one that stopped before it moved the file', async () => {
  await publishing();
  await writeFile(join(place, 'april.csv'), april);
  const [one, other] = [watcher(), watcher()];
  for (const folder of [one, other]) await folder.look();
  await Promise.all([one.look(), other.look()]);
  await Promise.all([untilGone('april.csv', one), untilGone('april.csv', other)]);
  expect(await maps()).toHaveLength(1);
  // As if it had been stopped between the import and the move.
  await writeFile(join(place, 'april.csv'), april);
  await untilGone('april.csv');
  expect(await maps()).toHaveLength(1);
  expect(app.faults).toEqual([]);
});

test('a folder that cannot be read is reported, and keeps nobody else’s lists from being imported', async () => {
  const locked = join(root(), 'aaa@example.com');
  await mkdir(join(locked, 'new'), { recursive: true });
  await writeFile(join(place, 'april.csv'), april);
  const reported: unknown[] = [];
  const folder = watcher({
    log: { ...app.importing.log, error: (line: unknown) => reported.push(line) } as never,
    async entriesIn(asked: string) {
      if (asked === locked) throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
      return readdir(asked, { withFileTypes: true });
    },
  });
  await untilGone('april.csv', folder);
  expect(await drafts()).toMatchObject([{ name: 'april' }]);
  expect(reported[0]).toMatchObject({ err: { code: 'EACCES' }, folder: locked });
  await rm(locked, { recursive: true });
});

test('a file that another server moves while this one looks is not reported', async () => {
  for (const name of ['april.csv', 'may.csv']) await writeFile(join(place, name), april);
  const { session } = app.importing;
  const folder = watcher({
    session: {
      ...session,
      // While the first file has its turn, the second one goes.
      async tryLock(name) {
        await rm(join(place, 'may.csv'));
        return session.tryLock(name);
      },
    },
  });
  await folder.look();
  await folder.look();
  expect(await names('.')).toEqual(['april.csv']);
  expect(app.faults).toEqual([]);
});

test('a file waits while the options beside it cannot be read', async () => {
  await writeFile(join(directory, 'options.json'), '{"publish":"yes"}');
  await symlink(join(directory, 'options.json'), join(place, 'import.json'));
  await writeFile(join(place, 'april.csv'), april);
  const reported: unknown[] = [];
  const folder = watcher({ log: { ...app.importing.log, error: (line: unknown) => reported.push(line) } as never });
  await folder.look();
  await folder.look();
  expect(reported).toMatchObject([{ err: { code: 'ELOOP' }, file: join(place, 'april.csv') }]);
  expect(await drafts()).toEqual([]);
});

test('a file that cannot be moved away is imported once', async () => {
  await symlink(directory, join(place, 'failed'));
  await writeFile(join(place, 'zip.csv'), 'PK\u0003\u0004 and so on');
  const reported: string[] = [];
  const error = ({ err }: { err: Error }) => reported.push(err.message);
  const folder = watcher({ log: { ...app.importing.log, error } as never });
  while (reported.length < 3) {
    await folder.look();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(new Set(reported)).toEqual(new Set([`${join(place, 'failed')} is no folder`]));
  expect(await drafts()).toHaveLength(1);
});

test.each(['left there', 'taken from there'])(
  'a failed file is imported anew if its server stopped after moving it, and it was %s',
  async (how) => {
    await writeFile(join(place, 'zip.csv'), 'PK\u0003\u0004 and so on');
    const folder = watcher();
    const imports = database.db.selectFrom('imported_files').selectAll().where('account_id', '=', id);
    while ((await imports.execute()).length === 0) await folder.look();
    const [begun] = await imports.execute();
    await untilGone('zip.csv', folder);
    await database.db.insertInto('imported_files').values(begun!).execute();
    const [failed] = await names('failed');
    if (how === 'left there') await writeFile(join(place, 'zip.csv'), 'PK\u0003\u0004 and so on');
    else await rename(join(place, 'failed', failed!), join(place, 'zip.csv'));
    await untilGone('zip.csv');
    expect(await drafts()).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    expect(await imports.execute()).toEqual([]);
    expect(app.faults).toEqual([]);
  },
);

test('what was received when a server stopped is received anew', async () => {
  await publishing();
  await writeFile(join(place, 'april.csv'), april);
  let clock = Date.now();
  const { uploads, log } = app.importing;
  const stopped = createImportFolder({
    ...app.importing,
    // The import is begun, and then neither bytes come nor is anything cleaned up.
    uploads: {
      ...uploads,
      db: { ...uploads.db } as never,
      locks: { during: () => Promise.reject(new Error('Stopped')) },
    },
    log: { ...log, error: () => undefined, warn: () => undefined },
    folder: root(),
    now: () => clock,
  });
  await stopped.look();
  clock += 11_000;
  await stopped.look();
  expect(await drafts()).toMatchObject([{ state: 'receiving' }]);
  await untilGone('april.csv');
  expect(await drafts()).toMatchObject([{ state: 'published' }]);
  expect(await maps()).toHaveLength(1);
});

test('nothing outside of the folder is read, nobody else’s files, and no file that is being written', async () => {
  const secret = join(directory, 'secret.csv');
  await writeFile(secret, april);
  await symlink(secret, join(place, 'link.csv'));
  await symlink(directory, join(root(), `${id}@example.com`, 'active'));
  await mkdir(join(root(), 'nobody@example.com', 'new'), { recursive: true });
  await writeFile(join(root(), 'nobody@example.com', 'new', 'a.csv'), april);
  await writeFile(join(place, 'april.csv.part'), april);
  const folder = watcher();
  for (let looks = 0; looks < 4; looks++) await folder.look();
  expect(await drafts()).toEqual([]);
  expect(await names('.')).toEqual(['april.csv.part', 'link.csv']);
});

test('the folder of somebody who may not import is refused', async () => {
  await database.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', id).execute();
  await writeFile(join(place, 'april.csv'), april);
  await untilGone('april.csv');
  expect((await names('failed')).length).toBe(2);
  expect(await drafts()).toEqual([]);
});
