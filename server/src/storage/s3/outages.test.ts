// Shows REL-45.
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ObjectMissing, StorageDenied, StorageUnavailable } from '../storage.ts';
import { type Bucket, openBucket, type Patience } from './bucket.ts';

/** For stores that never answer. One that works may be slow while the machine is busy. */
const littlePatience: Patience = { connectMs: 300, requestMs: 400, attempts: 2 };
const opened: { readonly server: Server; readonly bucket: Bucket }[] = [];
afterEach(() => {
  for (const { server, bucket } of opened.splice(0)) {
    bucket.close();
    server.close();
  }
});

/** The bucket of a store that is `server`. @param patience the usual one without it */
async function bucketAt(server: Server, patience?: Patience): Promise<Bucket> {
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
const failing = (listener: RequestListener): Promise<Bucket> => bucketAt(createHttpServer(listener), littlePatience);

const bytes = new Uint8Array(2_000_000).fill(7);
const range = { 'content-length': '1000', 'content-range': 'bytes 0-999/1000' };

const stores: Readonly<Record<string, () => Promise<Bucket>>> = {
  'accepts connections and says nothing': () =>
    bucketAt(
      createServer((socket) => void socket.on('error', () => undefined)),
      littlePatience,
    ),
  'closes every connection': () =>
    bucketAt(
      createServer((socket) => void socket.destroy()),
      littlePatience,
    ),
  'answers 500': () => failing((_request, answer) => void answer.writeHead(500).end()),
  'answers 503 SlowDown': () =>
    failing((_request, answer) => void answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')),
  'resets in the middle': () =>
    failing((request, answer) => {
      request.once('data', () => request.socket.resetAndDestroy());
      if (request.method === 'GET') {
        answer.writeHead(206, range).write('x', () => answer.destroy());
      }
    }),
  'answers a byte now and then': () =>
    failing(async (request, answer) => {
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
  const refusing = (status: number, code: string) =>
    answering((_request, answer) => void answer.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));

  test('is believed that an object is missing', async () => {
    await expect((await refusing(404, 'NoSuchKey')).get('file', 0, 10)).rejects.toThrow(ObjectMissing);
  });

  test.each([
    [403, 'AccessDenied', 'its keys may not do this: check the policy of the bucket (AccessDenied)'],
    [403, 'InvalidAccessKeyId', 'the store does not know its key: check AWS_ACCESS_KEY_ID (InvalidAccessKeyId)'],
    [403, 'SignatureDoesNotMatch', 'its secret is wrong: check AWS_SECRET_ACCESS_KEY (SignatureDoesNotMatch)'],
    [400, 'ExpiredToken', 'its keys have expired (ExpiredToken)'],
    [404, 'NoSuchBucket', 'there is no such bucket (NoSuchBucket)'],
    [403, 'Weather', 'it answers 403 Weather. Check the bucket, its policy, the region and the keys'],
  ])('that refuses this server with %i %s pauses work, and the log says why', async (status, code, why) => {
    const bucket = await refusing(status, code);
    const works = [() => bucket.put('file', bytes), () => bucket.get('file', 0, 10), () => bucket.check()];
    for (const work of works) {
      await expect(work()).rejects.toThrow(`The storage refuses this server: ${why}`);
      await expect(work()).rejects.toThrow(StorageUnavailable);
    }
  });

  test('but cannot be written to is not ready', async () => {
    const asked: string[] = [];
    const bucket = await answering((request, answer) => {
      asked.push(request.method!);
      if (request.method === 'PUT') answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      else answer.writeHead(200).end();
    });
    await bucket.reach();
    await expect(bucket.check()).rejects.toThrow(StorageDenied);
    expect(asked).toContain('PUT');
  });

  test('but refuses a write is not ready from then on, until it takes one again', async () => {
    let isRefusing = false;
    const bucket = await answering((request, answer) => {
      request.resume().once('end', () => {
        if (isRefusing && request.method === 'PUT')
          answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        else answer.writeHead(200).end();
      });
    });
    await bucket.check();
    isRefusing = true;
    await expect(bucket.put('file', bytes)).rejects.toThrow(StorageDenied);
    await expect(bucket.check()).rejects.toThrow(StorageDenied);
    isRefusing = false;
    await bucket.check();
  });

  test('is not written to at every look', async () => {
    let writes = 0;
    const bucket = await answering((request, answer) => {
      writes += Number(request.method === 'PUT');
      request.resume().once('end', () => answer.writeHead(200).end());
    });
    for (let look = 0; look < 5; look++) await bucket.check();
    expect(writes).toBe(1);
  });

  const listing = (token: () => string) =>
    answering((_request, answer) => {
      const object = '<Contents><Key>file-1/0</Key><Size>1</Size></Contents>'.repeat(1_000);
      const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>${token()}</NextContinuationToken>`;
      answer.writeHead(200).end(`<ListBucketResult>${object}${more}</ListBucketResult>`);
    });
  let page = 0;

  test.each([
    ['that repeats itself', () => 'again', 2_000],
    ['without an end', () => `page ${page++}`, 100_000],
  ])('but gives a listing %s is given up', async (_, token, most) => {
    const bucket = await listing(token);
    let count = 0;
    const read = async () => {
      for await (const _object of bucket.list('file-1/')) count++;
    };
    await expect(read()).rejects.toThrow(StorageUnavailable);
    expect(count).toBeLessThanOrEqual(most);
  });
});
