import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig, readSecret } from '../../src/config.ts';
import { checkAddress, examine, type Finding } from '../../src/doctor/checks.ts';
import { freePort, inherited, type ServerProcess, serverProcesses } from '../support/process.ts';

const processes = serverProcesses();
const proxies: Server[] = [];
let dataDir: string;
let trusting: ServerProcess;
let trustingProxy: string;
beforeAll(async () => {
  dataDir = processes.newFolder();
  const port = await freePort();
  trustingProxy = await proxyTo(port);
  const variables = { BASE_URL: trustingProxy, TRUSTED_PROXIES: '127.0.0.1' };
  trusting = await processes.start(dataDir, variables, { port });
});
afterAll(async () => {
  for (const proxy of proxies) {
    proxy.closeAllConnections();
    proxy.close();
  }
  await processes.dispose();
});

/**
 * A proxy that refuses bodies of more than `maxBytes`.
 *
 * @param forwarded the X-Forwarded-For that it sends, of what it got
 * @returns its origin
 */
async function proxyTo(
  port: number,
  {
    maxBytes = Number.POSITIVE_INFINITY,
    forwarded = () => '203.0.113.9',
  }: { readonly maxBytes?: number; readonly forwarded?: (given: string) => string | undefined } = {},
): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
      answer.writeHead(413).end();
      incoming.resume();
      return;
    }
    const { method, url: path, headers } = incoming;
    const { 'x-forwarded-for': given, ...others } = headers;
    const address = forwarded(String(given));
    const all = { ...others, ...(address && { 'x-forwarded-for': address }) };
    const passed = request({ host: '127.0.0.1', port, method, path, headers: all }, (from) => {
      answer.writeHead(from.statusCode!, from.headers);
      from.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  proxies.push(proxy);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

function doctor(variables: Record<string, string>): Promise<{ readonly output: string; readonly status: number }> {
  const env = { ...inherited(), DATA_DIR: dataDir, PORT: new URL(trusting.url).port, ...variables };
  const command = join(import.meta.dirname, '../../src/commands/doctor.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [command], { env }, (error, stdout, stderr) =>
      resolve({ output: `${stdout}${stderr}`, status: Number(error?.code ?? 0) }),
    );
  });
}

/** What the command finds about an address of the server. Starting it takes many times as long. */
async function foundAt(address: string): Promise<readonly Finding[]> {
  const config = readConfig({ DATA_DIR: dataDir, BASE_URL: address }, dataDir);
  return checkAddress(config, readSecret(config));
}

/** The same, of a data directory in which the command finds no installation. */
const foundIn = (folder: string, variables: Record<string, string> = {}): Promise<readonly Finding[]> =>
  examine(readConfig({ DATA_DIR: folder, ...variables }, folder));

const finding = (kind: Finding['kind'], text: RegExp) => ({ kind, about: 'proxy', text: expect.stringMatching(text) });

// Shows P19.15.
test('a deployment behind a proxy that is trusted has no problems', async () => {
  const { output, status } = await doctor({ BASE_URL: trustingProxy });
  expect(status).toBe(0);
  expect(output).not.toContain('PROBLEM');
  for (const sentence of [
    /^(?:ok|warning) +Node +Node \d+/m,
    // The embedded binaries, until a newer package exists.
    /^(?:ok|warning) +database +PostgreSQL 18/m,
    /^ok +durability +What is acknowledged survives a power failure/m,
    /^ok +clock /m,
    /^ok +storage +In DATA_DIR\/files, objects can be written, published, read, listed and removed\.$/m,
    /^ok +owner +The files are those of this database\.$/m,
    /^ok +address +http:\S+ leads to this installation\.$/m,
    /^ok +proxy +The proxy at 127\.0\.0\.1 is trusted/m,
    /^ok +proxy +Parts of uploads pass, up to 16 MiB\.$/m,
    /^warning +mail +SMTP_URL is not set/m,
    /^0 problems, [123] warnings?$/m,
  ])
    expect(output).toMatch(sentence);
});

test('a proxy with a limit for bodies is a warning', async () => {
  const small = await proxyTo(Number(new URL(trusting.url).port), { maxBytes: 2 ** 20 });
  expect(await foundAt(small)).toContainEqual(finding('warning', /^A proxy refuses bodies of 16 MiB/));
});

