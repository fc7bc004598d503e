import type { Transaction } from 'kysely';
import type { Pool } from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';

/**
 * Work that outlives a request and a server: it is kept in the database, done by one server at a time, and begun again
 * when that server dies on the way. So a handler must be able to start over.
 */
export type Queue<Data extends object> = {
  readonly name: string;
  /** Longest time one attempt may take, in seconds. */
  readonly expireSeconds: number;
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
   */
  enqueue<Database, Data extends object>(
    transaction: Transaction<Database>,
    queue: { readonly name: string },
    id: string,
    data: Data,
  ): Promise<void>;
  /** Looks for work now instead of at the next poll; for after the transaction is committed. */
  wake(queue: { readonly name: string }): void;
  /** Aborts what runs here, waits for it, and leaves it in the queue for the next start. */
  stop(): Promise<void>;
}

export type JobOptions = {
  readonly pool: Pool;
  readonly queues: readonly Queue<never>[];
  /** Whether no other server can be at work on this database: then every job that looks busy was left by a crash. */
  readonly alone: boolean;
  onError(error: Error): void;
};

const pollSeconds = 2;
const retryDelaySeconds = 1;
/** Without a sign of life for this long a job is taken from its server. */
const heartbeatSeconds = 30;
/** A handler that keeps failing decides itself when to give up; this only bounds one that forgets to. */
const retryLimit = 1_000;

/** Starts the job runner; its tables are made and migrated by itself, in the schema `jobs`. */
export async function startJobs({ pool, queues, alone, onError }: JobOptions): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'jobs',
    schedule: false,
    superviseIntervalSeconds: heartbeatSeconds,
    monitorIntervalSeconds: heartbeatSeconds,
  });
  boss.on('error', onError);
  await boss.start();

  const stopping = new AbortController();
  const workers = new Map<string, string>();
  for (const queue of queues) {
    await ensureQueue(boss, queue);
    if (alone) await releaseOrphans(boss, queue.name);
    workers.set(queue.name, await work(boss, queue, stopping.signal));
  }
  return {
    async enqueue(transaction, queue, id, data) {
      await boss.send(queue.name, data, { id: uuid(id), db: fromKysely(transaction) });
    },
    wake(queue) {
      const worker = workers.get(queue.name);
      if (worker) boss.notifyWorker(worker);
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      await boss.stop({ graceful: true });
    },
  };
}

async function ensureQueue(boss: PgBoss, queue: Queue<never>): Promise<void> {
  const options = {
    expireInSeconds: queue.expireSeconds,
    retryLimit,
    retryDelay: retryDelaySeconds,
    heartbeatSeconds,
  };
  await boss.createQueue(queue.name, options);
  await boss.updateQueue(queue.name, options);
}

function work(boss: PgBoss, queue: Queue<never>, stopping: AbortSignal): Promise<string> {
  return boss.work<never>(
    queue.name,
    { pollingIntervalSeconds: pollSeconds, heartbeatRefreshSeconds: heartbeatSeconds / 3 },
    async (jobs) => {
      for (const job of jobs) await queue.run(job.data, AbortSignal.any([stopping, job.signal]));
    },
  );
}

async function releaseOrphans(boss: PgBoss, name: string): Promise<void> {
  const busy = (await boss.findJobs(name)).filter((job) => job.state === 'active');
  for (const job of busy) await boss.fail(name, job.id, { message: 'The server died while it was at work' });
}

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
