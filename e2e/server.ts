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

/**
 * Starts a server and waits until it takes requests.
 *
 * @throws Error with what it said when it ends before that
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const server = spawnServer({ ...options, port });
  const died = server.ended.then((how) => {
    throw new Error(`The server ended (${how}):\n${server.said()}`);
  });
  await Promise.race([isOpen(server), died]);
  died.catch(() => undefined);
  return server;
}

/** Starts a server without waiting; for starts that are to be refused. */
export function spawnServer(options: StartOptions & { readonly port: number }): RunningServer {
  const dataDir = options.dataDir ?? newDataDir();
  const child = spawn(process.execPath, [options.script ?? 'tools/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(options.port),
      ...options.env,
    },
  });
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
async function isOpen(server: RunningServer): Promise<void> {
  for (;;) {
    const status = await fetch(`${server.url}/readyz`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200 && server.said().includes('is ready')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
