// Shows SEC-37.
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endProcess, killDatabase, postmasterFile, type ServerProcess, serverProcesses } from '../support/process.ts';

const processes = serverProcesses();
const { newFolder, launch, start } = processes;
/** The data directory of all tests that need one: the first makes it, which takes as long as two other starts. */
const installation = serverProcesses();
const installed = installation.newFolder();
afterEach(() => processes.dispose());
afterAll(() => installation.dispose());

const claimLinks = (running: ServerProcess): string[] => running.output().match(/\S+\/claim#[\w-]{43}/g) ?? [];
const status = async (running: ServerProcess, path: string): Promise<number> =>
  (await fetch(running.url + path)).status;

test('a first start prints the URL and how to become administrator, and Ctrl-C stops everything', async () => {
  const running = await start(installed, { ADMIN_EMAILS: 'one@example.com,two@example.com' });
  expect(claimLinks(running)).toHaveLength(2);
  expect([await status(running, '/healthz'), await status(running, '/readyz')]).toEqual([200, 200]);
  for (const link of claimLinks(running)) expect(running.complaint()).not.toContain(link.split('#')[1]);
  expect(await endProcess(running.child, 'SIGINT')).toBe(0);
  expect(existsSync(postmasterFile(installed))).toBe(false);
});

const production = { NODE_ENV: 'production', BASE_URL: 'http://localhost', ADMIN_EMAILS: 'one@example.com' };

test('production refuses the inspector at the start', async () => {
  const dataDir = newFolder();
  const refused = await launch(dataDir, { ...production, NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  expect((await once(refused.child, 'exit'))[0]).toBe(1);
  expect(refused.complaint()).toContain('--inspect must not be used with NODE_ENV=production');
  expect(existsSync(dataDir)).toBe(false);
});

describe('a server in production', () => {
  let running: ServerProcess;
  beforeAll(async () => {
    running = await installation.start(installed, production);
  });
  afterAll(() => endProcess(running.child, 'SIGTERM'));

  test('refuses the inspector by signal', async () => {
    running.child.kill('SIGUSR1');
    await expect.poll(() => running.complaint()).toContain('Ignored SIGUSR1');
    expect(running.complaint()).not.toContain('Debugger listening');
  });

  test('SEC-28 has a data directory that is not accessible to others', () => {
    const mode = (path: string) => (statSync(join(installed, path)).mode & 0o777).toString(8);
    expect(mode('')).toBe(process.getuid?.() === 0 ? '711' : '700');
    for (const part of ['files', 'mail', 'secret', 'postgres']) expect(mode(part), part).toBe('700');
    for (const file of ['secret/server.key', 'secret/database.json']) expect(mode(file), file).toBe('600');
  });

  test('REL-08 is the only one on its data: a second one is refused with a message', async () => {
    const second = await launch(installed);
    const [code] = await once(second.child, 'exit');
    expect(code).toBe(1);
    expect(second.complaint()).toContain(`Another server already uses ${installed}`);
    expect(await status(running, '/readyz')).toBe(200);
  });
});

test('REL-10 after kill -9 the next start adopts the database and prints a new link, and works after the database was killed too', async () => {
  const first = await start(installed);
  const postmaster = readFileSync(postmasterFile(installed), 'utf8').split('\n')[0];
  await endProcess(first.child, 'SIGKILL');
  const second = await start(installed);
  expect(readFileSync(postmasterFile(installed), 'utf8').split('\n')[0]).toBe(postmaster);
  const read = async (link: string) => {
    const body = JSON.stringify({ token: link.split('#')[1] });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${second.url}/api/claim/read`, { method: 'POST', headers, body })).status;
  };
  // The link of before the kill is invalid.
  expect([await read(claimLinks(first)[0]!), await read(claimLinks(second)[0]!)]).toEqual([422, 200]);
  killDatabase(installed);
  await endProcess(second.child, 'SIGKILL');
  expect(await status(await start(installed), '/readyz')).toBe(200);
});

test.each([
  ['a rejection', `Promise.reject(new Error('missed'))`],
  ['an exception', `throw new Error('missed')`],
])(
  'REL-25 %s that nobody handles is logged and ends the server in order, so that it is started again',
  async (_, fault) => {
    const preload = `data:text/javascript,process.on('SIGWINCH', () => { ${fault}; });`;
    const running = await start(installed, {}, { preload });
    const ended = once(running.child, 'exit');
    running.child.kill('SIGWINCH');
    expect((await ended)[0]).toBe(1);
    const line = running
      .complaint()
      .split('\n')
      .find((one) => one.includes('The server ends'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'ERROR', err: { message: 'missed' } });
    // The tests after this one start a server here again.
    expect(existsSync(postmasterFile(installed))).toBe(false);
  },
);

test('ADMIN_PASSWORD sets the first built-in admin’s password once', async () => {
  const first = await start(installed, { ADMIN_PASSWORD: 'violet-Quarry-77-lamp' });
  expect(claimLinks(first)).toEqual([]);
  await endProcess(first.child, 'SIGTERM');
  const second = await start(installed, { ADMIN_PASSWORD: 'another-Quarry-88-lamp' });
  expect(second.complaint()).toContain('ADMIN_PASSWORD is ignored');
  const signIn = async (password: string) => {
    const body = JSON.stringify({ email: 'admin@example.com', password, remember: false });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${second.url}/api/session`, { method: 'POST', headers, body })).json();
  };
  expect(await signIn('another-Quarry-88-lamp')).toMatchObject({ data: { code: 'sign-in/wrong-password' } });
  expect(await signIn('violet-Quarry-77-lamp')).toMatchObject({ isAdmin: true, status: 'approved' });
});

// Shows P19.1.
test('an invalid variable stops the start with its name', async () => {
  const running = await launch(newFolder(), { LOG_LEVEL: 'loud' });
  expect((await once(running.child, 'exit'))[0]).toBe(1);
  expect(running.complaint()).toBe('LOG_LEVEL must be one of DEBUG, INFO, WARN, ERROR; it is "loud"\n');
});

test('a folder without a language model stops the start, and the reason is said', async () => {
  const folder = newFolder();
  const running = await launch(folder, { CLUSTER_MODEL_DIR: folder });
  expect((await once(running.child, 'exit'))[0]).toBe(1);
  expect(running.complaint()).toBe(
    `CLUSTER_MODEL_DIR is ${folder}. The folder of the language model has no model.json that can be read.\n`,
  );
});
