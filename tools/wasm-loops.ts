/**
 * The inner loops of `pack` and `cluster` in WebAssembly. `ensureLoops` builds each binary of their `assembly` folders into
 * `dist` beside it if it is missing or its sources changed. Everything that reads uploads, answers searches or clusters lists calls
 * it first; if the loops are not built, slower TypeScript runs instead.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const compiler = join(root, 'node_modules', 'assemblyscript');

/**
 * The first source is the entry. `pack/src/upload/name-loop.ts` determines the pages of memory, after
 * `pack/src/json/json-memory.ts`; the others get memories as long as their texts and rows.
 */
const loops = [
  {
    place: 'pack',
    name: 'json-loop',
    sources: ['json-loop.ts', 'memory.ts', 'names.ts', 'same-bytes.ts', 'upload-rows.ts'],
    fewest: 25,
    most: 25,
  },
  { place: 'pack', name: 'find-texts', sources: ['find-texts.ts'], fewest: 1, most: 65_536 },
  { place: 'cluster', name: 'row-products', sources: ['row-products.ts'], fewest: 1, most: 65_536 },
];
type Loop = (typeof loops)[number];

const settingsOf = ({ fewest, most }: Loop) =>
  `-O3 --noAssert --converge --runtime stub --enable simd --importMemory --initialMemory ${fewest} --maximumMemory ${most}`;

/** Builds the loops if necessary. Does nothing without the compiler, which `npm ci --omit=dev` leaves out. */
export function ensureLoops(): void {
  if (existsSync(compiler)) for (const loop of loops) ensure(loop);
}

function ensure(loop: Loop): void {
  const folder = join(root, loop.place, 'dist');
  const binary = join(folder, `${loop.name}.wasm`);
  const stampFile = join(folder, `.${loop.name}-sources`);
  const sources = loop.sources.map((name) => join(root, loop.place, 'assembly', name));
  const settings = settingsOf(loop).split(' ');
  const wanted = fingerprint(sources, settings);
  if (existsSync(binary) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  // Another process may be building as well: each writes its own file and renames it.
  const built = `${binary}.${process.pid}`;
  const result = spawnSync(process.execPath, [join(compiler, 'bin', 'asc.js'), sources[0]!, '-o', built, ...settings], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`${loop.name}.wasm could not be built:\n${result.stderr}`);
  renameSync(built, binary);
  writeFileSync(`${stampFile}.${process.pid}`, wanted);
  renameSync(`${stampFile}.${process.pid}`, stampFile);
}

/** Called by the test runner before the tests, some of which use every loop. */
export function setup(): void {
  if (!existsSync(compiler)) process.stderr.write('assemblyscript is not installed: run npm ci\n');
  ensureLoops();
}

function fingerprint(sources: readonly string[], settings: readonly string[]): string {
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as { version: string };
  const hash = createHash('sha256').update(`${version}\0${settings.join(' ')}\0`);
  for (const source of sources) hash.update(readFileSync(source)).update('\0');
  return hash.digest('hex');
}
