import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';

/** A user of the operating system who can own a process. */
export type OsUser = { readonly name: string; readonly uid: number; readonly gid: number };

export const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL looks its user up in the password file, so the user must be there. */
export function osUser(name: string): OsUser {
  const line = passwordFile().find((entry) => entry.name === name);
  if (!line) throw new Error(`DB_OS_USER names nobody this machine knows: "${name}"`);
  if (line.uid === 0) throw new Error('DB_OS_USER must not be root: PostgreSQL refuses that');
  return line;
}

export function osUserById(uid: number): OsUser {
  const line = passwordFile().find((entry) => entry.uid === uid);
  if (!line) throw new Error(`The database files belong to user ${uid}, whom this machine does not know`);
  return line;
}

function passwordFile(): OsUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * Whether `user` (or this process) can enter a folder or run a program. Asks the system itself, so the modes, groups
 * and access lists of all parent folders count.
 */
export function canReach(path: string, user: OsUser | undefined): boolean {
  if (process.platform === 'win32') return true;
  const as = user ? { uid: user.uid, gid: user.gid } : {};
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', stdio: 'ignore', ...as }).status === 0;
}

/** A folder that only the database's user (and root) can enter. */
export function makeOwn(folder: string, user: OsUser | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}
