import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A server as a person starts it, on a folder and a port of its own. */
export type RunningServer = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  /** Not there when the database is embedded. */
  readonly databaseUrl: string | undefined;
  readonly process: ChildProcess;
  /** Everything it said so far, both streams. */
  said(): string;
  /** The exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Ctrl-C, and wait. */
  stop(): Promise<number | string>;
};

export type StartOptions = {
  /** A fresh folder when left out. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What is started instead of `npm start`. */
  readonly script?: 'tools/dev.ts';
};

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'kc-e2e-'));
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/** Shorter than a hook may take, so that what the server said is told. */
const startMs = 90_000;

/**
 * Starts a server and waits until it takes requests. When another program takes the free port that was found for it, it
 * is started again on another one.
 *
 * @throws Error with what it said when it ends or does not open; it is told to end then
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

/** Those that run still: a worker that is ended in the middle of a story takes them along. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Starts a server without waiting; for starts that are to be refused. */
export function spawnServer(options: StartOptions & { readonly port: number }): RunningServer {
  const dataDir = options.dataDir ?? newDataDir();
  const child = spawn(process.execPath, [options.script ?? 'tools/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // A server compiles its sources at each start; the next one finds them compiled.
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

/** The claim link that a server printed; the last one, since each start ends the earlier ones. */
export function claimLink(server: RunningServer): string {
  const links = [...server.said().matchAll(/https?:\/\/\S+\/claim#\S+/g)].map((match) => match[0]);
  const last = links.at(-1);
  if (last === undefined) throw new Error(`No claim link in:\n${server.said()}`);
  return last;
}

/** Until it takes requests and has said so: its links are printed after it began to listen. */
async function isOpen(server: RunningServer, signal: AbortSignal): Promise<'open'> {
  const giveUpAt = Date.now() + startMs;
  while (!signal.aborted) {
    const status = await fetch(`${server.url}/readyz`, { signal }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200 && server.said().includes('is ready')) return 'open';
    if (Date.now() > giveUpAt) throw new Error(`The server did not open:\n${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nobody waits for the server any more');
}

/** Outside the ports that a system gives to whoever asks for any. */
const firstPort = 12_000;
const portsEach = 50;
const shares = 400;
let asked = 0;

/** A port that is free and that no test file beside this one is given: each process has a share of its own. */
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
