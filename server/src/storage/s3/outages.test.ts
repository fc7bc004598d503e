import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ObjectMissing, StorageUnavailable } from '../storage.ts';
import { type Bucket, openBucket } from './bucket.ts';

const patience = { connectMs: 300, requestMs: 400, attempts: 2 };
const opened: { readonly server: Server; readonly bucket: Bucket }[] = [];
afterEach(() => {
  for (const { server, bucket } of opened.splice(0)) {
    bucket.close();
    server.close();
  }
});

/** The bucket of a store that is `server`. */
async function bucketAt(server: Server): Promise<Bucket> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bucket = openBucket(
    {
      bucket: 'maps',
      prefix: '',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    },
    patience,
  );
  opened.push({ server, bucket });
  return bucket;
}
const answering = (listener: RequestListener): Promise<Bucket> => bucketAt(createHttpServer(listener));

const bytes = new Uint8Array(2_000_000).fill(7);
const range = { 'content-length': '1000', 'content-range': 'bytes 0-999/1000' };

const stores: Readonly<Record<string, () => Promise<Bucket>>> = {
  'accepts connections and says nothing': () =>
    bucketAt(createServer((socket) => void socket.on('error', () => undefined))),
  'closes every connection': () => bucketAt(createServer((socket) => void socket.destroy())),
  'answers 500': () => answering((_request, answer) => void answer.writeHead(500).end()),
  'answers 503 SlowDown': () =>
    answering((_request, answer) => void answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')),
  'resets in the middle': () =>
    answering((request, answer) => {
      request.once('data', () => request.socket.resetAndDestroy());
      if (request.method === 'GET') {
        answer.writeHead(206, range).write('x');
        setTimeout(() => answer.destroy(), 20);
      }
    }),
  'answers a byte now and then': () =>
    answering(async (request, answer) => {
      if (request.method !== 'GET') return;
      answer.writeHead(206, range);
      for (let sent = 0; sent < 1_000 && !answer.destroyed; sent++) {
        answer.write('x');
        await pause(100);
      }
    }),
};

describe.each(Object.keys(stores))('REL-13 a store that %s', (name) => {
  test('is one that does not answer', async () => {
    const bucket = await stores[name]!();
    await expect(bucket.put('file', bytes)).rejects.toThrow(StorageUnavailable);
    await expect(bucket.get('file', 0, 1_000)).rejects.toThrow(StorageUnavailable);
    await expect(bucket.check()).rejects.toThrow(StorageUnavailable);
  });
});

describe('a store that works', () => {
  test('is believed that an object is missing, or that the keys are wrong', async () => {
    const refusing = (status: number, code: string) =>
      answering((_request, answer) => void answer.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
    await expect((await refusing(404, 'NoSuchKey')).get('file', 0, 10)).rejects.toThrow(ObjectMissing);
    const denied = await refusing(403, 'AccessDenied');
    await expect(denied.put('file', bytes)).rejects.not.toThrow(StorageUnavailable);
  });
});
