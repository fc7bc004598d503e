/**
 * The parser's loop in WebAssembly: `ensureJsonLoop` builds `pack/dist/json-loop.wasm` of `pack/assembly` when it was made
 * of other sources, or not at all. Whatever runs the parser calls it first; where it is not built, the loop in TypeScript
 * reads.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'pack', 'assembly', 'json-loop.ts');
const compiler = join(root, 'node_modules', 'assemblyscript');
const folder = join(root, 'pack', 'dist');
const binary = join(folder, 'json-loop.wasm');
const stampFile = join(folder, '.sources');

/** Seven pages are what `pack/src/json-memory.ts` needs. */
const settings =
  '-O3 --noAssert --converge --runtime stub --enable simd --importMemory --initialMemory 7 --maximumMemory 7'.split(
    ' ',
  );

/** Makes sure that the loop is built. Without the compiler, which `npm ci --omit=dev` leaves out, it is not. */
export function ensureJsonLoop(): void {
  if (!existsSync(compiler)) return;
  const wanted = fingerprint();
  if (existsSync(binary) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  // Another process may be at it, too: each finishes a file of its own and puts it in place in one go.
  const built = `${binary}.${process.pid}`;
  const result = spawnSync(process.execPath, [join(compiler, 'bin', 'asc.js'), source, '-o', built, ...settings], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`json-loop.wasm could not be built:\n${result.stderr}`);
  renameSync(built, binary);
  writeFileSync(`${stampFile}.${process.pid}`, wanted);
  renameSync(`${stampFile}.${process.pid}`, stampFile);
}

/** What the test runner calls before the tests, some of which read with every loop. */
export function setup(): void {
  if (!existsSync(compiler)) process.stderr.write('assemblyscript is not installed: npm ci brings it\n');
  ensureJsonLoop();
}

function fingerprint(): string {
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as { version: string };
  return createHash('sha256')
    .update(`${version}\0${settings.join(' ')}\0`)
    .update(readFileSync(source))
    .digest('hex');
}
