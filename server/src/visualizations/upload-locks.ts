import { ERRORS, type Lock, type Locker } from '@tus/server';
import pg from 'pg';
import { uploadChannel } from '../database/notifications.ts';

/**
 * One request at a time per upload, across every server on the database: session-level advisory locks on one
 * connection of this server, which a crash lets go of at once.
 *
 * Somebody who waits asks the holder to stop, here directly and elsewhere by NOTIFY: after a broken connection the old
 * request may not know yet that nobody sends any more.
 */
export function createUploadLocks(connect: () => pg.ClientConfig): Locker & { close(): Promise<void> } {
  const holders = new Map<string, Holder>();
  let session: Promise<Session> | undefined;

  const getSession = (): Promise<Session> => {
    session ??= openSession(connect(), (id) => holders.get(id)?.cancel(), lost).catch((error) => {
      session = undefined;
      throw error;
    });
    return session;
  };
  const lost = (): void => {
    session = undefined;
    for (const holder of holders.values()) holder.cancel();
  };

  async function lock(id: string, signal: AbortSignal, cancel: () => void): Promise<Holder> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const holder = await enter(holders, id, deadline, cancel);
    try {
      const held = await getSession();
      while (!(await tryLock(held, id))) {
        await held.query('select pg_notify($1, $2)', [uploadChannel, id]);
        await pause(retryMs, deadline);
      }
      return holder;
    } catch (error) {
      leave(holders, id, holder);
      throw error;
    }
  }

  async function unlock(id: string, holder: Holder | undefined): Promise<void> {
    if (!holder) return;
    try {
      // A session that broke meanwhile has let go of the lock by itself.
      const held = await session;
      await held?.query(`select pg_advisory_unlock(${lockNumber})`, [id]);
    } finally {
      leave(holders, id, holder);
    }
  }

  return {
    newLock(id): Lock {
      let holder: Holder | undefined;
      return {
        async lock(signal, cancel) {
          holder = await lock(id, signal, () => void cancel());
        },
        unlock: () => unlock(id, holder),
      };
    },
    async close() {
      await (await session)?.end();
      session = undefined;
    },
  };
}

type Holder = { readonly cancel: () => void; readonly left: Promise<void>; readonly leave: () => void };

const retryMs = 100;
const waitMs = 15_000;
const lockNumber = `hashtextextended('upload:' || $1, 0)`;

/** Waits until nobody on this server holds `id`, then does. */
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
  const holder = { cancel, left, leave: resolve };
  holders.set(id, holder);
  return holder;
}

function leave(holders: Map<string, Holder>, id: string, holder: Holder): void {
  if (holders.get(id) === holder) holders.delete(id);
  holder.leave();
}

/** The connection that holds the locks of this server; its queries wait for each other. */
type Session = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>; end(): Promise<void> };

async function openSession(
  connection: pg.ClientConfig,
  wanted: (id: string) => void,
  lost: () => void,
): Promise<Session> {
  const client = new pg.Client({ ...connection, keepAlive: true });
  client.on('notification', ({ payload }) => payload && wanted(payload));
  client.once('error', () => {
    lost();
    void client.end();
  });
  await client.connect();
  await client.query(`listen ${uploadChannel}`);
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(text, values) {
      const query = last.then(() => client.query<object>(text, values));
      last = query.catch(() => undefined);
      return query;
    },
    end: () => client.end(),
  };
}

async function tryLock(session: Session, id: string): Promise<boolean> {
  const { rows } = await session.query(`select 1 where pg_try_advisory_lock(${lockNumber})`, [id]);
  return rows.length === 1;
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
