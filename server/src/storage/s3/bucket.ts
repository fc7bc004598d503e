import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type BucketPlace, ObjectMissing, StorageDenied, StorageUnavailable } from '../storage.ts';

/** An object of a bucket, as a listing describes it. */
export type Listed = { readonly name: string; readonly size: number; readonly modifiedAt: number };

/**
 * The part of S3 that the storage needs. Names are below the prefix of the place. What older stores lack is not used:
 * conditional writes, checksums in trailers, and batches of deletions.
 *
 * Every call rejects with {@link StorageUnavailable} while the store cannot be reached or does not work, and with
 * {@link StorageDenied} while it refuses this server.
 */
export type Bucket = {
  /** Durable when it settles. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes an object from its parts, of at least 5 MiB each except the last. It appears when all of them are there. */
  putParts(name: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /** @throws {@link ObjectMissing} */
  get(name: string, offset: number, length: number): Promise<Uint8Array>;
  remove(name: string): Promise<void>;
  /** All objects whose names begin with `start`, by name. */
  list(start: string): AsyncIterable<Listed>;
  /** What lies before the first slash of all names. */
  listTop(): AsyncIterable<string>;
  /** Rejects if the bucket cannot be reached. */
  reach(): Promise<void>;
  /** Rejects if the bucket cannot be reached or written to. That it could be written to is remembered for a minute. */
  check(): Promise<void>;
  /** The store's clock, in milliseconds since 1970, as known from its responses. */
  now(): number;
  close(): void;
};

/** How long a store may take before it counts as one that does not answer. */
export type Patience = {
  readonly connectMs: number;
  /** For one request of at most 16 MiB. */
  readonly requestMs: number;
  readonly attempts: number;
};

/** Callers try again themselves, so one more attempt here is enough. */
const usual: Patience = { connectMs: 3_000, requestMs: 20_000, attempts: 2 };
/** A store that answers more slowly than this counts as one that does not. */
const minBytesPerMs = 256;
const partsAtOnce = 4;
/** The object that a check writes, again and again. */
const checkName = 'write-check';
const checkedMs = 60_000;
/** Objects of one key. A file of 3 GiB has about 800. */
const maxObjects = 100_000;

export function openBucket(place: BucketPlace, { connectMs, requestMs, attempts }: Patience = usual): Bucket {
  const { bucket: Bucket, prefix, endpoint, region, credentials } = place;
  /** How far the store's clock is ahead of this machine's. */
  let aheadMs = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: requestMs, throwOnRequestTimeout: true },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      const date = Date.parse(headers?.date ?? '');
      if (Number.isFinite(date)) aheadMs = date - Date.now();
      return result;
    },
    { step: 'deserialize', name: 'readDate', priority: 'low' },
  );
  const keyOf = (name: string): string => `${prefix}${name}`;
  /** Whoever was refused a write is not ready until one succeeds. */
  const reached = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await answered(work);
    } catch (error) {
      if (error instanceof StorageDenied) checkedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  };
  const reach = async (): Promise<void> => {
    await reached(client.send(new HeadBucketCommand({ Bucket })));
  };

  async function* pages(Prefix: string, Delimiter?: string) {
    const tokens = new Set<string>();
    for (let token: string | undefined, more = true; more; ) {
      const command = new ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken: token });
      const page = await reached(client.send(command));
      yield page;
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
      if (token === undefined) continue;
      if (tokens.has(token))
        throw new StorageUnavailable(new Error('The store lists the same objects again and again'));
      tokens.add(token);
    }
  }

  return {
    async put(name, bytes) {
      await reached(client.send(new PutObjectCommand({ Bucket, Key: keyOf(name), Body: bytes })));
    },
    async putParts(name, parts) {
      const Key = keyOf(name);
      const { UploadId } = await reached(client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
      const upload = { Bucket, Key, UploadId };
      try {
        const sent = await sendParts(parts, async (Body, PartNumber) => {
          const { ETag } = await reached(client.send(new UploadPartCommand({ ...upload, PartNumber, Body })));
          return { ETag, PartNumber };
        });
        await reached(client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: sent } })));
      } catch (error) {
        await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
        throw error;
      }
    },
    async get(name, offset, length) {
      if (length === 0) return new Uint8Array();
      const Range = `bytes=${offset}-${offset + length - 1}`;
      const command = new GetObjectCommand({ Bucket, Key: keyOf(name), Range });
      const body = client
        .send(command)
        .then(({ Body }) => bytesOf(Body as AnswerBody, requestMs + length / minBytesPerMs));
      const bytes = await reached(body).catch((error: unknown) => {
        throw nameOf(error) === 'NoSuchKey' ? new ObjectMissing(name) : error;
      });
      if (bytes.length !== length) throw new Error(`The store answered ${bytes.length} bytes instead of ${length}`);
      return bytes;
    },
    async remove(name) {
      await reached(client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) })));
    },
    async *list(start) {
      let count = 0;
      for await (const { Contents = [] } of pages(keyOf(start))) {
        count += Contents.length;
        if (count > maxObjects)
          throw new StorageUnavailable(new Error(`The store lists objects of ${start} without end`));
        for (const { Key, Size = 0, LastModified } of Contents)
          yield { name: Key!.slice(prefix.length), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      }
    },
    async *listTop() {
      for await (const { Contents = [], CommonPrefixes = [] } of pages(prefix, '/')) {
        for (const { Key } of Contents) yield Key!.slice(prefix.length);
        for (const { Prefix } of CommonPrefixes) yield Prefix!.slice(prefix.length, -1);
      }
    },
    reach,
    async check() {
      if (performance.now() - checkedAt < checkedMs) return reach();
      await reached(client.send(new PutObjectCommand({ Bucket, Key: keyOf(checkName), Body: new Uint8Array(1) })));
      checkedAt = performance.now();
    },
    now: () => Date.now() + aheadMs,
    close: () => client.destroy(),
  };
}

