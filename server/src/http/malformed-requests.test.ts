import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { securityHeaders } from './headers.ts';

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await testServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** Everything that the server sends until it closes the connection. */
async function answerTo(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

function read(answer: string) {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  const [line, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 2)]),
  );
  return { status: Number(line!.split(' ')[1]), headers, json: JSON.parse(body) };
}

const host = 'Host: localhost\r\n';
const chunked = `POST /api/session HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const malformed: Readonly<Record<string, readonly [text: string, status: number, why: string]>> = {
  'no HTTP': ['hello\r\n\r\n', 400, 'malformed'],
  'an unknown method': [`HACK / HTTP/1.1\r\n${host}\r\n`, 400, 'malformed'],
  'a header with a space in its name': [`GET / HTTP/1.1\r\n${host}a b: c\r\n\r\n`, 400, 'malformed'],
  'two lengths': [`POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'malformed'],
  'a length and chunks': [
    `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'malformed',
  ],
  'a chunk without a length': [`${chunked}zz\r\n`, 400, 'malformed'],
  'headers without an end': [`GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  'extensions of a chunk without an end': [`${chunked}2;${'x'.repeat(20_000)}\r\n`, 413, 'too-large'],
  'no Host': ['GET /api/session HTTP/1.1\r\n\r\n', 400, 'no-host'],
  'an expectation that nobody knows': [`GET / HTTP/1.1\r\n${host}Expect: magic\r\n\r\n`, 417, 'expectation'],
};

test.each(Object.entries(malformed))('%s is refused with every header and a code', async (_, [text, status, why]) => {
  const answer = read(await answerTo(text));
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ status, data: { code: 'request/invalid', params: { why } } });
  const wanted = securityHeaders('api', { https: false, hstsSubdomains: false, popups: false });
  for (const [name, value] of Object.entries(wanted)) expect(answer.headers[name.toLowerCase()], name).toBe(value);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', connection: 'close' });
});

test('a request that never ends gets a timeout response', async () => {
  // Node checks for timeouts every 30 seconds. This is what that check does.
  const socket = connect(port, '127.0.0.1');
  const [accepted] = await Promise.all([once(server.app.server, 'connection'), once(socket, 'connect')]);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.on('error', () => undefined);
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.app.server.emit('clientError', late, accepted[0]);
  await once(socket, 'close');
  expect(read(text)).toMatchObject({
    status: 408,
    json: { data: { code: 'request/invalid', params: { why: 'timeout' } } },
  });
});

test('HTTP/1.0 needs no Host', async () => {
  expect(await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});