test.each([
  // As nginx does by $remote_addr, on one machine with the doctor.
  ['replaces the header', () => '127.0.0.1', 'ok', /^The proxy at 127\.0\.0\.1 is trusted/],
  ['adds to the header', (given: string) => `${given}, 192.0.2.7`, 'ok', /^The proxy at 127\.0\.0\.1 is trusted/],
  ['adds this machine', (given: string) => `${given}, 127.0.0.1`, 'ok', /^The proxy at 127\.0\.0\.1 is trusted/],
  ['passes the header on', (given: string) => given, 'problem', /^Anybody can pretend another address/],
  ['drops the header', () => undefined, 'warning', /^The proxy at 127\.0\.0\.1 does not set X-Forwarded-For/],
] as const)('of a trusted proxy that %s, it says so', async (_, forwarded, kind, sentence) => {
  const between = await proxyTo(Number(new URL(trusting.url).port), { forwarded });
  expect(await foundAt(between)).toContainEqual(finding(kind, sentence));
});

test('without a proxy it says that none is in between', async () => {
  expect(await foundAt(trusting.url)).toContainEqual(finding('ok', /^No proxy is in between$/));
});

// Folders of another program may have the names of ours, and SECRET may be set.
test.each([
  ['empty', [], {}],
  ['of something else', ['files', 'secret'], { SECRET: 's'.repeat(32) }],
  ['of something else, with a database elsewhere', ['work'], { DATABASE_URL: 'postgres://127.0.0.1:9/kc' }],
] as const)('a data directory that is %s is a problem, and stays as it is', async (_, names, variables) => {
  const folder = processes.newFolder();
  mkdirSync(folder);
  for (const name of names) mkdirSync(join(folder, name));
  const text = `${folder} has no installation: start the server once, or set DATA_DIR`;
  expect(await foundIn(folder, variables)).toEqual([{ kind: 'problem', about: 'DATA_DIR', text }]);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([...names]);
});

// Shows P19.15.
test('a proxy that nobody trusts is a warning', async () => {
  const other = processes.newFolder();
  const server = await processes.start(other);
  const port = new URL(server.url).port;
  const { output } = await doctor({ DATA_DIR: other, PORT: port, BASE_URL: await proxyTo(Number(port)) });
  expect(output).toMatch(
    /^warning +proxy +A proxy at 127\.0\.0\.1 forwards addresses, and TRUSTED_PROXIES does not name it/m,
  );
});

test('an address where something else answers, and a mail server that does not, are problems', async () => {
  const wrong = { BASE_URL: trustingProxy, SECRET: 'another secret of 32 characters!', SMTP_URL: 'smtp://127.0.0.1:9' };
  const { output, status } = await doctor(wrong);
  expect(status).toBe(1);
  expect(output).toMatch(/^PROBLEM +address +What answers at http:\S+ is not a server with this SECRET/m);
  expect(output).toMatch(/^PROBLEM +mail +Mails cannot be sent: connect ECONNREFUSED/m);
  expect(output).toContain('\n2 problems, ');
});

test('a wrong variable, and a data directory that does not exist, are said before anything else', async () => {
  expect(await doctor({ PORT: 'web' })).toMatchObject({ status: 1, output: expect.stringMatching(/^PORT must be/) });
  const mistyped = processes.newFolder();
  const missing = await doctor({ DATA_DIR: mistyped });
  expect(missing.output).toMatch(/^PROBLEM +DATA_DIR +\S+ does not exist: start the server once/);
  expect(existsSync(mistyped)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  'another user than the one of the server is sent away, and leaves nothing behind',
  async () => {
    const folder = processes.newFolder();
    mkdirSync(folder);
    chownSync(folder, 12_345, 12_345);
    const text = `${folder} belongs to user 12345: run this command as the server's user`;
    expect(await foundIn(folder)).toEqual([{ kind: 'problem', about: 'DATA_DIR', text }]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('nobody without the secret learns how a request arrived', async () => {
  const answer = await fetch(`${trusting.url}/healthz`, { headers: { 'x-doctor': 'a'.repeat(43) } });
  expect(await answer.json()).toEqual({ ok: true });
});
