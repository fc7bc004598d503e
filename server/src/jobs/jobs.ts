import type { Transaction } from 'kysely';
import type pg from 'pg';
import { type ConstructorOptions, type DatabaseOptions, fromKysely, PgBoss } from 'pg-boss';
import { codeOf } from '../database/open.ts';
import type { Log } from '../log.ts';

/**
 * Jobs outlive requests and servers: they are stored in the database, run by one server at a time, and restarted if
 * that server dies. A handler must therefore be repeatable.
 */
export type Queue<Data extends object> = {
  readonly name: string;
  /** Maximum time of one attempt, in seconds. */
  readonly expireSeconds: number;
  /** Delay after a failed attempt, in seconds; 1 by default. */
  readonly retrySeconds?: number;
  /**
   * Runs one job. If it throws, the job returns to the queue, so a handler that gives up returns instead.
   * @param signal aborted if this server stops or no longer owns the job
   */
  run(data: Data, signal: AbortSignal): Promise<void>;
};

export interface Jobs {
  /**
   * Queues a job within the caller's transaction, so that it exists if and only if its object does.
   * @param id 128 bits as 32 hex digits; queued twice under one ID, a job exists once
   * @param notBefore the earliest start; immediately if absent
   */
  enqueue<Database, Data extends object>(
    transaction: Transaction<Database>,
    queue: { readonly name: string },
    id: string,
    data: Data,
    notBefore?: Date,
  ): Promise<void>;
  /** Aborts the running jobs, waits for them, and leaves them in the queue for the next start. */
  stop(): Promise<void>;
}

type JobOptions = {
  readonly connection: pg.ClientConfig;
  readonly queues: readonly Queue<never>[];
  /** Whether this server runs jobs; otherwise it only queues them, for others to run. */
  readonly works: boolean;
  /** Whether no other server can be using this database: then every job that looks active was left by a crash. */
  readonly alone: boolean;
  /** Aborted when this server must not work any more, as if it were stopped. */
  readonly rest?: AbortSignal | undefined;
  readonly log: Log;
};

const schema = 'jobs';
/** New jobs are announced by NOTIFY; polling is for lost announcements. */
const pollSeconds = 2;
const retryDelaySeconds = 1;
/** Without a heartbeat for this long, a job is taken from its server. */
const heartbeatSeconds = 30;
/** A handler decides itself when to give up; this limit is for one that forgets to. An outage of the storage may last for days. */
const retryLimit = 1_000_000;
const connections = 4;
/** PostgreSQL's error for connected clients when it shuts down. */
const adminShutdown = '57P01';

/** Creates the job runner's tables as the owner of the database and grants the server's role access. */
export async function prepareJobs(owner: pg.ClientConfig, appRole: string): Promise<void> {
  const boss = createBoss(owner, { supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  const role = JSON.stringify(appRole);
  await boss.getDb().executeSql(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage on all sequences in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role};
  `);
  await boss.stop({ graceful: false });
}

/** Starts the job runner on the tables that {@link prepareJobs} created. */
export async function startJobs({ connection, queues, works, alone, rest, log }: JobOptions): Promise<Jobs> {
  const boss = createBoss(connection, {
    migrate: false,
    createSchema: false,
    reindex: false,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: heartbeatSeconds,
    monitorIntervalSeconds: heartbeatSeconds,
  });
  const stopping = new AbortController();
  // An abandoned connection may still receive the database's shutdown error before it is closed.
  boss.on('error', (error) => {
    if (!stopping.signal.aborted || codeOf(error) !== adminShutdown) log.error({ err: error }, 'The job runner failed');
  });
  await boss.start();

  for (const queue of queues) {
    await ensureQueue(boss, queue);
    if (alone) await releaseOrphans(boss, queue.name);
    if (works) await work(boss, queue, stopping.signal, log);
  }
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping.abort(new Error('The server is stopping'));
    stopped ??= boss.stop({ graceful: true });
    return stopped;
  };
  rest?.addEventListener(
    'abort',
    () => void stop().catch((error) => log.error({ err: error }, 'The job runner failed')),
    {
      once: true,
    },
  );
  if (rest?.aborted) await stop();
  return {
    async enqueue(transaction, queue, id, data, notBefore) {
      const later = notBefore ? { startAfter: notBefore } : {};
      await boss.send(queue.name, data, { id: uuid(id), db: fromKysely(transaction), ...later });
    },
    stop,
  };
}

function createBoss({ types: _types, ...connection }: pg.ClientConfig, options: ConstructorOptions): PgBoss {
  return new PgBoss({ ...(connection as DatabaseOptions), ...options, schema, max: connections });
}

async function ensureQueue(boss: PgBoss, queue: Queue<never>): Promise<void> {
  const options = {
    expireInSeconds: queue.expireSeconds,
    retryLimit,
    retryDelay: queue.retrySeconds ?? retryDelaySeconds,
    heartbeatSeconds,
    notify: true,
  };
  await boss.createQueue(queue.name, options);
  await boss.updateQueue(queue.name, options);
}

async function work(boss: PgBoss, queue: Queue<never>, stopping: AbortSignal, log: Log): Promise<void> {
  const options = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: heartbeatSeconds / 3,
  };
  const worker = await boss.work<never>(queue.name, options, async (jobs) => {
    try {
      for (const job of jobs) {
        const began = performance.now();
        log.debug({ event: 'job', queue: queue.name, job: job.id }, 'Began a job');
        const signal = AbortSignal.any([stopping, job.signal]);
        await queue.run(job.data, signal).catch((error: unknown) => {
          if (!signal.aborted) {
            const line = { event: 'job-failed', queue: queue.name, job: job.id, err: error };
            log.warn(line, 'A job failed, and is tried again');
          }
          throw error;
        });
        const ms = Math.round(performance.now() - began);
        log.debug({ event: 'job', queue: queue.name, job: job.id, ms }, 'Ended a job');
      }
    } finally {
      // More jobs may have been queued meanwhile: check at once, not at the next poll.
      boss.notifyWorker(worker);
    }
  });
}

async function releaseOrphans(boss: PgBoss, name: string): Promise<void> {
  const busy = (await boss.findJobs(name)).filter((job) => job.state === 'active');
  for (const job of busy) await boss.fail(name, job.id, { message: 'The server died while it was at work' });
}

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
