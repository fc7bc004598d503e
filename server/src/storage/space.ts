import { statfs } from 'node:fs/promises';
import type { Log } from '../log.ts';

/** Where this server writes: the folder `DATA_DIR`, and the storage of files, which may be in it. */
export const places = ['data_dir', 'storage'] as const;
export type Place = (typeof places)[number];

export type SpaceWatch = {
  /** Places that had less free space than the alarm when somebody looked last. */
  low(): readonly Place[];
  look(): Promise<void>;
  stop(): void;
};

export type WatchedSpace = {
  /** Free bytes; infinite if nobody knows a limit. */
  readonly free: Readonly<Record<Place, () => Promise<number>>>;
  /** `DISK_ALARM`, in bytes. */
  readonly alarmBytes: number;
  readonly log: Log;
};

const everyMs = 60_000;

/** Free bytes of the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Looks every minute how much space is free, and logs when it becomes too little, and when it is enough again. A database
 * without space ends, so somebody should be warned before.
 *
 * Source: SECURITY.md, REL-60
 */
export function watchSpace({ free, alarmBytes, log }: WatchedSpace): SpaceWatch {
  const isLow = new Set<Place>();
  const lookAt = async (place: Place): Promise<void> => {
    const bytes = await free[place]();
    if (bytes < alarmBytes === isLow.has(place)) return;
    const details = { event: 'disk-low', place, free: bytes, alarm: alarmBytes };
    if (isLow.delete(place)) {
      log.info(details, 'There is enough free space again');
      return;
    }
    isLow.add(place);
    log.error(details, 'Little space is free: make room before the disk is full');
  };
  const look = async (): Promise<void> => {
    const looks = places.map((place) =>
      lookAt(place).catch((error: unknown) => log.warn({ err: error, place }, 'Free space could not be read')),
    );
    await Promise.all(looks);
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return { low: () => places.filter((place) => isLow.has(place)), look, stop: () => clearInterval(timer) };
}
