import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Db, poolCounts } from '../database/open.ts';
import { places, type SpaceWatch, type WatchedSpace } from '../storage/space.ts';
import type { QueryWatch } from '../visualizations/query/query-thread.ts';

/** What this server counts about itself, in the form of Prometheus. Labels never hold what a user chose. */
export type Metrics = QueryWatch & {
  readonly registry: Registry;
  /** @param call the route, or the name of a call of the contract: there are finitely many */
  onRequestCompleted(method: string, call: string, status: number, seconds: number): void;
  /** A line of the log about something that has a name: a refusal for lack of room, an attempt that is repeated. */
  logged(level: string, event: string): void;
};

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'kc_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its response',
    labelNames: ['method', 'call', 'status'],
    buckets: seconds,
    registers,
  });
  const queries = new Histogram({
    name: 'kc_query_duration_seconds',
    help: 'Queries on packs, waiting for the query thread included',
    labelNames: ['question'],
    buckets: seconds,
    registers,
  });
  const openPacks = new Gauge({ name: 'kc_packs_open', help: 'Packs that the query thread has open', registers });
  const packsOpened = new Gauge({
    name: 'kc_packs_opened',
    help: 'Packs opened since the query thread began',
    registers,
  });
  const lines = new Counter({
    name: 'kc_log_events_total',
    help: 'Log lines by level and event',
    labelNames: ['level', 'event'],
    registers,
  });
  return {
    registry,
    onRequestCompleted: (method, call, status, took) =>
      requests.observe({ method, call, status: String(status) }, took),
    onQueryAnswered: (question, took) => queries.observe({ question }, took),
    onPacksChanged({ open, opened }) {
      openPacks.set(open);
      packsOpened.set(opened);
    },
    logged: (level, event) => lines.inc({ level, event }),
  };
}

type MetricsServer = { readonly port: number; close(): Promise<void> };

/**
 * Answers `GET /metrics` on a port of its own, so that a proxy which forwards the product's port does not publish it. Nobody
 * has to sign in.
 *
 * @param port 0 for any free one
 * @throws if the port cannot be used
 */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    request.resume();
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics\n');
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Watched = {
  readonly db: Db;
  readonly free: WatchedSpace['free'];
  readonly space: Pick<SpaceWatch, 'low'>;
};

/**
 * What is read when the metrics are requested: uploads by state, the queues of jobs, the database pool and free space.
 * What cannot be read is left out of the answer; `kc_database_up` says whether that is why.
 */
export function watchDeployment(registry: Registry, { db, free, space }: Watched): void {
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[], read: (gauge: Gauge) => Promise<void>): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        await read(this).catch(() => this.reset());
      },
    });
  };

  gauge('kc_database_up', 'Whether the database answers', [], async (up) => {
    up.set(0);
    const answered = await sql`select 1`.execute(db).catch(() => undefined);
    up.set(answered ? 1 : 0);
  });
  gauge(
    'kc_database_connections',
    'Connections of the pool, and requests that wait for one',
    ['state'],
    async (all) => {
      const { total, idle, waiting } = poolCounts(db);
      all.set({ state: 'busy' }, total - idle);
      all.set({ state: 'idle' }, idle);
      all.set({ state: 'waiting' }, waiting);
    },
  );
  gauge('kc_uploads', 'Uploads by the stage that they are in', ['state'], async (uploads) => {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) from uploads where state not in ('active', 'failed') group by state
    `.execute(db);
    for (const state of ['receiving', 'received', 'reading', 'saving', 'kept']) uploads.set({ state }, 0);
    for (const { state, count } of rows) uploads.set({ state }, count);
  });
  gauge('kc_jobs', 'Jobs by queue; those that are not active wait', ['queue', 'state'], async (jobs) => {
    for (const { queue, state, count } of await openJobs(db)) jobs.set({ queue, state }, count);
  });
  gauge('kc_oldest_job_seconds', 'Age of the oldest job of a queue that is due', ['queue'], async (ages) => {
    const oldest = new Map<string, number>();
    for (const { queue, age } of await openJobs(db)) oldest.set(queue, Math.max(age, oldest.get(queue) ?? 0));
    for (const [queue, age] of oldest) ages.set({ queue }, age);
  });
  gauge('kc_backup_age_seconds', 'Age of the newest backup; absent if none was made', [], async (age) => {
    const { rows } = await sql<{ age: number | null }>`
      select extract(epoch from clock_timestamp() - max(at))::float8 as age from audit_log where action = 'backup'
    `.execute(db);
    if (typeof rows[0]?.age === 'number') age.set(Math.max(0, rows[0].age));
  });
  gauge('kc_free_bytes', 'Free space of the storage and of DATA_DIR', ['place'], async (bytes) => {
    for (const place of places) bytes.set({ place }, await free[place]());
  });
  gauge('kc_space_low', 'Whether a place has less free space than DISK_ALARM', ['place'], async (low) => {
    for (const place of places) low.set({ place }, space.low().includes(place) ? 1 : 0);
  });
}

/** Jobs whose time has come, by queue and state. `age` in seconds, of the oldest one. */
async function openJobs(db: Db) {
  const { rows } = await sql<{ queue: string; state: string; count: number; age: number }>`
    select name as queue, state::text, count(*),
      greatest(0, extract(epoch from clock_timestamp() - min(start_after)))::float8 as age
    from jobs.job
    where state in ('created', 'retry', 'active') and start_after <= clock_timestamp()
    group by name, state
  `.execute(db);
  return rows;
}
