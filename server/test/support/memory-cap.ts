import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that may use only so much memory together, as in a container. */
export type MemoryCap = {
  /** A program with arguments that runs another one, and all that it starts, in the group. */
  readonly under: readonly string[];
  /** How many processes the kernel has ended because there was no memory left. */
  oomKills(): number;
  /** Anonymous memory in use, in bytes: without copies of files, which the kernel gives up when it needs room. */
  used(): number;
  /** The group must be empty. */
  remove(): void;
};

/** Version 2 of Linux control groups, then version 1. */
const kinds = [
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    kills: { file: 'memory.events', line: /^oom_kill (\d+)$/m },
    anonymous: /^anon (\d+)$/m,
  },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    kills: { file: 'memory.oom_control', line: /^oom_kill (\d+)$/m },
    anonymous: /^total_rss (\d+)$/m,
  },
] as const;

/** @returns undefined where such groups cannot be made: not on Linux, or not by root */
export function memoryCap(bytes: number): MemoryCap | undefined {
  for (const { root, limit, kills, anonymous } of kinds) {
    const group = join(root, `kc-test-${process.pid}`);
    const read = (file: string, line: RegExp) => Number(line.exec(readFileSync(join(group, file), 'utf8'))?.[1] ?? 0);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(group, limit), String(bytes), { flag: 'r+' });
    } catch {
      rmdirSync(group);
      continue;
    }
    return {
      under: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'],
      oomKills: () => read(kills.file, kills.line),
      used: () => read('memory.stat', anonymous),
      remove: () => rmdirSync(group),
    };
  }
  return undefined;
}
