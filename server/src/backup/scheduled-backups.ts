import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { manifestName, readManifest } from './manifest.ts';

export type Schedule = {
  /** `BACKUP_DIR`: where backups are stored, one folder each, named by the time at which it was started. */
  readonly folder: string;
  /** `BACKUP_AT`: minutes after midnight, UTC. */
  readonly atMinute: number;
  /** `BACKUP_KEEP`: how many complete ones stay. */
  readonly keep: number;
};

export type ScheduleDeps = {
  readonly schedule: Schedule;
  readonly log: Log;
  /**
   * Writes a complete backup into a new folder.
   * @param since an earlier one, whose unchanged files are not copied again
   * @returns a sentence about it
   */
  make(target: string, since: string | undefined, signal: AbortSignal): Promise<string>;
  /** Does something unless another server does so at the moment. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** After a backup that failed. */
const againMs = 3_600_000;

const nameOf = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
const pattern = /^(\d{4}-\d{2}-\d{2}T)(\d{2})-(\d{2})-(\d{2})Z$/;
const unfinished = /^(.*)\.unfinished-[0-9a-f]{8}$/;

/** A complete backup in the folder of the schedule. */
type CompleteBackup = { readonly name: string /** Milliseconds since 1970. */; readonly startedAt: number };

/** The complete backups that the schedule has made, oldest first. Other folders are none of its business. */
export async function completeBackups(folder: string): Promise<CompleteBackup[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .flatMap((name) => {
      const startedAt = timeOf(name);
      return startedAt === undefined || !existsSync(join(folder, name, manifestName)) ? [] : [{ name, startedAt }];
    })
    .sort((one, other) => one.startedAt - other.startedAt);
}

function timeOf(name: string): number | undefined {
  const [, day, ...clock] = pattern.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}${clock.join(':')}Z`);
}

/** The last time at which a backup was due. */
export function dueAt(now: number, atMinute: number): number {
  const today = Math.floor(now / dayMs) * dayMs + atMinute * minuteMs;
  return today <= now ? today : today - dayMs;
}

/**
 * Makes a backup every day, and removes the oldest ones. Whatever was missed, because no server ran, is made up for at once.
 * A backup that failed is tried again after an hour; the ones before it stay.
 *
 * Source: SECURITY.md, REL-64
 */
export function scheduleBackups({ schedule, log, make, alone, now }: ScheduleDeps) {
  const { folder, atMinute, keep } = schedule;
  const stopping = new AbortController();
  let tryAfter = 0;
  let running: Promise<void> | undefined;

  const isDue = async (): Promise<boolean> => {
    // A backup that was started while the clock was ahead says nothing about today.
    const newest = (await completeBackups(folder)).findLast(({ startedAt }) => startedAt <= now());
    return newest === undefined || newest.startedAt < dueAt(now(), atMinute);
  };
  const backUp = async (): Promise<void> => {
    // Another server may have made it since somebody looked.
    if (!(await isDue())) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = join(folder, nameOf(now()));
    const made = await make(target, await newestUsable(), stopping.signal);
    log.info({ event: 'backup', folder: target }, made);
    await prune();
  };
  /** The newest backup that the next one can begin with. One that nobody can read must not prevent all later ones. */
  const newestUsable = async (): Promise<string | undefined> => {
    for (const { name } of (await completeBackups(folder)).toReversed()) {
      const path = join(folder, name);
      try {
        await readManifest(path);
        return path;
      } catch (error) {
        log.warn({ event: 'backup-unusable', folder: path, err: error }, 'A backup cannot be used');
      }
    }
    return undefined;
  };
  const prune = async (): Promise<void> => {
    const complete = await completeBackups(folder);
    const old = complete.slice(0, Math.max(0, complete.length - keep)).map(({ name }) => name);
    // Only one is made at a time, so nobody works on these any more.
    const incomplete = (await readdir(folder)).filter((name) => timeOf(unfinished.exec(name)?.[1] ?? '') !== undefined);
    for (const name of [...old, ...incomplete]) {
      const path = join(folder, name);
      try {
        // What is half removed must not count as complete.
        await rm(join(path, manifestName), { force: true });
        await rm(path, { recursive: true });
        log.info({ event: 'backup', folder: path }, 'Removed an old backup');
      } catch (error) {
        log.error({ event: 'backup-not-removed', folder: path, err: error }, 'An old backup could not be removed');
      }
    }
  };
  const look = async (): Promise<void> => {
    if (now() < tryAfter || !(await isDue())) return;
    await alone(backUp);
  };
  const lookOnce = (): Promise<void> => {
    running ??= look()
      .catch((error: unknown) => {
        tryAfter = now() + againMs;
        if (!stopping.signal.aborted) log.error({ event: 'backup-failed', err: error }, 'No backup could be made');
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(() => void lookOnce(), minuteMs).unref();
  return {
    look: lookOnce,
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
