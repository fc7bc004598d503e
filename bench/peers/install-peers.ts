import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The programs that benchmarks compare with have their own package and lockfile here, so that `npm ci` does not install
 * them. The first benchmark that needs them installs them, and again whenever the lockfile changes.
 *
 * The packages are in the `node_modules` of this folder; a bundler finds them when it resolves from here.
 */
export const peersFolder = import.meta.dirname;

/** Installs the programs if necessary, and throws if npm fails. The output of npm goes to stderr. */
export function installPeers(): void {
  const lockfile = readFileSync(join(peersFolder, 'package-lock.json'), 'utf8');
  // `npm ci` removes the folder before it fills it, and this file with it.
  const stamp = join(peersFolder, 'node_modules', '.installed-lockfile');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return;
  const { status } = spawnSync('npm ci', { cwd: peersFolder, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm could not install the packages of bench/peers');
  writeFileSync(stamp, lockfile);
}

/** The module of a package installed here; call {@link installPeers} first. */
export const importPeer = (name: string): Promise<unknown> => import(name);
