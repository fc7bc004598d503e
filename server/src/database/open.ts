import { toStorable } from '@kc/rules/storable-text';
import { CompiledQuery, Kysely, PostgresDialect, type SelectQueryBuilder, type Transaction } from 'kysely';
import pg from 'pg';
import { onBehalfOfNone, spent, timed } from '../request-times.ts';
import type { Database } from './schema.ts';

export type Db = Kysely<Database>;
/** A database or a transaction on it: anything that runs queries. */
export type Queryable = Kysely<Database> | Transaction<Database>;
/** A transaction: what is done in it happens as a whole, or not at all. */
export type Tx = Transaction<Database>;

/** bigint and count() as numbers: no count or size in this product exceeds 2^53. */
const bigint = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigint ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** No call may block the database for long, whatever it requests. Source: SECURITY.md, SEC-27. */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/**
 * For a connection that mostly waits. A network that drops quiet connections, or loses the other end, says nothing: the
 * system probes the connection after ten seconds of silence, and not after two hours.
 */
export const quietConnection = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Connections of a pool, and requests that wait for one. */
type PoolCounts = { readonly total: number; readonly idle: number; readonly waiting: number };

const pools = new WeakMap<Db, pg.Pool>();

/** @param db as {@link openDatabase} returned it */
export function poolCounts(db: Db): PoolCounts {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

/**
 * A connection pool with the product's types and timeouts. The caller ends it with `destroy()`.
 *
 * @param waitMs how long a call waits for a connection
 */
export function openDatabase(
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
  max = 20,
  waitMs = 2_000,
): Db {
  const limits = { ...timeouts, connectionTimeoutMillis: waitMs };
  const pool = new pg.Pool({ ...connection, ...limits, types, max, Client: PreparingClient });
  surviveLostConnections(pool, onError);
  const timedPool = {
    options: pool.options,
    connect: () => timed('connection', () => pool.connect()),
    end: () => pool.end(),
  };
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: timedPool }),
    log: ({ queryDurationMillis }) => spent('database', queryDurationMillis),
  });
  pools.set(db, pool);
  return db;
}

/**
 * Without listeners, a connection that breaks would end the process. An idle one is replaced at the next query. One that is in
 * use between two statements of a transaction fails at the second one.
 */
export function surviveLostConnections(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

const serialization = new Set(['40001', '40P01']);

/** Whether a text can be an ID of this product. The database rejects some texts with an error, for example those with NUL. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/** Whether a query finds a row. */
export const findsRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

type Changed = {
  readonly numInsertedOrUpdatedRows?: bigint | undefined;
  readonly numUpdatedRows?: bigint;
  readonly numDeletedRows?: bigint;
};

/** Whether a statement changes a row. */
export async function changesRow(statement: { executeTakeFirst(): Promise<Changed> }): Promise<boolean> {
  const { numInsertedOrUpdatedRows, numUpdatedRows, numDeletedRows } = await statement.executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? numUpdatedRows ?? numDeletedRows ?? 0n) > 0n;
}

/** How many rows a query finds. */
export async function countOf<Table extends keyof Database>(
  query: SelectQueryBuilder<Database, Table, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

/**
 * A transaction, retried up to five times after serialization failures.
 *
 * `work` must have no effects outside the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === 5 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 + Math.random() * 20));
    }
  }
}

/** Whether a transaction failed because of another one, so that it may succeed when it is run again. */
export const isConflict = (error: unknown): boolean => serialization.has(codeOf(error) ?? '');

/** PostgreSQL's five-character error code, or Node's code such as `ECONNREFUSED` or `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Whether the database is unreachable, or has no connection left, as opposed to rejecting something. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (/^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|08|53300|57P0)/.test(code)) return true;
  return error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message);
}

const names = new Map<string, string>();

/**
 * A prepared statement for frequent queries: PostgreSQL parses and plans it once per connection. It lists its columns,
 * because the result of a prepared `select *` must not change, and a migration would change it.
 *
 * @returns the statement with its values, for `executeQuery`
 */
export function prepared<Row>(name: string, text: string): (...values: readonly unknown[]) => CompiledQuery<Row> {
  names.set(text, name);
  return (...values) => CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;
}

/** A connection that knows which statements are {@link prepared}. */
export class PreparingClient extends pg.Client {
  /** Covers all overloads of the driver: a known text is sent with its name, anything else unchanged. */
  override query(...args: never[]): never {
    const [text, values]: readonly unknown[] = args;
    const name = typeof text === 'string' ? names.get(text) : undefined;
    const named = [{ name, text, values }] as never[];
    return Reflect.apply(super.query, this, name ? named : args) as never;
  }
}

/**
 * A value as JSON that PostgreSQL can store: {@link toStorable} is applied to every text within it. For what comes from
 * uploaded files; the files themselves, and packs, keep every character.
 */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? toStorable(inner) : inner));

/**
 * Batches a query: the requests of one turn of the event loop go to the database together. The query runs after the
 * last of them and nothing is cached, so each gets current data. Most of the cost of a small query is the round trip.
 *
 * @param loadAll returns the values of all keys, in their order; if it fails, all requests fail
 */
export function batchLoader<Key, Answer>(
  loadAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  type Request = { readonly key: Key; answer(found: Answer): void; fail(error: unknown): void };
  let waiting: Request[] = [];

  async function flush(): Promise<void> {
    const requests = waiting;
    waiting = [];
    try {
      const answers = await loadAll(requests.map(({ key }) => key));
      for (const [place, { answer }] of requests.entries()) answer(answers[place]!);
    } catch (error) {
      for (const { fail } of requests) fail(error);
    }
  }

  return (key) =>
    new Promise((answer, fail) => {
      if (waiting.push({ key, answer, fail }) === 1) onBehalfOfNone(() => setImmediate(() => void flush()));
    });
}
