/**
 * `npm run container`: builds the container image, starts it, waits until it is ready, and prints its size and how long that
 * took. Needs Docker or Podman with a running engine; without one it says so and does nothing.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './source-files.ts';

const image = 'keyword-clustering';
const port = 13_000;
const readyMs = 120_000;

const builder = ['docker', 'podman'].find((program) => spawnSync(program, ['info'], { stdio: 'ignore' }).status === 0);
if (builder) await tryImage(builder);
else console.log('Skipped: building a container image needs docker or podman with a running engine');

async function tryImage(program: string): Promise<void> {
  run(program, 'build', '--tag', image, '.');
  const bytes = Number(output(program, 'image', 'inspect', '--format', '{{.Size}}', image));
  const began = performance.now();
  const address = `http://localhost:${port}`;
  const container = output(
    program,
    ...['run', '--detach', '--rm', '--publish', `127.0.0.1:${port}:3000`],
    ...['--env', `BASE_URL=${address}`, image],
  );
  try {
    await ready(address);
    const seconds = (performance.now() - began) / 1_000;
    const user = output(program, 'exec', container, 'id', '-un');
    console.log(`${(bytes / 1e6).toFixed(0)} MB, ready after ${seconds.toFixed(1)} s, runs as ${user}`);
    if (user === 'root') process.exitCode = 1;
  } finally {
    run(program, 'stop', container);
  }
}

async function ready(address: string): Promise<void> {
  for (const giveUp = performance.now() + readyMs; performance.now() < giveUp; await pause(200)) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`The container was not ready after ${readyMs / 1_000} s`);
}

function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}`);
}

function output(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}: ${stderr}`);
  return stdout.trim();
}
