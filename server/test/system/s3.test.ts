import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Draft } from '@kc/rules/draft-shapes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { openBucket } from '../../src/storage/s3/bucket.ts';
import { offsetOf } from '../../src/storage/s3/s3.ts';
import type { BucketPlace } from '../../src/storage/storage.ts';
import { readingLock } from '../../src/visualizations/ingest/ingest.ts';
import { openUploadSession } from '../../src/visualizations/upload/upload-session.ts';
import { cookieOf } from '../support/app.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyPlace } from '../support/places.ts';
import { endProcess, type ServerProcess, serverProcesses } from '../support/process.ts';
import { isLong } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';
import { type Swift, startSwift, whyNoSwift } from '../support/swift.ts';
import { type TusClient, tusClient } from '../support/tus.ts';

const reason = whyNoSwift();
if (reason) console.log(reason);

const storageUrl = ({ bucket, prefix, endpoint, region }: BucketPlace): string =>
  `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=${region}`;
const codeOf = async (answer: Response) => ((await answer.json()) as { data: { code: string } }).data.code;
async function command(name: 'backup' | 'restore', target: string, environment: Record<string, string>) {
  const file = join(import.meta.dirname, '../../src/commands', `${name}.ts`);
  const env = { PATH: process.env.PATH, ...environment };
  return (await promisify(execFile)(process.execPath, [file, target], { env })).stdout;
}