type AnswerBody = Readable & { transformToByteArray(): Promise<Uint8Array> };

/** The client limits the time until an answer begins, and not until it ends. */
async function bytesOf(body: AnswerBody, maxMs: number): Promise<Uint8Array> {
  const late = Object.assign(new Error('The answer took too long'), { name: 'TimeoutError' });
  const timer = setTimeout(() => body.destroy(late), maxMs);
  return body.transformToByteArray().finally(() => clearTimeout(timer));
}

/** Sends parts, some of them at a time. @returns what `send` returned, in order */
async function sendParts<Sent>(
  parts: AsyncIterable<Uint8Array>,
  send: (part: Uint8Array, number: number) => Promise<Sent>,
): Promise<Sent[]> {
  const all: Promise<Sent>[] = [];
  const underWay = new Set<Promise<unknown>>();
  for await (const part of parts) {
    if (underWay.size >= partsAtOnce) await Promise.race(underWay);
    const sending = send(part, all.length + 1);
    // The rejection reaches the callers that await `all`.
    const isOver = sending.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(isOver);
    void isOver.then(() => underWay.delete(isOver));
    all.push(sending);
  }
  return Promise.all(all);
}

/** @throws {@link StorageUnavailable} instead of an error that has nothing to do with the request */
async function answered<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const denied = deniedBecause(error);
    if (denied !== undefined) throw new StorageDenied(denied, error);
    throw isOutage(error) ? new StorageUnavailable(error) : error;
  });
}

/** What is wrong with this server in the eyes of the store, if that is why it refuses a request. */
function deniedBecause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const known = denials[error.name];
  if (known) return `${known} (${error.name})`;
  if (status !== 401 && status !== 403 && status !== 301) return undefined;
  return `it answers ${status} ${error.name}. Check the bucket, its policy, the region and the keys`;
}

const denials: Readonly<Record<string, string>> = {
  AccessDenied: 'its keys may not do this: check the policy of the bucket',
  InvalidAccessKeyId: 'the store does not know its key: check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'its secret is wrong: check AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'its keys have expired',
  ExpiredTokenException: 'its keys have expired',
  TokenRefreshRequired: 'its keys have expired',
  InvalidToken: 'its session token is wrong: check AWS_SESSION_TOKEN',
  RequestTimeTooSkewed: "this machine's clock differs from that of the store: check the time service",
  AccountProblem: 'its account is not in order',
  AllAccessDisabled: 'its account is not in order',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  NoSuchBucket: 'there is no such bucket',
};

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return status >= 500 || status === 429;
  return (
    /^(E[A-Z]+|UND_ERR_.*)$/.test(code) || /Timeout|Abort|Network|socket|aborted/.test(`${error.name} ${error.message}`)
  );
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
