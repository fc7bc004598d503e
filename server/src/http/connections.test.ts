import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { type ConnectionLimits, type ConnectionTimes, connectionLimits } from './connections.ts';
import { securityHeaders } from './headers.ts';
import { malformedRequests } from './malformed-requests.ts';

/** Only what a test is about ends soon: a busy machine may be slower with everything else. */
const patient: ConnectionTimes = { headersMs: 60_000, bodyMs: 60_000, checkMs: 60_000, silenceMs: 60_000 };
const shortHeaders: ConnectionTimes = { ...patient, headersMs: 30, checkMs: 10 };
const shortBody: ConnectionTimes = { ...patient, bodyMs: 30 };
const shortSilence: ConnectionTimes = { ...patient, silenceMs: 30 };

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function serverWith(options: Partial<ConnectionLimits>) {
  const logged: string[] = [];
  const limits = connectionLimits({
    isProxy: () => false,
    hasProxies: false,
    log: createLog('INFO', { write: (line) => logged.push(line) }),
    ...options,
  });
  const malformed = malformedRequests(securityHeaders('api', { https: false, hstsSubdomains: false, popups: false }));
  const app = Fastify({
    ...limits.options,
    ...malformed.options,
    http: { ...limits.options.http, ...malformed.options.http },
  });
  limits.attach(app);
  malformed.attach(app);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.get('/', async () => 'here');
  app.post('/', async () => 'read');
  app.get('/silent', (_request, reply) => void reply.hijack());
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post('/unread', async () => 'not read');
    scope.patch('/paced', { config: { pacesBody: true } }, async (request) => {
      let bytes = 0;
      for await (const block of request.raw) bytes += block.length;
      return `${bytes} bytes`;
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  undo.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { port, logged };
}

/** A connection, with everything that arrived on it. */
async function client(port: number, text = '') {
  const socket: Socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  await once(socket, 'connect');
  undo.unshift(async () => void socket.destroy());
  socket.write(text);
  return { socket, closed };
}

const post = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`;

test('REL-24 a connection that sends nothing is closed', async () => {
  const { port } = await serverWith({ times: shortHeaders });
  await (await client(port)).closed;
});

test('REL-24 headers that never end get a timeout', async () => {
  const { port } = await serverWith({ times: shortHeaders });
  expect(await (await client(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-')).closed).toMatch(/^HTTP\/1.1 408 /);
});

test('REL-24 a body that stops arriving gets a timeout', async () => {
  const { port } = await serverWith({ times: shortBody });
  expect(await (await client(port, `${post('/', 3)}ab`)).closed).toMatch(/^HTTP\/1.1 408 /);
});

test('REL-24 a body that nobody reads ends after the response', async () => {
  const { port } = await serverWith({ times: shortBody });
  expect(await (await client(port, `${post('/unread', 3)}ab`)).closed).toMatch(/^HTTP\/1.1 200 /);
});

test('REL-24 silence in the middle of a response ends the connection', async () => {
  const { port } = await serverWith({ times: shortSilence });
  expect(await (await client(port, 'GET /silent HTTP/1.1\r\nHost: a\r\n\r\n')).closed).toBe('');
});

test('a body of a route with a pace of its own may pause', async () => {
  const { port } = await serverWith({ times: { ...patient, bodyMs: 0 } });
  const sent =
    'PATCH /paced HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab';
  const { socket, closed } = await client(port, sent);
  // A request on another connection is answered in between.
  await (await client(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).closed;
  socket.write('cd');
  expect(await closed).toMatch(/4 bytes/);
});

test('REL-24 a network has a limited number of connections, which the log names once', async () => {
  const { port, logged } = await serverWith({ times: patient, most: 2 });
  const [first] = [await client(port), await client(port)];
  await (await client(port)).closed;
  await (await client(port)).closed;
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'WARN', event: 'connections-full', network: '127.0.0.1', open: 2 }),
  ]);
  first.socket.destroy();
  await first.closed;
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  await expect.poll(async () => (await client(port, request)).closed).toMatch(/here$/);
});

test('connections of a trusted proxy are not counted', async () => {
  const { port } = await serverWith({ times: patient, most: 1, isProxy: (address) => address === '127.0.0.1' });
  await client(port);
  const { closed } = await client(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await closed).toMatch(/here$/);
});
