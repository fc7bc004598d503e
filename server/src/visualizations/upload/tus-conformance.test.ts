import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Server as TusServer, type Upload } from '@tus/server';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { proof } from '../../../test/support/proof.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

const file = Buffer.from('{"keywords":[],"hierarchy":{"name":"shoes"}}');

/** Keeps uploads in memory, and of their metadata what we keep. */
class MemoryStore extends DataStore {
  override extensions = ['creation', 'termination'];
  readonly #uploads = new Map<string, Upload>();
  override async create(upload: Upload): Promise<Upload> {
    const { filename = '', userId = '', description = '' } = upload.metadata ?? {};
    upload.metadata = { filename, userId, description };
    this.#uploads.set(upload.id, upload);
    return upload;
  }
  override async getUpload(id: string): Promise<Upload> {
    const upload = this.#uploads.get(id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    return upload;
  }
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.getUpload(id);
    upload.offset = offset + Buffer.concat(await body.toArray()).length;
    return upload.offset;
  }
  override async remove(id: string): Promise<void> {
    this.#uploads.delete(id);
  }
}

let database: TestDatabase;
let directory: string;
let app: TestApp;
let oracle: Server;
let cookie: string;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  directory = await mkdtemp(join(tmpdir(), 'kc-tus-'));
  app = await startTestApp(database, directory);
  cookie = await cookieOf(database, 'admin');
  const tus = new TusServer({
    path: '/api/uploads',
    datastore: new MemoryStore(),
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
  });
  oracle = createServer((asked, answer) => void tus.handle(asked, answer)).listen(0, '127.0.0.1');
  await once(oracle, 'listening');
});
afterAll(async () => {
  await app.stop();
  oracle.close();
  await database.close();
  await rm(directory, { recursive: true });
});

type Headers = Readonly<Record<string, string | undefined>>;
type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders };

const ask = (url: string, method: string, headers: Headers, body?: Uint8Array): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = Object.entries({ cookie, ...headers }).filter(([, value]) => value !== undefined);
    const asked = request(url, { method, headers: Object.fromEntries(sent) }, (answer) =>
      answer.resume().once('end', () => resolve({ status: answer.statusCode!, headers: answer.headers })),
    );
    asked.once('error', reject).end(body);
  });

/** What a client goes by. The library answers what it does not implement with 501, for which we say that it is invalid. */
const partsOf = ({ status, headers }: Answer) => ({
  status: status === 501 ? 400 : status,
  location: headers.location?.replace(/\w+$/, 'ID'),
  ...Object.fromEntries(
    ['tus-resumable', 'upload-offset', 'upload-length', 'upload-metadata'].map((name) => [name, headers[name]]),
  ),
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const good = `filename ${encoded('shoes.json')},userId ${encoded('admin')}`;
const described = `${good},description ${encoded('Für “Ännchen”')},note`;
const oneOf = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const resumable = oneOf<string | undefined>('1.0.0', undefined, '', '0.2.2', '1.0.0, 1.0.0');
const length = oneOf<string | undefined>(undefined, '44', '-1', '1.5', '044');
const metadata = oneOf<string | undefined>(undefined, described, '', ',', 'a b c', 'a YQ==,a YQ==', 'a YQ=', 'ä YQ==');

const creation = fc.record({
  'tus-resumable': resumable,
  'upload-length': oneOf<string | undefined>('44', undefined, '', '-1', '1.5', '4e1', '044'),
  'upload-metadata': oneOf<string | undefined>(good, described, `${good},`, `${good},a YQ=`, `${good},userId YQ==`),
  'upload-defer-length': oneOf<string | undefined>(undefined, '1', '2'),
  'upload-concat': oneOf<string | undefined>(undefined, 'partial', 'final;/a /b', 'else'),
});
const step = fc.record({
  method: oneOf('PATCH', 'HEAD', 'DELETE'),
  /** Of the bytes that follow the offset. */
  bytes: fc.integer({ min: 0, max: 50 }),
  isChunked: fc.boolean(),
  offset: oneOf<string | undefined>('now', '0', '7', undefined, '-1', '+1', '1.5', '01', '', '9007199254740993'),
  headers: fc.record({
    'tus-resumable': resumable,
    'upload-length': length,
    'upload-metadata': metadata,
    'content-type': oneOf<string | undefined>('application/offset+octet-stream', undefined, 'text/plain'),
  }),
});

test('SEC-19 every answer about uploads is the one that @tus/server gives', { timeout: 600_000 }, async () => {
  const port = (oracle.address() as AddressInfo).port;
  const servers = [app.url, `http://127.0.0.1:${port}`];
  const { runs, seed } = proof(150);
  const seen = new Set<number>();
  const askBoth = async (method: string, paths: readonly string[], headers: Headers, body?: Uint8Array) => {
    const answers = await Promise.all(servers.map((url, at) => ask(url + paths[at], method, headers, body)));
    const [ours, theirs] = answers.map(partsOf);
    expect([method, headers, ours]).toEqual([method, headers, theirs]);
    seen.add(ours!.status);
    return answers;
  };
  await fc.assert(
    fc.asyncProperty(creation, fc.array(step, { maxLength: 8 }), async (first, steps) => {
      const made = await askBoth('POST', ['/api/uploads', '/api/uploads'], first);
      const paths = made.map(({ headers }) => headers.location!);
      if (!paths[0]) return;
      let received = 0;
      for (const { method, bytes, isChunked, offset, headers } of steps) {
        const from = offset === 'now' ? String(received) : offset;
        const body = method === 'PATCH' ? Buffer.concat([file.subarray(received), file]).subarray(0, bytes) : undefined;
        const size = body && !isChunked ? { 'content-length': String(body.length) } : {};
        const [ours] = await askBoth(method, paths, { ...headers, 'upload-offset': from, ...size }, body);
        received = Number(ours!.headers['upload-offset'] ?? received);
        if (method === 'DELETE' && ours!.status === 204) break;
      }
      await askBoth('HEAD', paths, { 'tus-resumable': '1.0.0' });
    }),
    { numRuns: runs, seed },
  );
  expect([...seen].sort()).toEqual([200, 201, 204, 400, 403, 404, 409, 412, 413]);
  expect(app.faults).toEqual([]);
});
