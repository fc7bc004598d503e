import pg from 'pg';
import { uploadChannel, uploadMovedChannel } from '../../database/notifications.ts';
import { quietConnection } from '../../database/open.ts';

/** What a server is notified of about its own uploads and those of other servers. */
type UploadListener = {
  /** Another request wants to continue this upload, or it was ended. */
  wanted?(id: string): void;
  /** More of this upload is durable, or it is gone. */
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
  hear(news: UploadListener): void;
  /** @returns a function that releases the lock; `undefined` while anyone holds it, including this server */
  tryLock(name: string): Promise<Unlock | undefined>;
  /** Asks the sender of this upload to stop. */
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
/** How often a lock that somebody holds is looked at. */
const lookMs = 1_000;

/** Connects now, and again after the connection broke. */
export function openUploadSession(connect: () => pg.ClientConfig): UploadSession {
  const hearers: UploadListener[] = [];
  const held = new Map<string, Unlock>();
  let connection: Promise<Connection> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  /** When somebody looked at the holder of a lock, by its name: those that wait for one take no looks from others. */
  const looked = new Map<string, number>();

  const lost = (): void => {
    if (closed) return;
    connection = undefined;
    held.clear();
    for (const { lost } of hearers) lost?.();
    clearTimeout(retry);
    retry = setTimeout(() => void connected().catch(() => undefined), retryMs).unref();
  };
  const heard = (channel: string, id: string): void => {
    for (const news of hearers) (channel === uploadChannel ? news.wanted : news.moved)?.(id);
  };
  const connected = (): Promise<Connection> => {
    connection ??= openConnection(connect(), heard, lost).catch((error) => {
      lost();
      throw error;
    });
    return connection;
  };
  /** Terminates the connection that holds a lock, if its lease has expired. */
  const endSilentHolder = async (name: string): Promise<void> => {
    const now = performance.now();
    for (const [other, at] of looked) if (now - at >= lookMs) looked.delete(other);
    if (looked.has(name)) return;
    looked.set(name, now);
    await (await connected()).query(endSilentHolderOf, [name, leaseMs / 1_000]);
  };
  void connected().catch(() => undefined);

  return {
    hear: (news) => void hearers.push(news),
    async tryLock(name) {
      if (held.has(name)) return undefined;
      const unlock = async (): Promise<void> => {
        // A connection that broke meanwhile has released the lock, and another server may hold it by now.
        if (held.get(name) !== unlock) return;
        held.delete(name);
        await (await connection)?.query(`select pg_advisory_unlock(${lockNumber('$1')})`, [name]);
      };
      held.set(name, unlock);
      try {
        const { rows } = await (await connected()).query(`select 1 where pg_try_advisory_lock(${lockNumber('$1')})`, [
          name,
        ]);
        if (rows.length === 1) return unlock;
        held.delete(name);
        await endSilentHolder(name);
        return undefined;
      } catch (error) {
        held.delete(name);
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
  heard: (channel: string, id: string) => void,
  lost: () => void,
): Promise<Connection> {
  const client = new pg.Client({ ...config, ...quietConnection });
  client.on('notification', ({ channel, payload }) => payload && heard(channel, payload));
  client.once('error', () => {
    lost();
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
  const beating = setInterval(() => void query('select', []).catch(() => undefined), beatMs).unref();
  client.once('end', () => clearInterval(beating));
  return { query, end: () => client.end() };
}
