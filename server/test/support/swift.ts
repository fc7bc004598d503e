import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { openBucket } from '../../src/storage/s3/bucket.ts';
import type { BucketPlace } from '../../src/storage/storage.ts';
import { endProcess } from './process.ts';

/** A real S3 server on loopback: OpenStack Swift with its S3 interface, on one device. */
export type Swift = {
  /** A new, empty bucket. */
  newBucket(): Promise<BucketPlace>;
  /** Gives a guest rights to a bucket, instead of those that it had. @returns the bucket with the guest's keys */
  allowGuest(place: BucketPlace, rights: 'all' | 'read' | 'none'): Promise<BucketPlace>;
  /** Removes a bucket with all objects. */
  removeBucket(place: BucketPlace): Promise<void>;
  /** Refuses connections until {@link resume}. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
};

const servers = ['account', 'container', 'object'] as const;
const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
const guest = { accessKeyId: 'test:guest', secretAccessKey: 'guesting' };
const region = 'us-east-1';

/** Below the system's range of ephemeral ports: the servers take seconds to start, and nobody else may get a port meanwhile. */
const firstPort = 22_000;
const portsEach = 10;
const shares = 800;
let asked = 0;

/** A port that no parallel test file gets: each process has its own range. */
async function ownPort(): Promise<number> {
  for (let tries = 0; tries < portsEach; tries++) {
    const port = firstPort + (process.pid % shares) * portsEach + (asked++ % portsEach);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]);
    probe.close();
    if (isFree) return port;
  }
  throw new Error('No port is free for Swift');
}

/** Why there is no such server here; undefined if there is one. */
export function whyNoSwift(): string | undefined {
  if (process.getuid?.() !== 0) return 'Tests with an S3 server need root';
  const missing = ['swift-proxy-server', 'swift-object-server', 'memcached'].filter(
    (program) => !existsSync(`/usr/bin/${program}`),
  );
  if (missing.length === 0) return undefined;
  return 'Tests with an S3 server need: apt-get install swift-proxy swift-account swift-container swift-object memcached';
}

/** Starts it in a folder of its own. @throws if it does not answer */
export async function startSwift(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'kc-swift-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
  const children: ChildProcess[] = [];
  const run = (program: string, ...args: string[]): ChildProcess => {
    const child = spawn(program, args, { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const [memcachedPort, proxyPort] = [await ownPort(), await ownPort()];
  run('memcached', '-u', 'nobody', '-l', '127.0.0.1', '-p', String(memcachedPort));
  for (const server of servers) {
    const port = await ownPort();
    makeRing(folder, server, port);
    writeFileSync(join(folder, `${server}.conf`), storageConfig(folder, server, port));
    run(`swift-${server}-server`, join(folder, `${server}.conf`));
  }
  writeFileSync(join(folder, 'proxy.conf'), proxyConfig(folder, proxyPort, memcachedPort));
  const startProxy = () => run('swift-proxy-server', join(folder, 'proxy.conf'));
  let proxy = startProxy();
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  const client = new S3Client({
    region,
    endpoint,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  /** In Swift's own interface, which has rights per user. */
  const asOwner = async (method: string, bucket: string, headers: Record<string, string> = {}): Promise<void> => {
    const { accessKeyId, secretAccessKey } = credentials;
    const signed = await fetch(`${endpoint}/auth/v1.0`, {
      headers: { 'x-storage-user': accessKeyId, 'x-storage-pass': secretAccessKey },
    });
    const token = signed.headers.get('x-auth-token')!;
    const url = `${signed.headers.get('x-storage-url')}/${bucket}`;
    const answer = await fetch(url, { method, headers: { ...headers, 'x-auth-token': token } });
    if (!answer.ok) throw new Error(`Swift answers ${answer.status} to ${method} ${bucket}`);
  };
  let buckets = 0;
  const swift: Swift = {
    async newBucket() {
      const bucket = `kc-${++buckets}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return { bucket, prefix: 'maps/', endpoint, region, credentials };
    },
    async allowGuest(place, rights) {
      const names = { 'x-container-read': rights === 'none' ? '' : guest.accessKeyId };
      const may = { ...names, 'x-container-write': rights === 'all' ? guest.accessKeyId : '' };
      await asOwner('POST', place.bucket, may);
      return { ...place, credentials: guest };
    },
    async removeBucket(place) {
      const bucket = openBucket({ ...place, prefix: '', credentials });
      for await (const { name } of bucket.list('')) await bucket.remove(name);
      bucket.close();
      await asOwner('DELETE', place.bucket);
    },
    pause: async () => void (await endProcess(proxy, 'SIGKILL')),
    async resume() {
      proxy = startProxy();
      await answering(client);
    },
    async stop() {
      client.destroy();
      await Promise.all(children.map((child) => endProcess(child, 'SIGTERM')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await answering(client).catch(async (error: unknown) => {
    await swift.stop();
    throw error;
  });
  return swift;
}

function makeRing(folder: string, server: string, port: number): void {
  const builder = join(folder, `${server}.builder`);
  const ring = (...args: string[]) => execFileSync('swift-ring-builder', [builder, ...args], { stdio: 'ignore' });
  ring('create', '6', '1', '1');
  ring('add', `r1z1-127.0.0.1:${port}/d1`, '1');
  ring('rebalance');
}

const storageConfig = (folder: string, server: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
workers = 0
user = root
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`;

const proxyConfig = (folder: string, port: number, memcachedPort: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
workers = 0
user = root
[pipeline:main]
pipeline = catch_errors proxy-logging cache s3api tempauth bulk slo dlo proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcachedPort}
[filter:s3api]
use = egg:swift#s3api
location = ${region}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_guest = guesting
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`;

/** Waits until the storage servers behind it answer as well. @throws what it answers after a minute */
async function answering(client: S3Client): Promise<void> {
  for (const giveUpAt = performance.now() + 60_000; ; ) {
    try {
      const Bucket = `ready-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      await client.send(new PutObjectCommand({ Bucket, Key: 'ready', Body: 'ready' }));
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
