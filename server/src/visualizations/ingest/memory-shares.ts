/** What one reading takes of the memory for all of them. */
export type MemoryShare = {
  /** Says how many bytes it needs by now. May end this reading, or others. */
  need(bytes: number): void;
  release(): void;
};

/**
 * Keeps all readings of uploads within `INGEST_MEMORY`.
 *
 * A file that is there to its last byte is read alone, others of its kind wait, and may take all there is: those that
 * are read while they arrive give way to it, the one that needs most first. Of those, the one that finds no room ends
 * itself. Whoever gave way is read again, alone, once its last byte is there; so nobody waits while holding memory.
 */
export type MemoryShares = {
  /** @param giveWay ends this reading, at once: from then on it does not count */
  whileArriving(giveWay: () => void): MemoryShare;
  /** Waits its turn. @throws the signal's reason when it is aborted first */
  alone(signal: AbortSignal): Promise<MemoryShare>;
};

type Entry = { bytes: number; readonly giveWay: (() => void) | undefined; gaveWay: boolean };

/** @param allowedBytes `INGEST_MEMORY` */
export function createMemoryShares(allowedBytes: number): MemoryShares {
  const entries = new Set<Entry>();
  let turn: Promise<void> = Promise.resolve();

  const staying = (): Entry[] => [...entries].filter((entry) => !entry.gaveWay);
  const isTooMuch = (): boolean => staying().reduce((sum, entry) => sum + entry.bytes, 0) > allowedBytes;
  const end = (entry: Entry): void => {
    entry.gaveWay = true;
    entry.giveWay?.();
  };
  const enter = (giveWay?: () => void): MemoryShare => {
    const entry: Entry = { bytes: 0, giveWay, gaveWay: false };
    entries.add(entry);
    return {
      need(bytes) {
        entry.bytes = bytes;
        // A file that needs more than there is at all is refused by who reads it.
        if (entry.gaveWay || bytes > allowedBytes || !isTooMuch()) return;
        if (giveWay) return end(entry);
        const others = staying().filter((other) => other.giveWay);
        for (const other of others.sort((a, b) => b.bytes - a.bytes)) if (isTooMuch()) end(other);
      },
      release: () => void entries.delete(entry),
    };
  };
  return {
    whileArriving: enter,
    async alone(signal) {
      const before = turn;
      let leave: () => void = () => undefined;
      turn = new Promise((resolve) => {
        leave = resolve;
      });
      await Promise.race([before, aborted(signal)]).catch((error: unknown) => {
        // Whoever waits behind this one still waits for the one before.
        void before.then(leave);
        throw error;
      });
      const share = enter();
      return {
        need: share.need,
        release() {
          share.release();
          leave();
        },
      };
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
