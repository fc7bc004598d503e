/** The share of memory that one reading uses. */
type MemoryShare = {
  /** Reports how many bytes it needs now. May end this reading, or others. */
  need(bytes: number): void;
  release(): void;
};

/**
 * Keeps all readings of uploads within `INGEST_MEMORY`.
 *
 * A complete file is read alone and may use everything; other complete files wait. Files that are read while they
 * arrive yield to it, the largest first. Among those, one that finds no room ends itself. A reading that yielded is
 * repeated alone once its last byte has arrived, so nothing waits while it uses memory.
 */
export type MemoryShares = {
  /** @param giveWay ends this reading immediately; it no longer counts */
  whileArriving(giveWay: () => void): MemoryShare;
  /** Waits for its turn. @throws the signal's reason if it is aborted first */
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
        // The reader itself refuses a file that needs more than the total.
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
        // The next in line still waits for the one before.
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
