// Shows REL-39.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createMemoryStorage } from '../../test/support/memory-storage.ts';
import { cheapHash } from '../../test/support/passwords.ts';
import { emptyPlace, filesOf, type Place, removeFolder, rowsOf, testFolder } from '../../test/support/places.ts';
import { inherited } from '../../test/support/process.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { giveWebhook } from '../../test/support/webhook-expectations.ts';
import { savePassword } from '../accounts/queries.ts';
import { roles } from '../database/cluster.ts';
import { holdDataDir } from '../database/data-lock.ts';
import { migrate } from '../database/migrate.ts';
import { restoreMark, startDatabase } from '../database/start.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { newKey, type Storage } from '../storage/storage.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const password = 'tulip-Harbor-9-lamp';
const encode = (text: string) => new TextEncoder().encode(text);
const shoes = encode('{"keywords":["a","b"],"hierarchy":{"name":"shoes","children":["a","b","c"]}}');
const hats = encode('{"keywords":[],"hierarchy":{"name":"hats"}}');

let folder: string;
let dataDir: string;
let database: TestDatabase;
let app: TestApp;
/** A backup made while the server was running and a visualization was being deleted. */
let backup: string;
let kept: string;
let deletedMeanwhile: string;
/** The content of the database when the backup started. */
let rows: Record<string, string[]>;
const places: Place[] = [];

async function newPlace(): Promise<Place> {
  const place = await emptyPlace(join(folder, `restored-${places.length}`), prepareJobs);
  places.push(place);
  return place;
}

const parts = (storage: Storage) => ({
  connection: database.connection,
  storage,
  dataDir,
  secretFile: join(dataDir, 'secret', 'server.key'),
  version: '0.0.0',
  now: Date.now,
});

async function upload(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const status = await client.settled(await client.send(file, { filename: 'a.json', userId: 'ann' }));
  return status.visualizationId!;
}

beforeAll(async () => {
  folder = await testFolder();
  dataDir = join(folder, 'data');
  database = await testDatabase(prepareJobs);
  await mkdir(join(dataDir, 'secret'), { recursive: true });
  await writeFile(join(dataDir, 'secret', 'server.key'), 'what a server of tests signs and seals with');
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  await savePassword(database.db, 'ann', cheapHash(password), Date.now());
  app = await startTestApp(database, dataDir);
  kept = await upload(shoes);
  deletedMeanwhile = await upload(hats);
  await begin();
  await giveToken({ database, clock: Date.now() }, 'ann');
  await giveWebhook({ database, clock: Date.now() });

  backup = join(folder, 'backup');
  const admin = await cookieOf(database, 'admin');
  rows = await rowsOf(database.owner);
  let isDeleted = false;
  const open: Storage['open'] = async (key) => {
    // The rows are written, but no file yet.
    if (!isDeleted) {
      isDeleted = true;
      const { status } = await fetch(`${app.url}/api/visualizations/${deletedMeanwhile}`, {
        method: 'DELETE',
        headers: { cookie: admin },
      });
      expect(status).toBe(200);
    }
    return app.storage.open(key);
  };
  await writeBackup(parts({ ...app.storage, open }), backup);
  expect(isDeleted).toBe(true);
});
afterAll(async () => {
  await app.stop();
  for (const place of [...places.map((place) => place.database), database]) await place.close();
  await removeFolder(folder);
});

/** An upload whose second half never arrives. */
async function begin(): Promise<void> {
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const location = (await client.create(shoes.length, { filename: 'half.json', userId: 'ann' })).headers.get(
    'location',
  )!;
  expect((await client.patch(location, 0, shoes.slice(0, 20))).status).toBe(204);
}

// Shows P19.3.
test('REL-29 rows, files and the secret are restored, including recently deleted ones', async () => {
  const place = await newPlace();
  await restoreBackup(place, backup);
  const restored = await rowsOf(place.database.owner);
  expect(Object.keys(restored)).toEqual(Object.keys(rows));
  // Transient rows, such as an unfinished upload, must be gone. The log has one more line, for the restore.
  const passing = {
    tokens: [],
    access_tokens: [],
    webhooks: [],
    webhook_deliveries: [],
    sessions: [],
    event_streams: [],
    deleted_files: [],
  };
  const finished = rows.uploads!.filter((row) => row.includes('\tactive\t'));
  expect([rows.uploads!.length, finished.length]).toEqual([3, 2]);
  const [line, ...older] = [...restored.audit_log!].sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  expect(line).toContain('\tsystem\trestore\t');
  // The database of the backup may go on: the restored one is another.
  const [other] = restored.database_identity!;
  expect(other).toMatch(/^[0-9a-f]{32}$/);
  expect(other).not.toBe(rows.database_identity![0]);
  expect(await (await place.openStorage()).owner()).toBe(other);
  const changed = { audit_log: older.sort(), database_identity: rows.database_identity };
  expect({ ...restored, ...changed }).toEqual({ ...rows, ...passing, uploads: finished });
  expect(rows.visualizations).toHaveLength(2);
  // Somebody may have revoked it since.
  expect(rows.access_tokens).toHaveLength(1);
  // A copy of a server must not tell anybody that something happened.
  expect(rows.webhooks).toHaveLength(1);

  const stored = await filesOf(place.dataDir);
  const before = await filesOf(dataDir);
  expect(Object.keys(stored)).toHaveLength(4);
  expect(before).toMatchObject(stored);
  expect(await readFile(join(place.dataDir, 'secret', 'server.key'), 'utf8')).toMatch(/^what a server/);
  expect(await readdir(place.dataDir)).not.toContain('restore.unfinished');
});

