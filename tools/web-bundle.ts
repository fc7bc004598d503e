import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { guides } from '../rules/src/paths.ts';

const root = resolve(import.meta.dirname, '..');
export const bundleFolder = join(root, 'web', 'dist');
const stampFile = join(bundleFolder, '.sources');

/**
 * The inputs of the bundle: the sources of three packages, the build settings, and the versions of all dependencies.
 */
const sources = [
  'web',
  'rules/src',
  'pack/src',
  'pack/assembly',
  'tools/third-party-notices.ts',
  ...guides.map((guide) => `docs/${guide}.md`),
  'package-lock.json',
  'tsconfig.base.json',
];

/** Whether the bundle is missing or was built from other sources. */
export function isStale(): boolean {
  return !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== fingerprint();
}

/** Whether the packages that build the bundle are installed. `npm ci --omit=dev` leaves them out. */
export const canBuild = (): boolean => existsSync(join(root, 'node_modules', 'vite'));

/** Records in the bundle what it was built from. */
export function stamp(): void {
  writeFileSync(stampFile, fingerprint());
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(join(root, source))).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return ['dist', 'node_modules', '.vite'].includes(entry.name) ? [] : filesOf(join(path, entry.name));
    return /\.test\.tsx?$/.test(entry.name) ? [] : [join(path, entry.name)];
  });
}
