import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Programs that only benchmarks are held against have a package and a lockfile of their own here, so that `npm ci` brings
 * them to nobody. They come with the first benchmark that asks, and again whenever the lockfile changes.
 *
 * The packages lie in the `node_modules` of this folder; a bundler finds them when it resolves from here.
 */
export const peersFolder = import.meta.dirname;

/** Installs them where they are not. Throws when npm could not. What npm says goes to the error stream. */
export function installPeers(): void {
  const lockfile = readFileSync(join(peersFolder, 'package-lock.json'), 'utf8');
  // `npm ci` takes the folder away before it fills it, and this file with it.
  const stamp = join(peersFolder, 'node_modules', '.installed-lockfile');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return;
  const { status } = spawnSync('npm ci', { cwd: peersFolder, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm could not install the packages of bench/peers');
  writeFileSync(stamp, lockfile);
}

/** The module of a package that is installed here, which {@link installPeers} made sure of. */
export const importPeer = (name: string): Promise<unknown> => import(name);