// Shows P19.3.
test('on a restored server users can sign in and have their data, and numbering continues', async () => {
  const place = await newPlace();
  await restoreBackup(place, backup);
  const again = await startTestApp(place.database, place.dataDir);
  try {
    const body = JSON.stringify({ email: 'ann@example.com', password, remember: false });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch(`${again.url}/api/session`, { method: 'POST', headers, body });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    for (const [id, file] of [
      [kept, shoes],
      [deletedMeanwhile, hats],
    ] as const) {
      const get = (what: string) => fetch(`${again.url}/api/visualizations/${id}/${what}`, { headers: { cookie } });
      expect((await get('slice')).status).toBe(200);
      expect(new Uint8Array(await (await get('original')).arrayBuffer())).toEqual(file);
    }
    // The log has new lines for the restore, a sign-in and two downloads. Their IDs were not used before.
    expect((await rowsOf(place.database.owner)).audit_log).toHaveLength(rows.audit_log!.length + 4);
    expect(again.faults).toEqual([]);
  } finally {
    await again.stop();
  }
});

async function remove(visualization: string): Promise<void> {
  const headers = { cookie: await cookieOf(database, 'admin') };
  const { status } = await fetch(`${app.url}/api/visualizations/${visualization}`, { method: 'DELETE', headers });
  expect(status).toBe(200);
}

/** The storage, and the keys that were read from it. */
function watched(): { readonly storage: Storage; readonly read: string[] } {
  const read: string[] = [];
  const open: Storage['open'] = async (key) => {
    read.push(key);
    return app.storage.open(key);
  };
  return { storage: { ...app.storage, open }, read };
}

// Shows P26.6.
test('REL-65 a backup takes unchanged files from an earlier one, and is complete when that one is gone', async () => {
  const first = join(folder, 'first');
  const second = join(folder, 'second');
  const whole = await writeBackup(parts(app.storage), first);
  expect(whole.reused).toBe(0);
  const added = await upload(encode('{"keywords":["z"],"hierarchy":{"name":"later"}}'));
  const { storage, read } = watched();
  const next = await writeBackup(parts(storage), second, first);
  const keys = next.files.map(({ key }) => key);
  const known = whole.files.map(({ key }) => key);
  expect(read).toEqual(keys.filter((key) => !known.includes(key)));
  expect(read).toHaveLength(2);
  expect(next.reused).toBe(known.length);
  const inode = async (place: string) => (await stat(join(place, 'files', known[0]!))).ino;
  expect(await inode(second)).toBe(await inode(first));
  await rm(first, { recursive: true });
  await checkBackup(second);
  const place = await newPlace();
  await restoreBackup(place, second);
  const stored = await filesOf(place.dataDir);
  expect(Object.keys(stored)).toHaveLength(keys.length);
  expect(await filesOf(dataDir)).toMatchObject(stored);
  await remove(added);
});

// Shows P26.6.
test('REL-65 a damaged file of an earlier backup is copied from the storage again', async () => {
  const first = join(folder, 'sound');
  const third = await upload(encode('{"keywords":["q"],"hierarchy":{"name":"third"}}'));
  const whole = await writeBackup(parts(app.storage), first);
  const [bad, lost] = whole.files.map(({ key }) => key);
  const path = join(first, 'files', bad!);
  const bytes = await readFile(path);
  bytes[0]! ^= 1;
  await writeFile(path, bytes);
  await rm(join(first, 'files', lost!));
  const { storage, read } = watched();
  const second = join(folder, 'mended');
  const next = await writeBackup(parts(storage), second, first);
  expect([...read].sort()).toEqual([bad, lost].sort());
  expect(next.reused).toBe(whole.files.length - 2);
  expect(next.reused).toBeGreaterThan(0);
  await checkBackup(second);
  await remove(third);
});

