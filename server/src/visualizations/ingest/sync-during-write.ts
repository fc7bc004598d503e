import type { Appender } from '../../storage/storage.ts';

/** So many bytes are made durable at a time. */
const syncBytes = 64 * 2 ** 20;

/**
 * An object whose bytes are made durable while the next ones are gathered, so that few are left for the last `sync`. That
 * one also rejects with what went wrong before it: a system tells of a failed write once.
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
