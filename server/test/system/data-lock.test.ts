import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { livePostmaster } from '../../src/database/postmaster.ts';
import { contained, hasNamespaces, keptAlive, ownTmp, serverPid } from '../support/namespaces.ts';
import {
  endProcess,
  inherited,
  killDatabase,
  postmasterFile,
  type ServerProcess,
  serverProcesses,
} from '../support/process.ts';
import { isLong, proof } from '../support/proof.ts';

// A sample of `npm run prove -- kills`. That also starts the second server with the same /tmp, ends a database whose sockets
// are gone, and kills many times.
const processes = serverProcesses();
/** One data directory for all tests: none is about the first start, which takes as long as two others. */
const installation = serverProcesses();
const dataDir = installation.newFolder();
// Each test starts several servers.
vi.setConfig({ testTimeout: 600_000 });

/** The programs around servers do not pass on SIGTERM, and end what they run when they are killed. */
const around: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(around.splice(0).map(({ child }) => endProcess(child, 'SIGKILL')));
  await processes.dispose();
});
afterAll(() => installation.dispose());

const password = 'violet-Quarry-77-lamp';
const environment = { ADMIN_PASSWORD: password };
type Under = { readonly under?: readonly string[]; readonly tmp?: string };

async function start(dataDir: string, { under, tmp = tmpdir() }: Under = {}): Promise<ServerProcess> {
  const server = await processes.start(dataDir, { ...environment, TMPDIR: tmp }, under ? { under } : {});
  if (under) around.push(server);
  return server;
}

/** Starts a server that is refused. @returns what it said */
async function refused(dataDir: string, { under, tmp = tmpdir() }: Under = {}): Promise<string> {
  const second = await processes.launch(dataDir, { ...environment, TMPDIR: tmp }, under ? { under } : {});
  if (under) around.push(second);
  const [code] = await once(second.child, 'exit');
  expect(code).toBe(1);
  return second.complaint();
}

const post = (url: string, path: string, body: object, cookie = ''): Promise<Response> =>
  fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.replace('127.0.0.1', 'localhost'), cookie },
    body: JSON.stringify(body),
  });

async function signIn({ url }: ServerProcess): Promise<string | undefined> {
  const answer = await post(url, '/session', { email: 'admin@example.com', password, remember: false });
  return answer.headers.getSetCookie()[0]?.split(';')[0];
}

/** Creates an account. @returns whether the server acknowledged it; then its email is added */
async function triesToAdd(server: ServerProcess, emails: string[]): Promise<boolean> {
  const email = `${randomUUID()}@example.org`;
  const user = { email, password: 'tulip-Harbor-9', role: 'user' };
  const { status } = await post(server.url, '/users', user, await signIn(server));
  if (status === 200) emails.push(email);
  return status === 200;
}

async function addAccount(server: ServerProcess, emails: string[]): Promise<void> {
  expect(await triesToAdd(server, emails)).toBe(true);
}

async function expectAll(server: ServerProcess, emails: readonly string[]): Promise<void> {
  const answer = await fetch(`${server.url}/api/users`, { headers: { cookie: (await signIn(server)) ?? '' } });
  const found = ((await answer.json()) as { email: string }[]).map(({ email }) => email);
  expect(found).toEqual(expect.arrayContaining([...emails]));
}

const socketOf = (dataDir: string): string => {
  const lines = readFileSync(postmasterFile(dataDir), 'utf8').split('\n');
  return join(lines[4]!.trim(), `.s.PGSQL.${lines[3]}`);
};

