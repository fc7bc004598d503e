import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { type Db, poolCounts } from '../database/open.ts';
import { places, type SpaceWatch, type WatchedSpace } from '../storage/space.ts';

export type Watched = {
  readonly db: Db;
  readonly free: WatchedSpace['free'];
  readonly space: Pick<SpaceWatch, 'low'>;
};

/**
 * What is read when somebody asks for the metrics: uploads by state, the queues of jobs, the database pool and free space.
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