test('REL-65 a file that is gone from the storage is missing, although an earlier backup has it', async () => {
  const first = join(folder, 'has-all');
  const whole = await writeBackup(parts(app.storage), first);
  const [gone] = whole.files.map(({ key }) => key);
  const storage: Storage = {
    ...app.storage,
    stat: async (key) => (key === gone ? undefined : app.storage.stat(key)),
    open: async (key) => (key === gone ? Promise.reject(new Error('gone')) : app.storage.open(key)),
  };
  const made = writeBackup(parts(storage), join(folder, 'has-less'), first);
  await expect(made).rejects.toThrow(`The stored file ${gone} cannot be read`);
});

test('nobody else can read a backup', async () => {
  for (const entry of await readdir(backup, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
  expect((await stat(backup)).mode & 0o777).toBe(0o700);
});

test.each([
  ['a table', 'tables/accounts.copy'],
  ['a stored file', undefined],
  ['the secret', 'secret/server.key'],
])('%s with one different bit is detected before anything is written', async (_what, named) => {
  const path = join(backup, named ?? join('files', (await readdir(join(backup, 'files')))[0]!));
  const good = await readFile(path);
  const bad = Buffer.from(good);
  bad[5]! ^= 1;
  await writeFile(path, bad);
  const place = await newPlace();
  try {
    await expect(restoreBackup(place, backup)).rejects.toThrow(/is damaged: .* is not what was written/);
  } finally {
    await writeFile(path, good);
  }
  await expect(stat(place.dataDir)).rejects.toThrow();
  expect(await rowsOf(place.database.owner)).toEqual({});
  expect((await checkBackup(backup)).files).toHaveLength(4);
});

test('a folder without a manifest, and one of a later schema, are refused', async () => {
  const manifest = join(backup, 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  const place = await newPlace();
  await writeFile(manifest, text.replace(/"schema": "\d+-/, '"schema": "999-'));
  await expect(restoreBackup(place, backup)).rejects.toThrow(/newer version/);
  await writeFile(manifest, text.slice(0, -20));
  await expect(restoreBackup(place, backup)).rejects.toThrow(/damaged, or of a newer version/);
  await rm(manifest);
  await expect(restoreBackup(place, backup)).rejects.toThrow(/no complete backup/);
  await writeFile(manifest, text);
});

test('a restore into a used data directory or a used database is refused, and changes neither', async () => {
  const place = await newPlace();
  await mkdir(join(place.dataDir, 'files'), { recursive: true });
  await writeFile(join(place.dataDir, 'files', 'x'), '');
  await expect(restoreBackup(place, backup)).rejects.toThrow(/is not empty \(it has files\)/);
  await rm(join(place.dataDir, 'files', 'x'));
  await migrate(place.database.owner, roles.app);
  await expect(restoreBackup(place, backup)).rejects.toThrow(/The database is not empty/);
  expect(await readdir(place.dataDir)).toEqual(['files', 'server.lock']);
});

test('an interrupted restore continues, but only with the same backup', async () => {
  const place = await newPlace();
  const noDisk = { ...(await place.openStorage()), append: () => Promise.reject(new Error('no disk')) };
  const broken = { ...place, openStorage: async () => noDisk };
  await expect(restoreBackup(broken, backup)).rejects.toThrow('no disk');
  expect(await readFile(restoreMark(place.dataDir), 'utf8')).toMatch(/^[0-9a-f]{32}$/);
  const at = { dataDir: place.dataDir, dbOsUser: 'nobody', databaseUrl: databaseUrl(place.database) };
  await expect(startDatabase(at, createLog('ERROR'), prepareJobs, () => undefined)).rejects.toThrow(/was not finished/);
  const other = join(folder, 'other');
  await writeBackup(parts(app.storage), other);
  await expect(restoreBackup(place, other)).rejects.toThrow(/is not empty/);
  // The rows are restored, but nothing after them.
  const half = { ...place, prepare: () => Promise.reject(new Error('no jobs')) };
  await expect(restoreBackup(half, backup)).rejects.toThrow('no jobs');
  await restoreBackup(place, backup);
  expect((await rowsOf(place.database.owner)).visualizations).toEqual(rows.visualizations);
  expect((await rowsOf(place.database.owner)).sessions).toEqual([]);
  expect(Object.keys(await filesOf(place.dataDir))).toHaveLength(4);
});

test('a storage of another database is restored into only if that one is to be replaced, also by a second attempt', async () => {
  const place = await newPlace();
  const bucket = createMemoryStorage();
  const openStorage = async () => bucket;
  await bucket.setOwner('a'.repeat(32));
  for (const _attempt of [1, 2])
    await expect(restoreBackup({ ...place, openStorage }, backup)).rejects.toThrow(`ADOPT_STORAGE=${'a'.repeat(32)}`);
  expect(await rowsOf(place.database.owner)).toEqual({});
  let isBroken = true;
  const breaking: Storage = {
    ...bucket,
    async setOwner(identity) {
      await bucket.setOwner(identity);
      if (isBroken) throw new Error('the restore was killed');
    },
  };
  const adopting = { ...place, adoptStorage: 'a'.repeat(32), openStorage: async () => breaking };
  await expect(restoreBackup(adopting, backup)).rejects.toThrow('the restore was killed');
  isBroken = false;
  await restoreBackup({ ...place, openStorage }, backup);
  expect(await bucket.owner()).toBe((await rowsOf(place.database.owner)).database_identity![0]);
});

test('a storage with files that nobody has claimed is not restored into', async () => {
  const place = await newPlace();
  const bucket = createMemoryStorage();
  await bucket.append(newKey('file'), 0);
  const openStorage = async () => bucket;
  for (const _attempt of [1, 2])
    await expect(restoreBackup({ ...place, openStorage }, backup)).rejects.toThrow('ADOPT_STORAGE=unmarked');
  await expect(restoreBackup({ ...place, openStorage, adoptStorage: 'unmarked' }, backup)).resolves.toBeDefined();
});

test('a data directory that a server or another restore uses is not restored into', async () => {
  const place = await newPlace();
  const lock = await holdDataDir(place.dataDir, 'server');
  await expect(restoreBackup(place, backup)).rejects.toThrow(/Another server already uses/);
  expect(await readdir(place.dataDir)).toEqual(['server.lock']);
  lock.release();
  await restoreBackup(place, backup);
});

test('a backup of an earlier schema is migrated when it is restored', async () => {
  const early = await newPlace();
  await migrate(early.database.owner, roles.app, undefined, '006-identities');
  await insertAccount(early.database.db, 'early');
  const storage = await early.openStorage();
  const target = join(folder, 'early');
  await writeBackup({ ...parts(storage), connection: early.database.connection }, target);
  expect(await checkBackup(target)).toMatchObject({ schema: '006-identities', files: [] });
  const place = await newPlace();
  await restoreBackup(place, target);
  const restored = await rowsOf(place.database.owner);
  expect(restored.accounts?.map((row) => row.split('\t')[0])).toEqual(['early']);
  expect(Object.keys(restored)).toEqual(Object.keys(rows));
  // Columns that were added later have their defaults.
  const [settings] = (await rowsOf(early.database.owner)).settings!;
  expect(restored.settings).toEqual([`${settings}\tf\t5\t100\tf`]);
});

test('a failed backup leaves nothing, and none overwrites another or is written into the data directory', async () => {
  const target = join(folder, 'never');
  const gone = { ...app.storage, open: () => Promise.reject(new Error('gone')) };
  await expect(writeBackup(parts(gone), target)).rejects.toThrow(/cannot be read, so the backup would be incomplete/);
  expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  await expect(writeBackup(parts(app.storage), backup)).rejects.toThrow(/already exists/);
  await expect(writeBackup(parts(app.storage), join(dataDir, 'backup'))).rejects.toThrow(/name a folder elsewhere/);
});

const command = (name: 'backup' | 'restore', target: string, environment: Record<string, string>) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../commands', `${name}.ts`), target], {
    env: { ...inherited(), ...environment },
  });

test('both commands work with DATABASE_URL', async () => {
  const [target, place] = [join(folder, 'by-command'), await newPlace()];
  const made = await command('backup', target, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl(database) });
  expect(made.stdout).toContain('2 stored files');
  expect((await rowsOf(database.owner)).audit_log!.at(-1)).toContain('backup');
  const restored = await command('restore', target, {
    DATA_DIR: place.dataDir,
    DATABASE_URL: databaseUrl(place.database),
  });
  expect(restored.stdout).toContain('Everyone has to sign in again');
  expect(Object.keys(await filesOf(place.dataDir))).toHaveLength(2);
  expect((await rowsOf(place.database.owner)).visualizations).toEqual((await rowsOf(database.owner)).visualizations);
  const nowhere = join(folder, 'nowhere');
  await expect(command('backup', join(folder, 'no'), { DATA_DIR: nowhere })).rejects.toMatchObject({
    stderr: expect.stringContaining('nowhere has no database'),
  });
  expect(await readdir(folder)).not.toContain('nowhere');
  await expect(command('restore', target, { DATA_DIR: place.dataDir })).rejects.toMatchObject({
    stderr: expect.stringContaining('is not empty'),
  });
});
