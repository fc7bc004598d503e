import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { cookieOf } from '../support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort, type ServerProcess, serverProcesses } from '../support/process.ts';
import { insertAccount } from '../support/rows.ts';
import { tusClient } from '../support/tus.ts';

/** Two servers on one database and one folder: one answers requests, the other one reads uploads. */
const processes = serverProcesses();
let database: TestDatabase;
let serving: ServerProcess;
let ingesting: ServerProcess;
let cookie: string;
let metricsUrl: string;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  cookie = await cookieOf(database, 'admin');
  const dataDir = processes.newFolder();
  const both = { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32) };
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}`;
  serving = await processes.start(dataDir, { ...both, ROLE: 'serve', METRICS_PORT: String(port) });
  ingesting = await processes.start(dataDir, { ...both, ROLE: 'ingest' });
});
afterAll(async () => {
  await processes.dispose();
  await database.close();
});

const file = new TextEncoder().encode('{"keywords":[],"hierarchy":{"name":"shoes"}}');
const reads = (server: ServerProcess): boolean => server.complaint().includes('"event":"upload-reading-began"');
const metrics = async (): Promise<string> => (await fetch(`${metricsUrl}/metrics`)).text();

// Shows P19.13.
test('with ROLE=serve a server takes uploads, and with ROLE=ingest another one reads them', async () => {
  const admin = tusClient(serving.url, cookie);
  const location = await admin.send(file, { filename: 'shoes.json', userId: 'admin' });
  expect((await admin.settled(location)).state).toBe('active');
  expect([reads(serving), reads(ingesting)]).toEqual([false, true]);
});

test('with ROLE=ingest a server answers whether it is healthy, and nothing else', async () => {
  const status = async (path: string) => (await fetch(`${ingesting.url}${path}`, { headers: { cookie } })).status;
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
  for (const path of ['/', '/api/session', '/api/uploads', '/api/users'])
    expect([path, await status(path)]).toEqual([path, 404]);
});

// Shows P19.14.
test('metrics are on a port of their own and name calls, never what was asked for', async () => {
  const secret = 'canary0123456789';
  await fetch(`${serving.url}/api/session`, { headers: { cookie } });
  await fetch(`${serving.url}/api/visualizations/${secret}?q=${secret}`, { headers: { cookie } });
  await fetch(`${serving.url}/nothing/${secret}`);
  const text = await metrics();
  expect(text).toMatch(/kc_http_request_duration_seconds_count\{method="GET",call="session\.[a-z]+",status="200"\} \d/);
  expect(text).toContain('method="PATCH",call="/api/uploads/:id",status="204"');
  expect(text).not.toContain(secret);
  expect((await fetch(`${serving.url}/metrics`)).headers.get('content-type')).not.toContain('text/plain');
  expect((await fetch(metricsUrl)).status).toBe(404);
  expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('metrics show the database, its pool, uploads, jobs, free space and lines of the log', async () => {
  const text = await metrics();
  const value = (line: string): number => Number(new RegExp(`^${line} ([0-9.e+]+)$`, 'm').exec(text)?.[1]);
  expect(value('kc_database_up')).toBe(1);
  expect(value('kc_database_connections\\{state="idle"\\}')).toBeGreaterThan(0);
  expect(value('kc_uploads\\{state="reading"\\}')).toBe(0);
  for (const place of ['data_dir', 'storage'])
    expect(value(`kc_free_bytes\\{place="${place}"\\}`)).toBeGreaterThan(2 ** 20);
  expect(value('kc_log_events_total\\{level="INFO",event="config"\\}')).toBeGreaterThan(0);
  expect(value('process_open_fds')).toBeGreaterThan(0);
});

test('a second server on the port of the metrics is told which variable to change', async () => {
  const port = new URL(metricsUrl).port;
  const both = { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32), METRICS_PORT: port };
  await expect(processes.start(processes.newFolder(), both)).rejects.toThrow(
    `METRICS_PORT ${port} is already in use: stop what uses it, or set another METRICS_PORT`,
  );
});
