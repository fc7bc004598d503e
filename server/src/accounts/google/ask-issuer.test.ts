import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchWithin, issuerLimits } from './issuer.ts';

let answer: (response: ServerResponse) => void;
let url: string;
const server = createServer((_request, response) => answer(response));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const ask = (limits: Partial<Record<'timeoutMs' | 'maxBytes', number>> = {}, signal?: AbortSignal) =>
  fetchWithin({ ...issuerLimits, ...limits })(url, {
    method: 'GET',
    headers: {},
    body: undefined,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  });

test('a response is returned whole, with its status and headers', async () => {
  answer = (response) => response.writeHead(418, { 'X-Who': 'teapot' }).end('{"a":1}');
  const response = await ask();
  expect([response.status, response.headers.get('x-who'), await response.json()]).toEqual([418, 'teapot', { a: 1 }]);
});

test('a response without a body, or with a redirect, is returned as it is', async () => {
  answer = (response) => response.writeHead(204).end();
  expect((await ask()).status).toBe(204);
  answer = (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  const moved = await ask();
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);
});

test('a response may have as many bytes as are allowed, and not one more', async () => {
  answer = (response) => response.end('x'.repeat(100));
  expect(await (await ask({ maxBytes: 100 })).text()).toHaveLength(100);
  await expect(ask({ maxBytes: 99 })).rejects.toThrow('more than 99 bytes');
});

test('a response that is small only while compressed is too large', async () => {
  answer = (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)));
  await expect(ask({ maxBytes: 99_999 })).rejects.toThrow('more than 99999 bytes');
});

test('a response that never starts or never ends is aborted at the deadline', async () => {
  answer = () => undefined;
  await expect(ask({ timeoutMs: 50 })).rejects.toThrow('timeout');
  answer = (response) => void response.writeHead(200).write('{');
  await expect(ask({ timeoutMs: 50 })).rejects.toThrow('timeout');
});

test('the caller can abort the wait', async () => {
  const stop = new AbortController();
  answer = () => stop.abort(new Error('gone'));
  await expect(ask({}, stop.signal)).rejects.toThrow('gone');
});

test('the issuer is not asked for Brotli', async () => {
  answer = (response) => response.end(String(response.req.headers['accept-encoding']));
  expect(await (await ask()).text()).toBe('gzip, deflate');
});
