/** `npm run dev`: the server, started anew when its sources change, and beside it the web with hot reload. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const webPort = Number(process.env.WEB_PORT ?? 5173);
const serverPort = Number(process.env.PORT ?? 3000);

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
const children: ChildProcess[] = [
  run(['--watch-path=server/src', '--watch-path=rules/src', '--watch-path=pack/src', 'server/src/main.ts'], {
    PORT: String(serverPort),
    // The browser talks to Vite, which passes the calls on: its address is the page's.
    BASE_URL: `http://localhost:${webPort}`,
  }),
  run([vite, 'web', '--port', String(webPort), '--strictPort'], { API_URL: `http://127.0.0.1:${serverPort}` }),
];

/** One that ends takes the other along. */
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    for (const other of children) other.kill('SIGTERM');
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM');
  });
}

function run(args: string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
}
