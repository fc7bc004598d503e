import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-local-'));
  // PostgreSQL is not run as root.
  await chmod(directory, 0o755);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Starts the tools for a file, and ends them. @returns what the overview says, and what it is refused with */
async function overviewOf(name: string, text: string, ...options: string[]) {
  const file = join(directory, name);
  await writeFile(file, text);
  const args = [fileURLToPath(new URL('mcp.ts', import.meta.url)), file, ...options];
  // Nothing of a server that the environment names is touched: this one cannot be reached.
  const env = { PATH: process.env.PATH!, TMPDIR: directory, DATABASE_URL: 'postgres://nobody@localhost:1/none' };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const asked = { name: 'overview', arguments: {} };
  const { structuredContent, content } = await client.callTool(asked, { timeout: 100_000 });
  return {
    found: structuredContent as Record<string, unknown>,
    text: (content as { text: string }[])[0]!.text,
    client,
    pid: transport.pid!,
  };
}

/** Nothing but the files of these tests: neither data of a server nor the socket of its database. */
const expectNothingLeft = (...files: string[]) =>
  expect.poll(() => readdir(directory), { timeout: 60_000 }).toEqual(files);

const list = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';

// Shows P28.9.
test('the tools of an agent work on a file alone, with a server that is gone when they end', async () => {
  const { found, client } = await overviewOf('hoses.csv', list, 'language=en');
  expect(found).toMatchObject({ name: 'hoses', figures: { keywords: 3, volume: { value: 6, known: 3 } } });
  const { origin } = new URL(String(found.link));
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  await client.close();
  await expect.poll(() => fetch(`${origin}/healthz`).then(Boolean, () => false), { timeout: 60_000 }).toBe(false);
  await expectNothingLeft('hoses.csv');
});

test('nothing is left of a server whose tools are killed', async () => {
  const { pid } = await overviewOf('hoses.csv', list, 'language=en');
  process.kill(pid, 'SIGKILL');
  await expectNothingLeft('hoses.csv');
});

test.each([
  ['no-address', []],
  ['keywords.example.com:8080', []],
  ['https://keywords.example.com', ['--help']],
])('with the address %s and the arguments %j it says what it needs', (address, args) => {
  const command = fileURLToPath(new URL('mcp.ts', import.meta.url));
  const env = { ...process.env, KC_URL: address, KC_TOKEN: 'kc_x' };
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { env, encoding: 'utf8' });
  expect([status, stderr.split(',')[0]]).toEqual([1, 'Say in KC_URL where the server is']);
});

test('a file whose reading is a guess says so at the first question, and one that is not there at once', async () => {
  const { text } = await overviewOf('guess.csv', 'Keyword\nxyzzy\nplugh\n');
  expect(text).toContain('guess.csv was not published, because its reading is a guess: language-guess.');
  expect(text).toContain('accept=language-guess');
  const mcp = fileURLToPath(new URL('mcp.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [mcp, 'none.csv'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('none.csv cannot be read: ENOENT')]);
});
