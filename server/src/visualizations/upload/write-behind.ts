import type { Appender } from '../../storage/storage.ts';

/** Gathered while earlier blocks are written. */
const gatheredBytes = 2 ** 19;

/** Writes to an appender. A call for each block of a socket would cost more than copying the blocks together. */
export type WriteBehind = {
  /** Settles when there is room for more; rejects if earlier bytes could not be written. */
  take(bytes: Uint8Array): Promise<void>;
  /** Settles when everything is written. */
  settled(): Promise<void>;
};

/** The first bytes are written at once; those that arrive meanwhile are written together afterwards. */
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
        // The error is reported to the waiting caller. No write begins after one that failed.
        writing.catch(() => undefined);
      }
    },
    settled: async () => writing,
  };
}
