import { setTimeout } from 'node:timers/promises';
import { TusError } from './sender.ts';
import { sendingLock, type Unlock, type UploadSession } from './upload-session.ts';

export type UploadLocks = {
  /**
   * Runs `work` while no other request has this upload, on any server.
   *
   * @param work its signal is aborted a second after another request wanted the upload
   * @throws TusError if the current holder does not release the upload in time
   */
  during<T>(id: string, work: (wanted: AbortSignal) => Promise<T>): Promise<T>;
};

/** A request that holds the lock of an upload, or is the one on this server that waits for it. */
type Holder = { hasLock: boolean; readonly cancel: () => void; readonly released: Promise<void> };

const retryMs = 100;
const waitMs = 15_000;
/** What a request that has to stop may still receive. */
const drainMs = 1_000;

/**
 * Allows one request at a time per upload, across all servers on the database.
 *
 * A waiting request signals the holder to stop, directly on this server and by NOTIFY on others: after a broken connection
 * the old request may not know yet that its client has disconnected.
 */
export function createUploadLocks(session: UploadSession): UploadLocks {
  const holders = new Map<string, Holder>();
  session.listen({
    wanted(id) {
      const holder = holders.get(id);
      // A request that waits for the lock receives its own notification, too.
      if (holder?.hasLock) holder.cancel();
    },
    lost() {
      for (const holder of holders.values()) holder.cancel();
    },
  });

  async function lock(id: string, wanted: AbortSignal, cancel: () => void): Promise<Unlock> {
    const late = rejectionAt(AbortSignal.any([wanted, AbortSignal.timeout(waitMs)]));
    for (let other = holders.get(id); other; other = holders.get(id)) {
      other.cancel();
      await Promise.race([other.released, late]);
    }
    let onReleased = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      onReleased = resolve;
    });
    const holder: Holder = { hasLock: false, cancel, released };
    holders.set(id, holder);
    const release = (): void => {
      holders.delete(id);
      onReleased();
    };
    try {
      for (;;) {
        const unlock = await session.tryLock(sendingLock(id));
        if (unlock) {
          holder.hasLock = true;
          return () => unlock().finally(release);
        }
        await session.want(id);
        await Promise.race([setTimeout(retryMs), late]);
      }
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    async during(id, work) {
      const wanted = new AbortController();
      const cancel = (): void => void setTimeout(drainMs).then(() => wanted.abort());
      const unlock = await lock(id, wanted.signal, cancel);
      try {
        return await work(wanted.signal);
      } finally {
        await unlock();
      }
    },
  };
}

/** Rejects when the signal is aborted. */
function rejectionAt(signal: AbortSignal): Promise<never> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new TusError(423)), { once: true });
  });
  late.catch(() => undefined);
  return late;
}
