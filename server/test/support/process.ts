import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server in its own process on a data directory, as `npm start` runs it. */
export type ServerProcess = {
  readonly child: ChildProcess;
  readonly url: string;
  output(): string;
  complaint(): string;
};

export type LaunchOptions = {
  /** A module to load before the server, in each of its threads. */
  readonly preload?: string;
  /** A program with arguments that runs the server. */
  readonly under?: readonly string[];
  readonly port?: number;
};

export type Processes = {
  /** The path of a data directory that does not exist yet, in a folder that is removed at the end. */
  newFolder(): string;
  /** Starts a server without waiting for it. */
  launch(dataDir: string, environment?: Record<string, string>, options?: LaunchOptions): Promise<ServerProcess>;
  /** Starts a server and waits for its ready message. @throws Error with its error output if it ends first */
  start(dataDir: string, environment?: Record<string, string>, options?: LaunchOptions): Promise<ServerProcess>;
  /** Ends all servers that are still running and removes the folders. */
  dispose(): Promise<void>;
};

/** The server processes and folders of one test file. */
export function serverProcesses(): Processes {
  const folders: string[] = [];
  const children: ChildProcess[] = [];

  const launch: Processes['launch'] = async (dataDir, environment = {}, { preload, under = [], port } = {}) => {
    const taken = port ?? (await freePort());
    const main = join(import.meta.dirname, '../../src/main.ts');
    const command = [...under, process.execPath, ...(preload ? ['--import', preload] : []), main];
    const child = spawn(command[0]!, command.slice(1), {
      env: { ...inherited(), DATA_DIR: dataDir, PORT: String(taken), SAMPLE: 'off', ...environment },
    });
    children.push(child);
    let output = '';
    let complaint = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    child.stderr.on('data', (bytes) => {
      complaint += bytes;
    });
    return { child, url: `http://127.0.0.1:${taken}`, output: () => output, complaint: () => complaint };
  };

  return {
    newFolder() {
      const folder = mkdtempSync(join(tmpdir(), 'kc-start-'));
      // The database user must be able to enter the folder. Otherwise, under root, its files would be stored elsewhere.
      chmodSync(folder, 0o711);
      folders.push(folder);
      return join(folder, 'data');
    },
    launch,
    async start(dataDir, environment, options) {
      const running = await launch(dataDir, environment, options);
      await new Promise<void>((resolve, reject) => {
        running.child.stdout?.on('data', () => /Ctrl-C stops/.test(running.output()) && resolve());
        running.child.once('exit', (code) => reject(new Error(`ended with ${code}: ${running.complaint()}`)));
      });
      return running;
    },
    async dispose() {
      await Promise.all(children.splice(0).map((child) => endProcess(child, 'SIGTERM')));
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Without the settings of whoever runs the tests. Code that was compiled once starts in half the time. */
export function inherited(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/** Sends a signal unless the process has ended, and waits until it ends. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0] as number | null;
}

export const postmasterFile = (dataDir: string): string => join(dataDir, 'postgres', 'postmaster.pid');

/** Kills the embedded PostgreSQL of a data directory, to simulate a power failure. */
export function killDatabase(dataDir: string): void {
  process.kill(Number(readFileSync(postmasterFile(dataDir), 'utf8').split('\n')[0]), 'SIGKILL');
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
