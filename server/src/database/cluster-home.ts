import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { ownBinaries, usableBinaries } from './binaries.ts';
import { canReach, isRoot, type OsUser, osUser, osUserById } from './os-user.ts';
import type { ClusterHome } from './postmaster.ts';
import { livePostmaster } from './postmaster.ts';

const systemPlace = '/var/lib/keyword-clustering';

/**
 * The data folder with its modes, and the location of the cluster in or beside it.
 *
 * Started by root, PostgreSQL runs as `dbOsUser`. If that user cannot reach `dataDir`, the cluster is under
 * `/var/lib/keyword-clustering/<first 12 hex digits of the SHA-256 of the real path>`, and `postgres.location` in
 * `dataDir` says so.
 *
 * Source: SECURITY.md, SEC-28.
 *
 * @param postgresBin the folder of PostgreSQL binaries to use instead of the packaged ones
 * @throws if the binaries cannot run, or belong to another major version than the cluster
 */
export function prepareHome(dataDir: string, dbOsUser: string, log: Log, postgresBin?: string): ClusterHome {
  prepareDataDir(dataDir);
  const home = homeOf(dataDir, dbOsUser, log, postgresBin);
  refuseOtherMajor(home);
  return home;
}

function homeOf(dataDir: string, dbOsUser: string, log: Log, postgresBin: string | undefined): ClusterHome {
  const binaries = (place: string, user: OsUser | undefined) =>
    postgresBin ? ownBinaries(postgresBin, user) : usableBinaries(place, user);
  if (!isRoot()) {
    return {
      dataDir,
      parent: dataDir,
      folder: join(dataDir, 'postgres'),
      binaries: binaries(dataDir, undefined),
      user: undefined,
    };
  }
  const inside = join(dataDir, 'postgres');
  const user = existsSync(inside) ? ownerOf(inside) : osUser(dbOsUser);
  log.warn(`Started by root: PostgreSQL runs as ${user.name}. An ordinary user can run this server as well.`);
  const outside = systemFolder(dataDir);
  const parent = placeFor(dataDir, outside, user);
  return { dataDir, parent, folder: join(parent, 'postgres'), binaries: binaries(outside, user), user };
}

/** PostgreSQL's own message about files of another major version names neither this product nor a solution. */
function refuseOtherMajor({ folder, binaries }: ClusterHome): void {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) return;
  const made = readFileSync(file, 'utf8').trim();
  if (binaries.version.split('.')[0] === made) return;
  throw new Error(
    `The database in ${folder} was made by PostgreSQL ${made}, and this is PostgreSQL ${binaries.version}. ` +
      'Make a backup with the old version and restore it with the new one.',
  );
}

function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  if (process.platform !== 'win32') chmodSync(dataDir, isRoot() ? 0o711 : 0o700);
  for (const part of ['files', 'mail', 'secret']) {
    mkdirSync(join(dataDir, part), { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') chmodSync(join(dataDir, part), 0o700);
  }
}

/** A cluster that an ordinary user created continues to run as that user. */
function ownerOf(folder: string): OsUser {
  return osUserById(statSync(folder).uid);
}

const noteName = 'postgres.location';

/** The folder of the existing or new cluster. */
function placeFor(dataDir: string, outside: string, user: OsUser): string {
  const note = join(dataDir, noteName);
  if (existsSync(note)) {
    const noted = readFileSync(note, 'utf8').trim();
    if (!existsSync(noted)) throw new Error(`${note} says that the database lies in ${noted}, and nothing is there`);
    return noted;
  }
  if (existsSync(join(dataDir, 'postgres')) || canReach(dataDir, user)) return dataDir;
  makeSystemFolder(outside);
  // Without the note, this folder's cluster belonged to a data directory that was removed: keep it, but do not use it.
  if (existsSync(join(outside, 'postgres'))) moveAside(join(outside, 'postgres'));
  writeFileSync(note, `${outside}\n`, { mode: 0o600 });
  return outside;
}

function moveAside(folder: string): void {
  if (livePostmaster(folder)) throw new Error(`Another server already uses ${folder}`);
  renameSync(folder, `${folder}.${statSync(folder).mtimeMs.toFixed(0)}`);
}

function systemFolder(dataDir: string): string {
  return join(systemPlace, createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12));
}

function makeSystemFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  chmodSync(systemPlace, 0o755);
  chmodSync(folder, 0o711);
}
