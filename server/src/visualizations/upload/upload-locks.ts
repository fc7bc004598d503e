import { ERRORS, type Lock, type Locker } from '@tus/server';
import { sendingLock, type Unlock, type UploadSession } from './upload-session.ts';

/**
 * Allows one request at a time per upload, across all servers on the database.
 *
 * A waiting request asks the holder to stop, directly on this server and by NOTIFY on others: after a broken connection
 * the old request may not know yet that its sender is gone.
 */
export function createUploadLocks(session: UploadSession): Locker {
  const holders = new Map<string, Holder>();
  session.hear({
    wanted(id) {
      const holder = holders.get(id);
      // A request that waits for the lock is told as well, of its own wish.
      if (holder?.hasLock) holder.cancel();
    },
    lost() {
      for (const holder of holders.values()) holder.cancel();
    },
  });

  async function lock(id: string, signal: AbortSignal, cancel: () => void): Promise<Unlock> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const holder = await enter(holders, id, deadline, cancel);
    try {
      for (;;) {
        const unlock = await session.tryLock(sendingLock(id));
        if (unlock) {
          holder.hasLock = true;
          return () => unlock().finally(() => leave(holders, id, holder));
        }
        await session.want(id);
        await pause(retryMs, deadline);
      }
    } catch (error) {
      leave(holders, id, holder);
      throw error;
    }
  }

  return {
    newLock(id): Lock {
      let unlock: Unlock | undefined;
      return {
        async lock(signal, cancel) {
          unlock = await lock(id, signal, () => void cancel());
        },
        unlock: async () => unlock?.(),
      };
    },
  };
}

/** A request that has the lock of an upload, or is the one on this server that waits for it. */
type Holder = {
  hasLock: boolean;
  readonly cancel: () => void;
  readonly left: Promise<void>;
  readonly leave: () => void;
};

const retryMs = 100;
const waitMs = 15_000;

/** Waits until no request on this server holds `id`, then holds it. */
async function enter(
  holders: Map<string, Holder>,
  id: string,
  deadline: AbortSignal,
  cancel: () => void,
): Promise<Holder> {
  for (let other = holders.get(id); other; other = holders.get(id)) {
    other.cancel();
    await orAborted(other.left, deadline);
  }
  const { promise: left, resolve } = deferred();
  const holder = { hasLock: false, cancel, left, leave: resolve };
  holders.set(id, holder);
  return holder;
}

function leave(holders: Map<string, Holder>, id: string, holder: Holder): void {
  if (holders.get(id) === holder) holders.delete(id);
  holder.leave();
}

async function pause(milliseconds: number, deadline: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred();
  setTimeout(resolve, milliseconds);
  await orAborted(promise, deadline);
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred();
  signal.addEventListener('abort', resolve, { once: true });
  try {
    if (!signal.aborted) await Promise.race([work, promise]);
    if (signal.aborted) throw ERRORS.ERR_LOCK_TIMEOUT;
  } finally {
    signal.removeEventListener('abort', resolve);
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
