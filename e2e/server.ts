import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A server started the way a user does, with its own folder and port. */
export type RunningServer = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  /** Absent if the database is embedded. */
  readonly databaseUrl: string | undefined;
  readonly process: ChildProcess;
  /** Its output so far, of both streams. */
  said(): string;
  /** The exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Sends Ctrl-C and waits. */
  stop(): Promise<number | string>;
};

export type StartOptions = {
  /** A fresh folder by default. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the code is, instead of this checkout. */
  readonly folder?: string;
  /** The command to start instead of `npm start`. */
  readonly script?: 'tools/dev.ts';
};

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'kc-e2e-'));
/** Retries, because a server that was ended with its worker may still write. */
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });

/** Shorter than the timeout of a hook, so that the server's output is reported. */
const startMs = 90_000;

/**
 * Starts a server and waits until it accepts requests. If another program takes the port that was found free, retries
 * with another one.
 *
 * @throws Error with its output if it ends or does not start; it is stopped then
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const server = spawnServer({ ...options, port: options.port ?? (await freePort()) });
  const giveUp = new AbortController();
  try {
    const how = await Promise.race([isOpen(server, giveUp.signal), server.ended]);
    if (how === 'open') return server;
    if (options.port === undefined && isPortTaken(server)) return await startServer(options);
    throw new Error(`The server ended (${how}):\n${server.said()}`);
  } catch (error) {
    server.process.kill('SIGTERM');
    throw error;
  } finally {
    giveUp.abort();
  }
}

const isPortTaken = (server: RunningServer): boolean => server.said().includes('is already in use: stop what uses it');

/** The running servers, which end along with a worker that is stopped during a story. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Starts a server without waiting; for starts that must fail. */
export function spawnServer(options: StartOptions & { readonly port: number }): RunningServer {
  const dataDir = options.dataDir ?? newDataDir();
  const child = spawn(process.execPath, [options.script ?? 'tools/start.ts'], {
    cwd: options.folder ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // A server compiles its sources at each start; this keeps them for the next one.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
      DATA_DIR: dataDir,
      PORT: String(options.port),
      ...options.env,
    },
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return {
    url: `http://localhost:${options.port}`,
    dataDir,
    databaseUrl: options.env?.DATABASE_URL,
    process: child,
    said: () => text,
    ended,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** The claim link that a server printed; the last one, because each start invalidates the earlier ones. */
export function claimLink(server: RunningServer): string {
  const links = [...server.said().matchAll(/https?:\/\/\S+\/claim#\S+/g)].map((match) => match[0]);
  const last = links.at(-1);
  if (last === undefined) throw new Error(`No claim link in:\n${server.said()}`);
  return last;
}

/** Waits until it accepts requests and has printed its links, which happens after it started to listen. */
async function isOpen(server: RunningServer, signal: AbortSignal): Promise<'open'> {
  const giveUpAt = Date.now() + startMs;
  while (!signal.aborted) {
    const status = await fetch(`${server.url}/readyz`, { signal }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200 && server.said().includes('Ctrl-C stops')) return 'open';
    if (Date.now() > giveUpAt) throw new Error(`The server did not open:\n${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nobody waits for the server any more');
}

/** Outside the system's range of ephemeral ports. */
const firstPort = 12_000;
const portsEach = 50;
const shares = 400;
let asked = 0;

/** A free port that no parallel test file gets: each process has its own range. */
export async function freePort(): Promise<number> {
  const start = firstPort + (process.pid % shares) * portsEach;
  for (let tries = 0; tries < portsEach; tries++) {
    const port = start + (asked++ % portsEach);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port is free from ${start} to ${start + portsEach - 1}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