describe.skipIf(!hasNamespaces)('in containers on one volume (needs the right to make namespaces)', () => {
  test.each(isLong ? ['the same', 'its own'] : ['its own'])(
    'REL-08 a second server with %s /tmp is refused, and the first goes on',
    async (tmp) => {
      const place = tmp === 'the same' ? { under: contained } : ownTmp(dataDir, contained);
      const emails: string[] = [];
      const first = await start(dataDir, { under: contained });
      await addAccount(first, emails);
      const [socket, postmaster] = [socketOf(dataDir), readFileSync(postmasterFile(dataDir), 'utf8')];
      expect(await refused(dataDir, place)).toMatch(
        new RegExp(`^Another server already uses ${dataDir} \\(process 1 on .*stop it first`),
      );
      expect(readFileSync(postmasterFile(dataDir), 'utf8')).toBe(postmaster);
      expect(statSync(socket).isSocket()).toBe(true);
      await addAccount(first, emails);
      await endProcess(first.child, 'SIGKILL');
      const next = await start(dataDir, place);
      await expectAll(next, emails);
      await addAccount(next, emails);
      // The first process of a container gets no signal that it did not ask for, except from outside.
      await endProcess(next.child, 'SIGKILL');
      await expectAll(await start(dataDir), emails);
    },
  );

  test('REL-10 a database that outlives its server in another container is left alone until that container ends', async () => {
    const emails: string[] = [];
    const first = await start(dataDir, { under: keptAlive });
    await addAccount(first, emails);
    const socket = socketOf(dataDir);
    process.kill(serverPid(first), 'SIGKILL');
    const said = await refused(dataDir, { under: contained });
    expect(said).toMatch(/PostgreSQL still runs on .* Stop it there, then start again/);
    expect(existsSync(socket)).toBe(true);
    await endProcess(first.child, 'SIGKILL');
    await expectAll(await start(dataDir, { under: contained }), emails);
  });

  test.runIf(isLong)(
    'REL-10 a database whose sockets cannot be reached any more is ended, and a new one starts',
    async () => {
      const emails: string[] = [];
      const first = await start(dataDir, ownTmp(dataDir, []));
      await addAccount(first, emails);
      await endProcess(first.child, 'SIGKILL');
      await expectAll(await start(dataDir), emails);
    },
  );

  test('a command that cannot reach the database of the server says where to run it', async () => {
    const { under, tmp } = ownTmp(dataDir, contained);
    await start(dataDir, { under, tmp });
    const command = join(import.meta.dirname, '../../src/commands/claim-link.ts');
    const child = spawn(process.execPath, [command], { env: { ...inherited(), DATA_DIR: dataDir } });
    let said = '';
    child.stderr.on('data', (bytes) => (said += bytes));
    expect((await once(child, 'close'))[0]).toBe(1);
    expect(said).toMatch(/^The database of the server that uses .* \(process 1 on .* in the same container, or stop/);
  });
});

test('a claim link is not made in a folder where no server has started, and nothing is written there', async () => {
  const elsewhere = join(processes.newFolder(), 'elsewhere');
  const command = join(import.meta.dirname, '../../src/commands/claim-link.ts');
  const child = spawn(process.execPath, [command], { env: { ...inherited(), DATA_DIR: elsewhere } });
  let said = '';
  child.stderr.on('data', (bytes) => (said += bytes));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(said).toBe(`${elsewhere} has no database: set DATA_DIR as for the server, and start that once before this\n`);
  expect(existsSync(elsewhere)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  'REL-10 a process that got the number of the killed database does not stop the start, and is not signalled',
  async () => {
    const emails: string[] = [];
    const first = await start(dataDir);
    await addAccount(first, emails);
    const file = postmasterFile(dataDir);
    const owner = statSync(file);
    killDatabase(dataDir);
    await endProcess(first.child, 'SIGKILL');
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore', uid: owner.uid, gid: owner.gid });
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'));
    const next = await start(dataDir);
    await expectAll(next, emails);
    await endProcess(next.child, 'SIGTERM');
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
    stranger.kill('SIGKILL');
  },
);

test('REL-10 whatever is killed, and in whatever order, every account that was acknowledged is there', async () => {
  const { runs, seed } = proof(1);
  const emails: string[] = [];
  const kills = fc.sample(
    fc.record({
      place: fc.constantFrom(...(hasNamespaces ? (['here', 'contained'] as const) : (['here'] as const))),
      database: fc.constantFrom('lives', 'dies first', 'dies and comes back'),
    }),
    { numRuns: runs, seed },
  );
  for (const { place, database } of kills) {
    // A database that runs outside of a container cannot be seen from inside.
    const left = place === 'contained' ? livePostmaster(join(dataDir, 'postgres')) : undefined;
    if (left) process.kill(left.pid, 'SIGKILL');
    const server = await start(dataDir, place === 'contained' ? { under: contained } : {});
    await expectAll(server, emails);
    await addAccount(server, emails);
    if (database !== 'lives' && place === 'here') killDatabase(dataDir);
    if (database === 'dies and comes back') await expect.poll(() => triesToAdd(server, emails)).toBe(true);
    await endProcess(server.child, 'SIGKILL');
  }
  await expectAll(await start(dataDir), emails);
});
