import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';

// A single route that stores a file as it arrives, and responds once it is durable.
const path = join(tmpdir(), `kc-bench-put-${process.pid}`);
const app = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
app.addContentTypeParser('application/octet-stream', (_, body, done) => done(null, body));
app.get('/readyz', async () => ({ ok: true }));
app.put('/file', async ({ body }, reply) => {
  await pipeline(body as Readable, createWriteStream(path, { flush: true }));
  return reply.code(204).send();
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.once('SIGTERM', async () => {
  await app.close();
  await rm(path, { force: true });
});