/** Two servers on two machines, as far as a test can have them: they share a database and a bucket, and no folder. */
describe.skipIf(reason !== undefined)('two servers with a database and an S3 store', () => {
  const mebibyte = 2 ** 20;
  const processes = serverProcesses();
  const dataDirs = [processes.newFolder(), processes.newFolder()] as const;
  let swift: Swift;
  let database: TestDatabase;
  let place: BucketPlace;
  let servers: [ServerProcess, ServerProcess];
  let clients: [TusClient, TusClient];
  let cookie: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    swift = await startSwift();
    database = await testDatabase(prepareJobs);
    await insertAccount(database.db, 'admin', { role: 'admin' });
    cookie = await cookieOf(database, 'admin');
    place = await swift.newBucket();
    environment = {
      DATABASE_URL: databaseUrl(database),
      SECRET: 's'.repeat(32),
      STORAGE_URL: storageUrl(place),
      AWS_ACCESS_KEY_ID: place.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: place.credentials.secretAccessKey,
    };
    const start = (dataDir: string) => processes.start(dataDir, environment);
    servers = [await start(dataDirs[0]), await start(dataDirs[1])];
    clients = [tusClient(servers[0].url, cookie), tusClient(servers[1].url, cookie)];
  });
  afterAll(async () => {
    await processes.dispose();
    await database?.close();
    await swift?.stop();
  });

  /** A map whose file is `size` bytes and a bit: most of it is a note that no reader keeps. */
  function mapFile(size: number): Uint8Array<ArrayBuffer> {
    const note = randomBytes(size / 2).toString('hex');
    const keywords = [{ keyword: 'red shoes', search_volume: 90 }];
    const children = [{ name: 'red shoes', children: [] }];
    return new TextEncoder().encode(JSON.stringify({ note, keywords, hierarchy: { name: 'shoes', children } }));
  }
  async function call<Body>(server: ServerProcess, method: string, path: string, body?: object) {
    const headers = {
      cookie,
      origin: environment.BASE_URL ?? server.url,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }
  const get = (server: ServerProcess, path: string) => fetch(`${server.url}${path}`, { headers: { cookie } });
  const hash = (bytes: ArrayBuffer | Uint8Array) =>
    createHash('sha256')
      .update(Buffer.from(bytes as ArrayBuffer))
      .digest('hex');
  const begin = async (client: TusClient, { length }: Uint8Array, filename: string): Promise<string> =>
    (await client.create(length, { filename, userId: 'admin' })).headers.get('location')!;
  const idOf = async (location: string): Promise<string> => {
    const upload = location.split('/').at(-1)!;
    const query = database.db.selectFrom('visualizations').select('id').where('upload_id', '=', upload);
    return (await query.executeTakeFirstOrThrow()).id;
  };

  // Shows P19.10.
  test('an upload begins at one server, goes on at the other one, and its map is read at both', async () => {
    const file = mapFile(11 * mebibyte);
    const [one, other] = clients;
    const location = await begin(one, file, 'shoes.json');
    const half = 5 * mebibyte + 3;
    expect((await one.patch(location, 0, file.slice(0, half))).status).toBe(204);
    expect((await other.head(location)).headers.get('upload-offset')).toBe(String(half));
    expect((await other.patch(location, half, file.slice(half))).status).toBe(204);
    expect((await one.settled(location)).state).toBe('active');
    const id = await idOf(location);
    for (const server of servers) {
      const slice = await get(server, `/api/visualizations/${id}/slice?node=0`);
      expect(slice.status).toBe(200);
      expect(Buffer.from(await slice.arrayBuffer()).includes('red shoes')).toBe(true);
      const original = await get(server, `/api/visualizations/${id}/original`);
      expect(hash(await original.arrayBuffer())).toBe(hash(file));
    }
    // Nothing but copies of packs is left on either machine.
    for (const folder of dataDirs) {
      expect(existsSync(join(folder, 'files'))).toBe(false);
      expect(readdirSync(join(folder, 'cache', 's3', 'temp'))).toEqual([]);
      await expect.poll(() => readdirSync(join(folder, 'cache', 's3', 'packs')).length).toBe(1);
    }
  });

  // Shows P19.12.
  test('REL-13 while the store is gone an upload pauses and the server says that it is not ready; then it goes on', async () => {
    const file = mapFile(6 * mebibyte);
    const [one] = clients;
    const location = await begin(one, file, 'boots.json');
    expect((await one.patch(location, 0, file.slice(0, mebibyte))).status).toBe(204);
    await swift.pause();
    const during = await one.patch(location, mebibyte, file.slice(mebibyte));
    expect([during.status, await codeOf(during)]).toEqual([503, 'fault/unavailable']);
    const statuses = async () => [
      (await get(servers[0], '/healthz')).status,
      (await get(servers[0], '/readyz')).status,
    ];
    expect(await statuses()).toEqual([200, 503]);
    expect((await get(servers[0], '/api/session')).status).toBe(200);
    await swift.resume();
    expect(await statuses()).toEqual([200, 200]);
    expect((await one.patch(location, mebibyte, file.slice(mebibyte))).status).toBe(204);
    expect((await one.settled(location)).state).toBe('active');
    const original = await get(servers[1], `/api/visualizations/${await idOf(location)}/original`);
    expect(hash(await original.arrayBuffer())).toBe(hash(file));
  });

  test('REL-13 an upload that cannot be read for lack of the store is read afterwards, and no attempt is counted', async () => {
    const file = mapFile(mebibyte);
    const location = await begin(clients[0], file, 'socks.json');
    const upload = location.split('/').at(-1)!;
    // Nobody reads it until the store is gone.
    const session = openUploadSession(() => database.connection);
    const unlock = await session.tryLock(readingLock(upload));
    expect((await clients[0].patch(location, 0, file)).status).toBe(204);
    await swift.pause();
    await unlock!();
    await session.close();
    const said = () => servers.flatMap((server) => server.complaint().split('\n'));
    const isLine = (line: string) => line.includes('"event":"upload-reading-ended"') && line.includes(upload);
    await expect.poll(() => said().filter(isLine)).not.toEqual([]);
    await swift.resume();
    expect((await clients[0].settled(location)).state).toBe('active');
    const query = database.db.selectFrom('uploads').select('attempts').where('id', '=', upload);
    expect((await query.executeTakeFirstOrThrow()).attempts).toBeLessThanOrEqual(1);
  });

  test('REL-13 an upload to a store whose connections break in mid-part ends with every byte', async () => {
    const proxy = await cuttingProxy();
    proxy.leadTo(place.endpoint!);
    const breaking = { ...environment, STORAGE_URL: storageUrl({ ...place, endpoint: proxy.url }) };
    const third = await processes.start(processes.newFolder(), breaking);
    const client = tusClient(third.url, cookie);
    const file = mapFile(24 * mebibyte);
    const location = await begin(client, file, 'gloves.json');
    const statuses = new Set<number>();
    for (let offset = 0, turn = 0; offset < file.length; turn++) {
      // Within the first part, the second and so on. The store is asked twice, so both requests have to break now and then.
      proxy.cutAfter((0.3 + (turn % 5)) * mebibyte);
      const sent = await client.patch(location, offset, file.slice(offset, offset + 6 * mebibyte));
      statuses.add(sent.status);
      offset = Number((await client.head(location)).headers.get('upload-offset'));
    }
    expect(proxy.cuts).toBeGreaterThan(2);
    expect([...statuses].filter((status) => status !== 204 && status !== 503)).toEqual([]);
    expect((await client.settled(location)).state).toBe('active');
    const original = await get(servers[1], `/api/visualizations/${await idOf(location)}/original`);
    expect(hash(await original.arrayBuffer())).toBe(hash(file));
    await endProcess(third.child, 'SIGTERM');
    await proxy.close();
  });

  test('REL-13 an upload to a store that hangs, and then is slow, ends with every byte', async () => {
    const proxy = await cuttingProxy();
    proxy.leadTo(place.endpoint!);
    const stalling = { ...environment, STORAGE_URL: storageUrl({ ...place, endpoint: proxy.url }) };
    const third = await processes.start(processes.newFolder(), stalling);
    const client = tusClient(third.url, cookie);
    const file = mapFile(6 * mebibyte);
    const location = await begin(client, file, 'scarves.json');
    const statuses = new Set<number>();
    for (let offset = 0, turn = 0; offset < file.length; turn++) {
      const isHung = turn < 2;
      const before = proxy.sent;
      if (isHung) proxy.hang();
      const sending = client.patch(location, offset, file.slice(offset, offset + 2 * mebibyte));
      if (isHung) {
        await expect.poll(() => proxy.sent).toBeGreaterThan(before);
        // Others are answered meanwhile.
        expect((await get(third, '/healthz')).status).toBe(200);
        expect((await get(third, '/api/session')).status).toBe(200);
        // In the long proof it hangs until the server has given up.
        if (isLong) await sending;
        proxy.flow(2 * mebibyte);
      }
      statuses.add((await sending).status);
      offset = Number((await client.head(location)).headers.get('upload-offset'));
    }
    expect([...statuses].filter((status) => status !== 204 && status !== 503)).toEqual([]);
    if (isLong) expect([...statuses]).toContain(503);
    expect((await client.settled(location)).state).toBe('active');
    const original = await get(servers[1], `/api/visualizations/${await idOf(location)}/original`);
    expect(hash(await original.arrayBuffer())).toBe(hash(file));
    await endProcess(third.child, 'SIGTERM');
    await proxy.close();
  });

  test('REL-43 what a stopped server still sends does not replace what another one has taken over', async () => {
    const proxy = await cuttingProxy();
    proxy.leadTo(place.endpoint!);
    const through = { ...environment, STORAGE_URL: storageUrl({ ...place, endpoint: proxy.url }) };
    const stopped = await processes.start(processes.newFolder(), through);
    const client = tusClient(stopped.url, cookie);
    const old = mapFile(4 * mebibyte);
    // The same bytes up to where the other server goes on.
    const file = old.slice().fill('f'.charCodeAt(0), 2 * mebibyte, 3 * mebibyte);
    const location = await begin(client, old, 'mittens.json');
    expect((await client.patch(location, 0, old.slice(0, mebibyte))).status).toBe(204);
    // It is stopped in the middle of a part.
    proxy.hang(mebibyte / 2);
    const late = client.patch(location, mebibyte, old.slice(mebibyte)).catch(() => undefined);
    await expect.poll(() => proxy.isHanging).toBe(true);
    stopped.child.kill('SIGSTOP');
    expect((await clients[0].patch(location, mebibyte, file.slice(mebibyte))).status).toBe(204);
    proxy.flow();
    stopped.child.kill('SIGCONT');
    const sent = await late;
    expect(sent?.status).not.toBe(204);
    const row = database.db.selectFrom('uploads').select('file_key').where('id', '=', location.split('/').at(-1)!);
    const key = (await row.executeTakeFirstOrThrow()).file_key;
    const bucket = openBucket(place);
    // Both are there: nothing but their generations says which counts.
    const partsAt = async (offset: number) => {
      let count = 0;
      for await (const { name } of bucket.list(`${key}/`)) count += Number(offsetOf(name) === offset);
      return count;
    };
    await expect.poll(() => partsAt(mebibyte)).toBeGreaterThan(1);
    bucket.close();
    expect((await clients[0].settled(location)).state).toBe('active');
    const original = await get(servers[1], `/api/visualizations/${await idOf(location)}/original`);
    expect(hash(await original.arrayBuffer())).toBe(hash(file));
    await endProcess(stopped.child, 'SIGTERM');
    await proxy.close();
  });

  test('REL-45 a server whose rights to the bucket are taken away is not ready until it has them again', async () => {
    const own = await swift.newBucket();
    const asGuest = async (rights: 'all' | 'read' | 'none') => {
      const { credentials, ...rest } = await swift.allowGuest(own, rights);
      return {
        ...environment,
        // Objects belong to one database.
        DATABASE_URL: databaseUrl(elsewhere),
        STORAGE_URL: storageUrl({ ...rest, credentials }),
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      };
    };
    const elsewhere = await testDatabase(prepareJobs);
    await insertAccount(elsewhere.db, 'admin', { role: 'admin' });
    for (const rights of ['none', 'read'] as const)
      await expect(processes.start(processes.newFolder(), await asGuest(rights))).rejects.toThrow(
        /STORAGE_URL names a bucket that cannot be used\. .*AccessDenied/,
      );
    const server = await processes.start(processes.newFolder(), await asGuest('all'));
    const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
    expect(await readiness()).toBe(200);
    const client = tusClient(server.url, await cookieOf(elsewhere, 'admin'));
    const file = mapFile(mebibyte);
    const location = await begin(client, file, 'caps.json');
    await asGuest('read');
    const during = await client.patch(location, 0, file);
    expect([during.status, await codeOf(during)]).toEqual([503, 'fault/unavailable']);
    expect(await readiness()).toBe(503);
    await asGuest('none');
    expect(await readiness()).toBe(503);
    await asGuest('all');
    expect(await readiness()).toBe(200);
    expect((await client.patch(location, 0, file)).status).toBe(204);
    expect((await client.settled(location)).state).toBe('active');
    await swift.removeBucket(own);
    expect(await readiness()).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await endProcess(server.child, 'SIGTERM');
    await elsewhere.close();
  });

  test('a keyword list becomes a draft, which is read and published at the server that did not make it', async () => {
    const list = new TextEncoder().encode(
      'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\nblue hose,Garden,Hoses,20\ncat food,Pets,Food,5\n',
    );
    const { body: draft } = await call<Draft>(servers[0], 'POST', '/drafts', {
      userId: 'admin',
      name: 'made',
      description: '',
      files: [{ name: 'list.csv', size: list.length, corrections: {} }],
      settings: { preset: 'balanced', grouping: 'columns' },
    });
    expect((await clients[1].patch(`/api/uploads/${draft.files[0]!.id}`, 0, list)).status).toBe(204);
    const now = async () => (await call<Draft>(servers[0], 'GET', `/drafts/${draft.id}`)).body;
    await expect.poll(async () => (await now()).state).toBe('ready');
    const { viewId } = (await now()).revision!;
    const first = await call<{ keywords: number }>(servers[1], 'GET', `/visualizations/${viewId}/nodes/0`);
    expect(first.body).toMatchObject({ keywords: 3 });
    const published = { after: 0, name: 'made on S3', description: '' };
    expect((await call(servers[1], 'POST', `/drafts/${draft.id}/publish`, published)).status).toBe(200);
    const names = async (server: ServerProcess) =>
      (await call<{ fileName: string }[]>(server, 'GET', '/visualizations')).body.map(({ fileName }) => fileName);
    for (const server of servers) await expect.poll(() => names(server)).toContain('made on S3.json');
  });

  test('a backup of the store is restored into another one, byte for byte', async () => {
    const file = mapFile(mebibyte);
    const location = await begin(clients[0], file, 'hats.json');
    expect((await clients[0].patch(location, 0, file)).status).toBe(204);
    expect((await clients[0].settled(location)).state).toBe('active');
    const target = `${processes.newFolder()}-backup`;
    expect(await command('backup', target, { ...environment, DATA_DIR: dataDirs[0] })).toContain('stored files');
    const { database: elsewhere } = await emptyPlace(processes.newFolder(), prepareJobs);
    const other = await swift.newBucket();
    const restored = {
      ...environment,
      DATABASE_URL: databaseUrl(elsewhere),
      STORAGE_URL: storageUrl(other),
      DATA_DIR: processes.newFolder(),
    };
    expect(await command('restore', target, restored)).toContain('Everyone has to sign in again');
    const server = await processes.start(restored.DATA_DIR, restored);
    const owner = openDatabase(elsewhere.owner, () => undefined, 1);
    const again = await cookieOf({ ...elsewhere, db: owner }, 'admin');
    await owner.destroy();
    const original = await fetch(`${server.url}/api/visualizations/${await idOf(location)}/original`, {
      headers: { cookie: again },
    });
    expect(hash(await original.arrayBuffer())).toBe(hash(file));
    await endProcess(server.child, 'SIGTERM');
    await elsewhere.close();
  });

  test('a bucket that does not exist stops the start, and the message names the variable', async () => {
    const wrong = environment.STORAGE_URL!.replace(/s3:\/\/[^/]+/, 's3://nowhere');
    await expect(processes.start(processes.newFolder(), { ...environment, STORAGE_URL: wrong })).rejects.toThrow(
      /STORAGE_URL names a bucket that cannot be used\. .*there is no such bucket/,
    );
  });
});
