import { type ConstructorOptions, PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createLog } from '../log.ts';
import { type Jobs, prepareJobs, type Queue, startJobs } from './jobs.ts';

let database: TestDatabase;
let jobs: Jobs | undefined;
let logged: Record<string, unknown>[] = [];
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
});
afterEach(async () => {
  await jobs?.stop();
  jobs = undefined;
  logged = [];
});
afterAll(() => database.close());

const id = (digit: string): string => digit.repeat(32);

async function start(queue: Queue<{ n: number }>): Promise<Jobs> {
  jobs = await startJobs({
    connection: database.connection,
    queues: [queue],
    works: true,
    alone: true,
    log: createLog('DEBUG', { write: (line) => logged.push(JSON.parse(line)) }),
  });
  return jobs;
}

const enqueue = (to: Jobs, name: string, jobId: string, n: number): Promise<void> =>
  database.db.transaction().execute((transaction) => to.enqueue(transaction, { name }, jobId, { n }));

/** A queue whose handler reports each run and settles as the test decides. */
function queueOf(name: string, run: (n: number, attempt: number, signal: AbortSignal) => Promise<void>) {
  const runs: number[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const queue: Queue<{ n: number }> = {
    name,
    expireSeconds: 60,
    async run({ n }, signal) {
      runs.push(n);
      for (const wait of waiting) if (runs.length >= wait.count) wait.resolve();
      await run(n, runs.length, signal);
    },
  };
  const after = (count: number): Promise<void> =>
    runs.length >= count
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiting.push({ count, resolve });
        });
  return { queue, runs, after };
}

test('a job runs once its transaction is committed, and once however often it is queued', async () => {
  const { queue, runs, after } = queueOf('once', () => Promise.resolve());
  const started = await start(queue);
  await enqueue(started, 'once', id('1'), 1);
  await enqueue(started, 'once', id('1'), 1);
  await enqueue(started, 'once', id('2'), 2);
  await after(2);
  expect(runs).toEqual([1, 2]);
});

test('at DEBUG, jobs are logged when they begin and when they end', async () => {
  const { queue, after } = queueOf('debugged', () => Promise.resolve());
  await enqueue(await start(queue), 'debugged', id('a'), 1);
  await after(1);
  await jobs!.stop();
  const job = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';
  const of = { level: 'DEBUG', event: 'job', queue: 'debugged', job };
  expect(logged).toMatchObject([of, { ...of, ms: expect.any(Number) }]);
});

test('a job of a transaction that is rolled back does not exist', async () => {
  const { queue, runs, after } = queueOf('rolled-back', () => Promise.resolve());
  const started = await start(queue);
  const work = database.db.transaction().execute(async (transaction) => {
    await started.enqueue(transaction, queue, id('3'), { n: 3 });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  await enqueue(started, 'rolled-back', id('4'), 4);
  await after(1);
  expect(runs).toEqual([4]);
});

test('a job that throws is retried, and the log says why', async () => {
  const { queue, runs, after } = queueOf('again', async (_n, attempt) => {
    if (attempt === 1) throw new Error('once');
  });
  await enqueue(await start(queue), 'again', id('5'), 5);
  await after(2);
  expect(runs).toEqual([5, 5]);
  const job = '55555555-5555-5555-5555-555555555555';
  expect(logged.filter(({ level }) => level !== 'DEBUG')).toMatchObject([
    { level: 'WARN', event: 'job-failed', queue: 'again', job, err: { message: 'once' } },
  ]);
});

test('stopping aborts running jobs, and the next start runs them again', async () => {
  const endless = queueOf(
    'stopped',
    (_n, _attempt, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  const first = await start(endless.queue);
  await enqueue(first, 'stopped', id('6'), 6);
  await endless.after(1);
  await first.stop();
  expect(logged.filter(({ level }) => level !== 'DEBUG')).toEqual([]);
  const second = queueOf('stopped', () => Promise.resolve());
  await start(second.queue);
  await second.after(1);
  expect(second.runs).toEqual([6]);
});

test('a job that a killed server left unfinished is run by the next one', async () => {
  const orphaned = queueOf('orphaned', () => Promise.resolve());
  await (await start(orphaned.queue)).stop();
  const other = await start(queueOf('other', () => Promise.resolve()).queue);
  await enqueue(other, 'orphaned', id('7'), 7);
  // Takes the job as a server does, and never completes it.
  const killed = new PgBoss({
    ...(database.connection as ConstructorOptions),
    schema: 'jobs',
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await killed.start();
  expect(await killed.fetch('orphaned')).toHaveLength(1);
  await killed.stop({ graceful: false });
  await other.stop();

  await start(orphaned.queue);
  await orphaned.after(1);
  expect(orphaned.runs).toEqual([7]);
});

test('REL-55 a server that has to rest aborts its jobs and takes no more, and queues them for others', async () => {
  let aborted = false;
  const { queue, runs, after } = queueOf('resting', async (_n, attempt, signal) => {
    if (attempt > 1) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    aborted = true;
    throw signal.reason;
  });
  const rest = new AbortController();
  const parts = {
    connection: database.connection,
    queues: [queue],
    works: true,
    alone: false,
    log: createLog('ERROR'),
  };
  const resting = await startJobs({ ...parts, rest: rest.signal });
  await enqueue(resting, 'resting', id('8'), 8);
  await after(1);
  rest.abort();
  await resting.stop();
  expect(aborted).toBe(true);
  expect(runs).toEqual([8]);
  jobs = await startJobs(parts);
  await after(2);
  expect(runs).toEqual([8, 8]);
});
