import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresCpuUs } from './postgres-cpu.ts';
import type { Cost } from './tell-cpu.ts';

/** A server in its own process, so that only its work is measured. */
export type Child = {
  readonly url: string;
  /** The cost of the process so far. */
  cost(): Promise<Cost>;
  /** Processor time in microseconds of the PostgreSQL that it started; 0 if it cannot be read. */
  databaseCpuUs(): number;
  stop(): Promise<void>;
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The real server, as `npm start` starts it, with a new data folder. */
export async function startOurs(
  environment: Readonly<Record<string, string>>,
): Promise<Child & { readonly dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kc-bench-'));
  const child = await start(here('../../server/src/main.ts'), { DATA_DIR: dataDir, LOG_LEVEL: 'WARN', ...environment });
  return {
    ...child,
    dataDir,
    async stop() {
      await child.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A Fastify server with a single route. */
export const startBare = (): Promise<Child> => start(here('bare-server.ts'), {});

/** A Fastify server with a single route that receives a file. */
export const startBarePut = (): Promise<Child> => start(here('bare-put.ts'), {});

async function start(file: string, environment: Readonly<Record<string, string>>): Promise<Child> {
  const port = await freePort();
  const forked = fork(file, {
    execArgv: ['--import', here('tell-cpu.ts')],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  await isOpen(forked, url);
  return {
    url,
    async cost() {
      forked.send('cost');
      const [cost] = await once(forked, 'message');
      return cost as Cost;
    },
    databaseCpuUs: () => postgresCpuUs(forked.pid ?? 0),
    async stop() {
      const ended = once(forked, 'exit');
      forked.kill('SIGTERM');
      await ended;
    },
  };
}

async function isOpen(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The measured server ended with ${child.exitCode}`);
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (!address || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
