import { afterAll, expect, test } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { databaseUrl } from '../support/database.ts';
import { emptyPlace } from '../support/places.ts';
import { endProcess, serverProcesses } from '../support/process.ts';

const processes = serverProcesses();
afterAll(() => processes.dispose());
const secret = { SECRET: 's'.repeat(32) };

test('of two servers that start at once on an empty database one makes the tables, and the other one waits', async () => {
  const { database } = await emptyPlace(processes.newFolder(), prepareJobs);
  const both = { ...secret, DATABASE_URL: databaseUrl(database) };
  const started = await Promise.all([1, 2].map(() => processes.start(processes.newFolder(), both)));
  for (const { url } of started) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await Promise.all(started.map(({ child }) => endProcess(child, 'SIGTERM')));
  await database.close();
});

test('a database that cannot be used stops the start, and the message names the variable but no password', async () => {
  const { database } = await emptyPlace(processes.newFolder(), prepareJobs);
  const url = new URL(databaseUrl(database));
  url.pathname = '/nowhere';
  const wrong = processes.start(processes.newFolder(), { ...secret, DATABASE_URL: url.href });
  await expect(wrong).rejects.toThrow(
    /DATABASE_URL names a database that cannot be used: database "nowhere" does not exist/,
  );
  await expect(wrong).rejects.not.toThrow(url.password);
  const gone = { ...secret, DATABASE_URL: 'postgres://me:canary@127.0.0.1:9/keywords' };
  await expect(processes.start(processes.newFolder(), gone)).rejects.toThrow(
    /DATABASE_URL names a database that cannot be used: connect ECONNREFUSED/,
  );
  await database.close();
});
