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
const sources = ['json-loop.ts', 'memory.ts', 'same-bytes.ts', 'upload-rows.ts'].map((name) =>
  join(root, 'pack', 'assembly', name),
);
const compiler = join(root, 'node_modules', 'assemblyscript');
const folder = join(root, 'pack', 'dist');
const binary = join(folder, 'json-loop.wasm');
const stampFile = join(folder, '.sources');

/** Pages are what `pack/src/upload-rows.ts` needs behind `pack/src/json-memory.ts`. */
const settings =
  '-O3 --noAssert --converge --runtime stub --enable simd --importMemory --initialMemory 11 --maximumMemory 11'.split(
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
  const result = spawnSync(process.execPath, [join(compiler, 'bin', 'asc.js'), sources[0]!, '-o', built, ...settings], {
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
  const hash = createHash('sha256').update(`${version}\0${settings.join(' ')}\0`);
  for (const source of sources) hash.update(readFileSync(source)).update('\0');
  return hash.digest('hex');
}
