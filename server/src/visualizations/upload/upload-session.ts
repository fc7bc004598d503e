import pg from 'pg';
import { uploadChannel, uploadMovedChannel } from '../../database/notifications.ts';
import { quietConnection } from '../../database/open.ts';

/** What a server is notified of about its own uploads and those of other servers. */
type UploadListener = {
  /** Another request wants to continue this upload, or it was ended. */
  wanted?(id: string): void;
  /** More of this upload is durable, or it was deleted. */
  moved?(id: string): void;
  /** The connection broke: its locks are released, and notifications were missed. */
  lost?(): void;
};

/**
 * The one connection that holds a server's upload locks and receives notifications about uploads. The locks are
 * PostgreSQL's session-level advisory locks: a crash or a broken connection releases all of them.
 *
 * The locks are leases: the connection sends a heartbeat every {@link beatMs}. If there was none for {@link leaseMs} by the
 * database's clock, another server that wants one of the locks terminates the connection. A server that was stopped and
 * resumes finds it broken; fences (`beginAppending`) and revisions refuse what it still tries to record.
 */
export type UploadSession = {
  listen(listener: UploadListener): void;
  /** @returns a function that releases the lock; `undefined` while anyone holds it, including this server */
  tryLock(name: string): Promise<Unlock | undefined>;
  /** Signals the sender of this upload to stop. */
  want(id: string): Promise<void>;
  close(): Promise<void>;
};

export type Unlock = () => Promise<void>;

/** The holder of this lock, and no other server, receives the bytes of an upload. */
export const sendingLock = (uploadId: string): string => `${sendingPrefix}${uploadId}`;
export const sendingPrefix = 'upload:';
/** In SQL: the lock number for the name that an expression gives. */
export const lockNumber = (name: string): string => `hashtextextended(${name}, 0)`;

const retryMs = 1_000;
const beatMs = 2_000;
/** Longer than a busy machine may stall, and shorter than a request waits for a lock. */
const leaseMs = 10_000;
/** How often the holder of a lock is checked. */
const holderCheckMs = 1_000;

/** Connects now, and again after the connection broke. */
export function openUploadSession(connect: () => pg.ClientConfig): UploadSession {
  const listeners: UploadListener[] = [];
  const unlocks = new Map<string, Unlock>();
  let connection: Promise<Connection> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  /** When the holder of a lock was last checked, by the lock's name. Each lock has its own interval. */
  const checkedAt = new Map<string, number>();

  const lost = (): void => {
    if (closed) return;
    connection = undefined;
    unlocks.clear();
    for (const { lost } of listeners) lost?.();
    clearTimeout(retry);
    retry = setTimeout(() => void connected().catch(() => undefined), retryMs).unref();
  };
  const onNotification = (channel: string, id: string): void => {
    for (const listener of listeners) (channel === uploadChannel ? listener.wanted : listener.moved)?.(id);
  };
  const connected = (): Promise<Connection> => {
    connection ??= openConnection(connect(), onNotification, lost).catch((error) => {
      lost();
      throw error;
    });
    return connection;
  };
  /** Terminates the connection that holds a lock, if its lease has expired. */
  const endSilentHolder = async (name: string): Promise<void> => {
    const now = performance.now();
    for (const [other, at] of checkedAt) if (now - at >= holderCheckMs) checkedAt.delete(other);
    if (checkedAt.has(name)) return;
    checkedAt.set(name, now);
    await (await connected()).query(endSilentHolderOf, [name, leaseMs / 1_000]);
  };
  void connected().catch(() => undefined);

  return {
    listen: (listener) => void listeners.push(listener),
    async tryLock(name) {
      if (unlocks.has(name)) return undefined;
      const unlock = async (): Promise<void> => {
        // A connection that broke meanwhile has released the lock, and another server may hold it by now.
        if (unlocks.get(name) !== unlock) return;
        unlocks.delete(name);
        await (await connection)?.query(`select pg_advisory_unlock(${lockNumber('$1')})`, [name]);
      };
      unlocks.set(name, unlock);
      try {
        const { rows } = await (await connected()).query(`select 1 where pg_try_advisory_lock(${lockNumber('$1')})`, [
          name,
        ]);
        if (rows.length === 1) return unlock;
        unlocks.delete(name);
        await endSilentHolder(name);
        return undefined;
      } catch (error) {
        unlocks.delete(name);
        throw error;
      }
    },
    async want(id) {
      await (await connected()).query('select pg_notify($1, $2)', [uploadChannel, id]);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await (await connection?.catch(() => undefined))?.end();
    },
  };
}

/** The last heartbeat of a connection ended when its state last changed. */
const endSilentHolderOf = `
  select pg_terminate_backend(pid)
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = ${lockNumber('$1')}
    and state = 'idle' and state_change < clock_timestamp() - make_interval(secs => $2)
`;

/** Queries that run one after another. */
type Connection = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>; end(): Promise<void> };

async function openConnection(
  config: pg.ClientConfig,
  onNotification: (channel: string, id: string) => void,
  onLost: () => void,
): Promise<Connection> {
  const client = new pg.Client({ ...config, ...quietConnection });
  client.on('notification', ({ channel, payload }) => payload && onNotification(channel, payload));
  client.once('error', () => {
    onLost();
    void client.end();
  });
  await client.connect();
  await client.query(`listen ${uploadChannel}; listen ${uploadMovedChannel}`);
  let last: Promise<unknown> = Promise.resolve();
  const query: Connection['query'] = (text, values) => {
    const query = last.then(() => client.query<object>(text, values));
    last = query.catch(() => undefined);
    return query;
  };
  const heartbeat = setInterval(() => void query('select', []).catch(() => undefined), beatMs).unref();
  client.once('end', () => clearInterval(heartbeat));
  return { query, end: () => client.end() };
}
