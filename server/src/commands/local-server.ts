import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { UploadStatus } from '@kc/rules/shapes';
import { ToolRefusal } from '../mcp/map-api.ts';
import { secretVariables, type Variable, variables } from '../variables.ts';

const start = fileURLToPath(new URL('temporary-server.ts', import.meta.url));
const email = 'you@example.com';
/** What of the environment it shares with other servers of this computer: none of their data. */
const shared = ['CLUSTER_MODEL_DIR', 'DB_OS_USER', 'INGEST_MEMORY', 'POSTGRES_BIN'] as const;
const lookMs = 500;
const hourMs = 3_600_000;

/** A server that only this computer reaches, whose one map is that of a file. */
type LocalServer = {
  readonly origin: string;
  /** An access token, once the map is published. @throws ToolRefusal if it cannot be made, with the reason */
  readonly token: Promise<string>;
  /** Ends it, which removes its data. Whoever cannot wait for that may end: the server does it alone. */
  stop(): Promise<void>;
};

/**
 * Starts a server in a folder of its own and imports a file. The credentials for viewing the map in a browser are written to
 * standard error.
 *
 * @param file a keyword list or a hierarchy
 * @param options those of `PUT /api/imports/{id}`
 * @throws Error if the file cannot be read
 */
export async function startLocalServer(file: string, options: Readonly<Record<string, string>>): Promise<LocalServer> {
  const body = await openAsBlob(resolve(file));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const password = randomBytes(12).toString('base64url');
  const server = spawn(process.execPath, ['--disable-sigusr1', start], {
    env: environment({ PORT: String(port), ADMIN_EMAILS: email, ADMIN_PASSWORD: password }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const imported = async (): Promise<string> => {
    await isReady(server, origin);
    const token = await makeToken(origin, password);
    process.stderr.write(`${basename(file)} is at ${origin}: sign in as ${email} with the password ${password}\n`);
    await importFile(origin, token, { name: basename(file), body }, options);
    return token;
  };
  const token = imported();
  // The error goes to callers that await the token, and to the person who started the server.
  token.catch((error: Error) => process.stderr.write(`${error.message}\n`));
  return {
    origin,
    token,
    async stop() {
      if (server.exitCode === null && server.signalCode === null && server.kill('SIGTERM')) await once(server, 'exit');
    },
  };
}

/** Nothing of other servers: an empty variable counts as unset, also if the file `.env` has it. */
function environment(own: Readonly<Partial<Record<Variable, string>>>): NodeJS.ProcessEnv {
  const files = secretVariables.map((name) => `${name}_FILE`);
  const none = Object.fromEntries([...variables, ...files].map((name) => [name, '']));
  const inherited = Object.fromEntries(shared.map((name) => [name, process.env[name] ?? '']));
  // By the last one it ends with this process, however that ends: see `endWithNpm`.
  return {
    ...process.env,
    ...none,
    ...inherited,
    SAMPLE: 'off',
    LOG_LEVEL: 'ERROR',
    ...own,
    npm_lifecycle_event: 'mcp',
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function isReady(server: ChildProcess, origin: string): Promise<void> {
  const answers = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new ToolRefusal('The local server did not start.');
    await pause(lookMs);
  }
}

/** Signs in and makes an access token for everything that the tools do. */
async function makeToken(origin: string, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin };
  const post = (path: string, body: object, more = {}) =>
    fetch(origin + path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const signedIn = await post('/api/session', { email, password, remember: false });
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]!);
  const tokenRequest = { name: 'mcp', scopes: ['read', 'import', 'plan'], expiresAt: Date.now() + 24 * hourMs };
  const made = await post('/api/access-tokens', tokenRequest, { cookie: cookie.join('; ') });
  if (!made.ok) throw new ToolRefusal(`The local server gave no access token: ${await made.text()}`);
  return ((await made.json()) as { token: string }).token;
}

/** Imports the file and waits until its map is published. @throws ToolRefusal */
async function importFile(
  origin: string,
  token: string,
  { name, body: sent }: { readonly name: string; readonly body: Blob },
  options: Readonly<Record<string, string>>,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const json = async <Answer>(path: string, init?: RequestInit): Promise<Answer> => {
    const answer = await fetch(origin + path, { ...init, headers });
    const body = (await answer.json()) as Answer & { readonly data?: Refusal };
    if (body.data) throw refused(body.data);
    return body;
  };
  const refused = (refusal: Refusal) => new ToolRefusal(`${name}: ${sayRefusal(refusal)}`);
  const query = new URLSearchParams({ publish: 'yes', name, ...options });
  const { progress } = await json<{ progress: string }>(`/api/imports/new?${query}`, { method: 'PUT', body: sent });
  for (;;) {
    const now = await json<Draft | UploadStatus>(progress);
    if (now.refusal) throw refused(now.refusal);
    if (now.state === 'published' || now.state === 'active') return;
    if ('handsOff' in now && now.handsOff?.waits) {
      const guesses = now.handsOff.open.map(({ code }) => code.replace('list/', '')).join(', ');
      throw new ToolRefusal(
        `${name} was not published, because its reading is a guess: ${guesses}. Say what is right after the name of the file, such as language=en or accept=${guesses.replaceAll(' ', '')}: docs/automation.md lists all answers.`,
      );
    }
    await pause(lookMs);
  }
}
