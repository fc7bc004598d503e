import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { BenchCase, Figures } from './bench-case.ts';
import { type Child, startBarePut, startOurs } from './http/child.ts';
import { beginUpload, chunkBytes, signInAsAdmin, tus, untilActive, withAdmin } from './http/send-upload.ts';
import { makeUpload } from './make-upload.ts';

const MiB = 2 ** 20;
const megabytes = 200;
const file = () => makeUpload('objects', megabytes);

/** The rate at which this machine receives a file: every byte is durable before it is acknowledged. */
export const cases: readonly BenchCase[] = [
  {
    name: 'tus/an upload that is read while it arrives',
    rounds: 5,
    bytes: megabytes * 1e6,
    prepare: async () => void (await file()),
    contenders: [
      { name: 'ours', measure: measureOurs },
      { name: 'a PUT to a bare Fastify route that syncs', measure: measurePut },
    ],
  },
];

/** `wallMs`: from the first byte to the last acknowledgement. `activeMs`: from there to the active visualization. */
async function measureOurs(): Promise<Figures> {
  const server = await startOurs(withAdmin);
  try {
    const person = await signInAsAdmin(server.url);
    const upload = await beginUpload(server.url, person, statSync(await file()).size);
    const figures = await cost(server, () => sendChunks(upload, person.cookie));
    const acknowledged = performance.now();
    await untilActive(upload, person.cookie);
    return { ...figures, activeMs: performance.now() - acknowledged };
  } finally {
    await server.stop();
  }
}

async function measurePut(): Promise<Figures> {
  const server = await startBarePut();
  try {
    const path = await file();
    const headers = { 'content-type': 'application/octet-stream', 'content-length': statSync(path).size };
    return await cost(server, () => send(`${server.url}/file`, 'PUT', headers, path, 0, statSync(path).size));
  } finally {
    await server.stop();
  }
}

/** `mbPerSecond` is the rate that the sender sees; `cpuMs` is the server's own process, without child processes. */
async function cost(server: Child, work: () => Promise<void>): Promise<Figures> {
  const before = await server.cost();
  const start = performance.now();
  await work();
  const wallMs = performance.now() - start;
  const { cpuUs, peakMiB } = await server.cost();
  return { cpuMs: (cpuUs - before.cpuUs) / 1000, wallMs, peakMiB, mbPerSecond: (megabytes / wallMs) * 1000 };
}

async function sendChunks(upload: string, cookie: string): Promise<void> {
  const path = await file();
  const { size } = statSync(path);
  for (let offset = 0; offset < size; offset += chunkBytes) {
    const headers = {
      cookie,
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': offset,
      'content-length': Math.min(chunkBytes, size - offset),
    };
    await send(upload, 'PATCH', headers, path, offset, Math.min(size, offset + chunkBytes));
  }
}

/** Sends a part of a file, and waits for the 204 that acknowledges it. */
async function send(
  url: string,
  method: string,
  headers: OutgoingHttpHeaders,
  path: string,
  start: number,
  end: number,
): Promise<void> {
  const sending = request(url, { method, headers });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(path, { start, end: end - 1, highWaterMark: MiB }), sending);
  const [answer] = await answered;
  answer.resume();
  if (answer.statusCode !== 204) throw new Error(`${method} was answered with ${answer.statusCode}`);
}
