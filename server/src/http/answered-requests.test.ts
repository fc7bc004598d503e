import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { cookieOf, startTestApp } from '../../test/support/app.ts';
import { testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { batchLoader } from '../database/open.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog, type LogLevel } from '../log.ts';
import { currentRequestId, spent, timed } from '../request-times.ts';
import { reportAnswers } from './answered-requests.ts';

type Line = Record<string, unknown> & { readonly parts: Record<string, number> };

/** A server that logs each request that takes as long as `slowMs`. */
async function serve(slowMs: number, routes: (app: FastifyInstance) => void, level: LogLevel = 'INFO') {
  const lines: Line[] = [];
  const log = createLog(level, { write: (line) => lines.push(JSON.parse(line)) });
  const app = Fastify();
  reportAnswers(app, new WeakMap(), { log, slowMs });
  routes(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const logged = async (count = 1): Promise<Line[]> => {
    await expect.poll(() => lines.length).toBe(count);
    return lines;
  };
  return { url, log, lines, logged };
}

// Shows P26.3.
test('REL-62 a slow request is logged with what it spent its time on, under the ID of its answer', async () => {
  const { url, logged } = await serve(0, (app) => {
    app.post('/api/visualizations/:id/x', async () => {
      // After the body, which arrives on behalf of the connection.
      spent('database', 7);
      spent('database', 5);
      spent('query', 0.2);
      await timed('compression', async () => spent('queue', 30));
      return { id: currentRequestId() };
    });
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/visualizations/map-1/x`, { method: 'POST', headers, body: '{"a":1}' });
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(await answer.json()).toEqual({ id });
  const [line] = await logged();
  expect(line).toMatchObject({
    level: 'WARN',
    event: 'slow-request',
    id,
    call: '/api/visualizations/:id/x',
    status: 200,
    map: 'map-1',
    parts: { database: 12, queue: 30 },
  });
  expect(line!.parts).not.toHaveProperty('query');
});

test('REL-62 other requests are not logged, but for DEBUG; uploads and event streams never as slow', async () => {
  const quick = await serve(3_600_000, (app) => app.get('/x', async () => 'x'));
  await fetch(`${quick.url}/x`);
  const debugged = await serve(3_600_000, (app) => app.get('/x', async () => 'x'), 'DEBUG');
  await fetch(`${debugged.url}/x`);
  expect((await debugged.logged())[0]).toMatchObject({ level: 'DEBUG', event: 'request', method: 'GET', call: '/x' });
  expect(quick.lines).toEqual([]);
  const paced = await serve(0, (app) => {
    app.get('/up', { config: { pacesBody: true } }, async () => 'x');
    app.get('/after', async () => 'x');
  });
  await fetch(`${paced.url}/up`);
  await fetch(`${paced.url}/after`);
  expect((await paced.logged()).map(({ call }) => call)).toEqual(['/after']);
});

test('REL-62 the time in which a client takes its download does not make it slow', async () => {
  const lines: { call: string; parts: Record<string, number> }[] = [];
  const log = createLog('DEBUG', { write: (line) => lines.push(JSON.parse(line)) });
  const app = Fastify();
  // More than the parts outside of sending, less than what sending is said to take.
  reportAnswers(app, new WeakMap(), { log, slowMs: 3_000_000 });
  app.get('/download', async (request, reply) => {
    reply.raw.once('finish', () => spent('sending', 3_600_000, request.times));
    return reply.header('Content-Disposition', 'attachment').send('x');
  });
  await app.inject('/download');
  expect(lines).toMatchObject([{ event: 'request', call: '/download' }]);
});

test('REL-62 a request whose client did not wait for its answer is logged, and an event stream is not', async () => {
  const gone = new AbortController();
  const { url, logged } = await serve(0, (app) => {
    app.get('/api/drafts/:id', async (_request, reply) => {
      gone.abort();
      return new Promise((resolve) => reply.raw.once('close', resolve));
    });
    app.get('/events', async (_request, reply) => {
      reply.hijack();
      reply.raw.end('data: {}\n\n');
    });
  });
  await (await fetch(`${url}/events`)).text();
  await fetch(`${url}/api/drafts/d1`, { signal: gone.signal }).catch(() => undefined);
  const [line] = await logged();
  expect(line).toMatchObject({ event: 'slow-request', call: '/api/drafts/:id', draft: 'd1', abandoned: true });
  expect(line).not.toHaveProperty('status');
});

test('each line that is written on behalf of a request carries its ID, and what several share carries none', async () => {
  const load = batchLoader(async (keys: readonly string[]) => keys.map(() => currentRequestId() ?? 'none'));
  const { url, log, logged } = await serve(3_600_000, (app) => {
    app.get('/x', async () => {
      log.info({ event: 'inside' }, 'Inside');
      return load('x');
    });
  });
  const answer = await fetch(`${url}/x`);
  expect(await answer.text()).toBe('none');
  expect((await logged())[0]).toMatchObject({ event: 'inside', request: answer.headers.get('x-request-id') });
  log.info({ event: 'outside' }, 'Outside');
  expect((await logged(2))[1]).not.toHaveProperty('request');
});

// Shows P26.3.
test('REL-62 a slow slice names its map and its reader, and says how long it waited for the query thread', async () => {
  const database = await testDatabase(prepareJobs);
  const directory = await mkdtemp(join(tmpdir(), 'kc-slow-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  const app = await startTestApp(database, directory, { environment: { SLOW_REQUEST: '1' } });
  onTestFinished(async () => {
    await app.stop();
    await database.close();
    await rm(directory, { recursive: true });
  });
  const cookie = await cookieOf(database, 'admin');
  const client = tusClient(app.url, cookie);
  const file = new TextEncoder().encode('{"keywords":["a"],"hierarchy":{"name":"a"}}');
  const { visualizationId } = await client.settled(await client.send(file, { filename: 'a.json', userId: 'admin' }));
  const path = `/api/visualizations/${visualizationId}/slice?node=0&budget=10`;
  // The first query starts the thread, and waits for that.
  const answer = await fetch(`${app.url}${path}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  const found = () =>
    app.logged.map((line) => JSON.parse(line) as Line).find((line) => line.id === answer.headers.get('x-request-id'));
  await expect.poll(found).toMatchObject({
    event: 'slow-request',
    call: '/api/visualizations/:id/slice',
    map: visualizationId,
    person: 'admin',
    parts: { queue: expect.any(Number) },
  });
});
