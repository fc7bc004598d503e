import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './process.ts';

const unshare = ['unshare', '--pid', '--mount-proc', '--fork', '--kill-child'] as const;

/** Whether processes may have a namespace of process IDs of their own here, as in a container. */
export const hasNamespaces =
  process.platform === 'linux' && spawnSync(unshare[0], [...unshare.slice(1), 'true']).status === 0;

/** What runs a server as a container does: it sees no process of others, and ends with its first process. */
export const contained: readonly string[] = unshare;

/** The same, but the first process outlives the server, and with it whatever the server has started. */
export const keptAlive: readonly string[] = [...unshare, 'sh', '-c', '"$@"; exec sleep 600', 'sh'];

/** With an empty folder for temporary files that nobody else sees. */
export function ownTmp(folder: string, under: readonly string[]): { under: readonly string[]; tmp: string } {
  const tmp = join(folder, '..', 'own-tmp');
  mkdirSync(tmp, { recursive: true });
  return {
    under: [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs -o mode=1777 none "$TMPDIR" && exec "$@"',
      'sh',
      ...under,
    ],
    tmp,
  };
}

/** The process ID of the server itself, as this process sees it, if another program runs it. */
export function serverPid({ child }: ServerProcess): number {
  const isServer = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] === process.execPath;
  const below = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(below)];
  const found = below(child.pid!).find(isServer);
  if (found === undefined) throw new Error('No server runs');
  return found;
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
