import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { executable } from './binaries.ts';
import { makeOwn } from './os-user.ts';
import { addressOf, type ClusterHome, openPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';

/** Three roles: one creates the others, one owns the tables and migrates them, and one is used by the server. */
export const roles = { superuser: 'kc_superuser', owner: 'kc_owner', app: 'kc_app' } as const;
export const databaseName = 'keyword_clustering';

type Passwords = Readonly<Record<keyof typeof roles, string>>;

/** The embedded PostgreSQL. */
export type Cluster = {
  /** How a role connects to one of its databases. */
  connect(role: keyof typeof roles, database?: string): pg.ClientConfig;
  /** Restarts it if it has ended. */
  revive(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a home: creates the cluster if there is none, and adopts a process that a killed
 * server left running. Role passwords are generated once into `DATA_DIR/secret`. The caller holds the data directory.
 */
export async function startCluster(home: ClusterHome): Promise<Cluster> {
  const passwords = readPasswords(home.dataDir);
  if (!existsSync(join(home.folder, 'PG_VERSION'))) createCluster(home, passwords);
  let postmaster = await openPostmaster(home);
  const cluster: Cluster = {
    connect: connectTo(() => postmaster, passwords),
    async revive() {
      postmaster = await openPostmaster(home, postmaster);
    },
    stop: () => stopPostmaster(home, postmaster),
  };
  await createRoles(cluster, passwords);
  return cluster;
}

/** How to connect to the PostgreSQL that a server runs on a home; `undefined` while it accepts no connections. */
export function servedCluster(home: ClusterHome): Cluster['connect'] | undefined {
  const postmaster = addressOf(home.folder);
  return postmaster && connectTo(() => postmaster, readPasswords(home.dataDir));
}

const connectTo =
  (postmaster: () => Postmaster, passwords: Passwords): Cluster['connect'] =>
  (role, database = databaseName) => {
    const { host, port } = postmaster();
    return { host, port, user: roles[role], password: passwords[role], database };
  };

/** It is there once a server has made the database of a data directory. */
export const passwordsFile = (dataDir: string): string => join(dataDir, 'secret', 'database.json');

function readPasswords(dataDir: string): Passwords {
  const file = passwordsFile(dataDir);
  const fresh = () => randomBytes(24).toString('base64url');
  try {
    writeFileSync(file, JSON.stringify({ superuser: fresh(), owner: fresh(), app: fresh() }), {
      mode: 0o600,
      flag: 'wx',
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
}

/** Created under a temporary name and renamed, so that a killed start leaves nothing incomplete. */
function createCluster(home: ClusterHome, passwords: Passwords): void {
  const work = makeOwn(mkdtempSync(join(home.parent, 'postgres.new-')), home.user);
  const passwordFile = join(work, 'password');
  writeFileSync(passwordFile, passwords.superuser, { mode: 0o600 });
  if (home.user) chownSync(passwordFile, home.user.uid, home.user.gid);
  const made = join(work, 'data');
  const as = home.user ? { uid: home.user.uid, gid: home.user.gid } : {};
  const run = spawnSync(executable(home.binaries.folder, 'initdb'), initArguments(made, passwordFile), {
    cwd: process.platform === 'win32' ? home.parent : '/',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', SystemRoot: process.env.SystemRoot },
    ...as,
  });
  if (run.status !== 0) {
    rmSync(work, { recursive: true, force: true });
    throw new Error(`PostgreSQL's initdb failed: ${run.error?.message ?? run.stderr.trim().slice(-600)}`);
  }
  if (!existsSync(home.folder)) renameSync(made, home.folder);
  rmSync(work, { recursive: true, force: true });
}

/** Text is UTF-8 and compared by code point: the same order on every machine and in every later version. */
function initArguments(folder: string, passwordFile: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${roles.superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

async function createRoles(cluster: Cluster, passwords: Passwords): Promise<void> {
  const client = new pg.Client(cluster.connect('superuser', 'postgres'));
  await client.connect();
  try {
    for (const role of ['owner', 'app'] as const) {
      const known = await client.query('select 1 from pg_roles where rolname = $1', [roles[role]]);
      if (known.rowCount) continue;
      await client.query(
        `create role ${roles[role]} login nosuperuser password ${client.escapeLiteral(passwords[role])}`,
      );
    }
    const database = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (!database.rowCount) await client.query(`create database ${databaseName} owner ${roles.owner}`);
  } finally {
    await client.end();
  }
}
