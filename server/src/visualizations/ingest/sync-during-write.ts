import type { Appender } from '../../storage/storage.ts';

/** Bytes made durable at a time. */
const syncBytes = 64 * 2 ** 20;

/**
 * An object that makes bytes durable while the next ones are gathered, so that little is left for the last `sync`. The
 * last `sync` also rejects with earlier errors: a system reports a failed write only once.
 */
export function syncDuringWrite(object: Appender): Appender {
  let synced = object.size;
  let syncing: Promise<void> | undefined;
  let fault: { readonly error: unknown } | undefined;
  return {
    get size() {
      return object.size;
    },
    async write(bytes) {
      await object.write(bytes);
      if (fault) throw fault.error;
      if (syncing || object.size - synced < syncBytes) return;
      synced = object.size;
      syncing = object
        .sync()
        .catch((error: unknown) => {
          fault = { error };
        })
        .finally(() => {
          syncing = undefined;
        });
    },
    async sync() {
      await syncing;
      if (fault) throw fault.error;
      await object.sync();
    },
    async close() {
      await syncing;
      await object.close();
    },
  };
}
