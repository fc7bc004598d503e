import type { Appender } from '../../storage/storage.ts';

/** What is gathered while the blocks before it are written. */
const gatheredBytes = 2 ** 19;

/** Writes to an appender. A call for each block that a socket brings would cost more than copying it. */
export type WriteBehind = {
  /** Settles when there is room for more; rejects when what came before could not be written. */
  take(bytes: Uint8Array): Promise<void>;
  /** Settles when all of it is written. */
  settled(): Promise<void>;
};

/** What is taken is written at once, and what comes meanwhile in one go after it. */
export function writeBehind(appender: Appender): WriteBehind {
  let gathering = new Uint8Array(gatheredBytes);
  let other = new Uint8Array(gatheredBytes);
  let filled = 0;
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (filled > 0) {
      const bytes = gathering.subarray(0, filled);
      [gathering, other, filled] = [other, gathering, 0];
      await appender.write(bytes);
    }
    writing = undefined;
  }

  return {
    async take(bytes) {
      for (let taken = 0; taken < bytes.length; ) {
        if (filled === gatheredBytes) await writing;
        const part = bytes.subarray(taken, taken + gatheredBytes - filled);
        gathering.set(part, filled);
        filled += part.length;
        taken += part.length;
        if (writing) continue;
        writing = writeAll();
        // Told by whoever waits for it; none is begun after one that failed.
        writing.catch(() => undefined);
      }
    },
    settled: async () => writing,
  };
}
