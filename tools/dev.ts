/**
 * `npm run dev`: the server, restarted when its sources change, and the page with hot reload. Without Google variables,
 * a local OpenID Connect provider is started as well, so that sign-in with Google can be tried.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { readEnvironment } from '../server/src/config.ts';
import { type DevProvider, startDevProvider } from './dev-provider.ts';
import { ensureLoops } from './wasm-loops.ts';

ensureLoops();
const root = resolve(import.meta.dirname, '..');
const environment = readEnvironment(root, process.env);
const webPort = Number(process.env.WEB_PORT ?? 5173);
const serverPort = Number(environment.PORT ?? 3000);
// The browser loads the page from Vite, which proxies API requests to the server.
const baseUrl = `http://localhost:${webPort}`;

const provider: DevProvider | undefined = environment.GOOGLE_CLIENT_ID
  ? undefined
  : await startDevProvider({ baseUrl, port: webPort + 1, adminEmail: environment.ADMIN_EMAILS?.split(',')[0] });

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
const children: ChildProcess[] = [
  run(['--watch-path=server/src', '--watch-path=rules/src', '--watch-path=pack/src', 'server/src/main.ts'], {
    PORT: String(serverPort),
    BASE_URL: baseUrl,
    ...provider?.environment,
  }),
  run([vite, 'web', '--port', String(webPort), '--strictPort'], { API_URL: `http://127.0.0.1:${serverPort}` }),
];
if (provider) process.stdout.write(provider.greeting);

let ending = false;
// If one process ends, all of them end.
for (const child of children) child.once('exit', (code) => end(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));

/** Stops everything once; later calls do nothing. */
function end(code: number): void {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
  void provider?.stop();
}

/**
 * Starts Node with `args`, in a process group of its own. Ctrl-C signals the whole group of this process, and
 * {@link end} signals the child as well. In that group the server would get two signals, and it ends at once at the second.
 */
function run(args: string[], variables: Readonly<Record<string, string>>): ChildProcess {
  const detached = process.platform !== 'win32';
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    detached,
    env: { ...process.env, ...variables },
  });
}
