import { type Storage, StorageFull } from './storage.ts';

/** Space that stays free for everything but what people send and what is made of it: the database, logs. */
export const spareBytes = 256 * 1024 * 1024;
/** How much is written between two looks at the free space. */
const lookEveryBytes = 16 * 1024 * 1024;

/** More was to be written than was allowed. */
export class WroteTooMuch extends Error {
  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes were to be written`);
    this.name = 'WroteTooMuch';
  }
}

/**
 * A storage for a process that makes objects. What is made may be many times as long as what was sent, so the process leaves
 * {@link spareBytes} free, and writes no more than it may.
 *
 * @param maxBytes that are written in all
 * @returns a storage whose appenders throw {@link StorageFull} and {@link WroteTooMuch}
 */
export function withinLimits(storage: Storage, maxBytes = Number.POSITIVE_INFINITY): Storage {
  let written = 0;
  let looked = Number.NEGATIVE_INFINITY;
  const count = async (bytes: number): Promise<void> => {
    written += bytes;
    if (written > maxBytes) throw new WroteTooMuch(maxBytes);
    if (written - looked < lookEveryBytes) return;
    looked = written;
    if ((await storage.freeForWork()) < spareBytes + bytes) throw new StorageFull();
  };
  return {
    ...storage,
    async append(key, offset, generation) {
      const appender = await storage.append(key, offset, generation);
      return {
        get size() {
          return appender.size;
        },
        async write(bytes) {
          await count(bytes.length);
          await appender.write(bytes);
        },
        sync: () => appender.sync(),
        close: () => appender.close(),
      };
    },
  };
}
