import type { Transaction } from 'kysely';
import type pg from 'pg';
import { type ConstructorOptions, type DatabaseOptions, fromKysely, PgBoss } from 'pg-boss';
import { codeOf } from '../database/open.ts';

/**
 * Work that outlives a request and a server: it is kept in the database, done by one server at a time, and begun again
 * when that server dies on the way. So a handler must be able to start over.
 */
export type Queue<Data extends object> = {
  readonly name: string;
  /** Longest time one attempt may take, in seconds. */
  readonly expireSeconds: number;
  /** How long a job rests after a failed attempt, in seconds; 1 when left out. */
  readonly retrySeconds?: number;
  /**
   * Does one job. Throwing puts it back in the queue, so a handler that has had enough of a fault returns instead.
   * @param signal aborted when this server stops or no longer owns the job
   */
  run(data: Data, signal: AbortSignal): Promise<void>;
};

export interface Jobs {
  /**
   * Queues a job within the caller's transaction, so that it exists if and only if what it is about does.
   * @param id 128 bits as 32 hex digits; queued twice under one id, a job is there once
   * @param notBefore when it may begin; at once if absent
   */
  enqueue<Database, Data extends object>(
    transaction: Transaction<Database>,
    queue: { readonly name: string },
    id: string,
    data: Data,
    notBefore?: Date,
  ): Promise<void>;
  /** Aborts what runs here, waits for it, and leaves it in the queue for the next start. */
  stop(): Promise<void>;
}

export type JobOptions = {
  readonly connection: pg.ClientConfig;
  readonly queues: readonly Queue<never>[];
  /** Whether no other server can be at work on this database: then every job that looks busy was left by a crash. */
  readonly alone: boolean;
  onError(error: Error): void;
};

const schema = 'jobs';
/** A new job is announced by NOTIFY; asking now and then is for an announcement that got lost. */
const pollSeconds = 2;
const retryDelaySeconds = 1;
/** Without a sign of life for this long a job is taken from its server. */
const heartbeatSeconds = 30;
/** A handler that keeps failing decides itself when to give up; this only bounds one that forgets to. */
const retryLimit = 1_000;
const connections = 4;
/** What PostgreSQL says to whoever is connected when it is stopped. */
const adminShutdown = '57P01';

/** Makes the tables of the job runner as the owner of the database and lets the server's role use them. */
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

/** Starts the job runner on the tables that {@link prepareJobs} made. */
export async function startJobs({ connection, queues, alone, onError }: JobOptions): Promise<Jobs> {
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
  // A connection that was given up may hear of the database's own end before it is closed.
  boss.on('error', (error) => {
    if (!stopping.signal.aborted || codeOf(error) !== adminShutdown) onError(error);
  });
  await boss.start();

  for (const queue of queues) {
    await ensureQueue(boss, queue);
    if (alone) await releaseOrphans(boss, queue.name);
    await work(boss, queue, stopping.signal);
  }
  return {
    async enqueue(transaction, queue, id, data, notBefore) {
      const later = notBefore ? { startAfter: notBefore } : {};
      await boss.send(queue.name, data, { id: uuid(id), db: fromKysely(transaction), ...later });
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      await boss.stop({ graceful: true });
    },
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

async function work(boss: PgBoss, queue: Queue<never>, stopping: AbortSignal): Promise<void> {
  const options = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: heartbeatSeconds / 3,
  };
  const worker = await boss.work<never>(queue.name, options, async (jobs) => {
    try {
      for (const job of jobs) await queue.run(job.data, AbortSignal.any([stopping, job.signal]));
    } finally {
      // More may have been queued meanwhile: look at once, not at the next poll.
      boss.notifyWorker(worker);
    }
  });
}

async function releaseOrphans(boss: PgBoss, name: string): Promise<void> {
  const busy = (await boss.findJobs(name)).filter((job) => job.state === 'active');
  for (const job of busy) await boss.fail(name, job.id, { message: 'The server died while it was at work' });
}

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
