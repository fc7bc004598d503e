import type { BenchCase, Figures } from './bench-case.ts';
import { type Child, startBare, startOurs } from './http/child.ts';
import { load, type Sent } from './http/load.ts';
import { sendUpload, signInAsAdmin, withAdmin } from './http/send-upload.ts';
import { makeUpload } from './make-upload.ts';

const atOnce = 16;

/** Small reads by a signed-in user; each depends on the current state of the database. */
const smallReads: readonly BenchCase[] = ['/api/session', '/api/settings/screen'].map((path) => ({
  name: `http/GET ${path}`,
  rounds: 5,
  contenders: [
    { name: 'ours', measure: () => measureOurs(path) },
    { name: 'a bare Fastify route', measure: measureBare },
  ],
}));

const rows = 4_000;
/** What a browser accepts: the last three differ in zstd and Brotli. */
const accepted = ['identity', 'gzip, deflate', 'gzip, deflate, br', 'gzip, deflate, br, zstd'] as const;

/** Of 100,000 keywords. The first slice of a screen is kept as it was sent; one with a row less is taken each time. */
const slices: BenchCase = {
  name: `http/GET a slice of ${rows} rows`,
  rounds: 5,
  prepare: async () => void (await makeUpload('objects', sliceMegabytes)),
  contenders: [
    { name: 'ours, the first look', measure: () => measureSlice(rows, accepted.at(-1)!) },
    ...accepted
      .toReversed()
      .map((encoding) => ({ name: `ours, ${encoding}`, measure: () => measureSlice(rows - 1, encoding) })),
    { name: 'a bare Fastify route with as many bytes, uncompressed', measure: measureBytes },
  ],
};

export const cases: readonly BenchCase[] = [...smallReads, slices];

const sliceMegabytes = 20;

async function measureSlice(budget: number, encoding: string): Promise<Figures> {
  const server = await startOurs(withAdmin);
  const person = await signInAsAdmin(server.url);
  const { cookie } = person;
  await sendUpload(server.url, person, await makeUpload('objects', sliceMegabytes));
  const listed = await fetch(`${server.url}/api/visualizations`, { headers: { cookie } });
  const [{ id } = { id: '' }] = (await listed.json()) as { id: string }[];
  return measure(
    server,
    `/api/visualizations/${id}/slice?budget=${budget}`,
    [{ cookie, 'accept-encoding': encoding }],
    1_000,
  );
}

async function measureBytes(): Promise<Figures> {
  return measure(await startBare(), '/bytes', [], 1_000);
}

async function measureOurs(path: string): Promise<Figures> {
  const password = 'a long quiet evening';
  const server = await startOurs({ ADMIN_PASSWORD: password });
  const body = JSON.stringify({ email: 'admin@example.com', password, remember: false });
  const headers = { 'content-type': 'application/json' };
  const sessions: Sent[] = [];
  // One session per concurrent client, so that no two concurrent requests are the same.
  while (sessions.length < atOnce) {
    const signedIn = await fetch(`${server.url}/api/session`, { method: 'POST', headers, body });
    if (!signedIn.ok) throw new Error(`Signing in was answered with ${signedIn.status}`);
    sessions.push({ cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' });
  }
  return measure(server, path, sessions);
}

async function measureBare(): Promise<Figures> {
  return measure(await startBare(), '/api/session', []);
}

/**
 * `cpuMs` and `databaseMs` are per thousand requests: processor time of the server, and separately of its PostgreSQL.
 */
async function measure(server: Child, path: string, headers: readonly Sent[], requests = 10_000): Promise<Figures> {
  try {
    const url = server.url + path;
    await load(url, { requests: 0.3 * requests, atOnce, headers });
    const before = { ...(await server.cost()), databaseUs: server.databaseCpuUs(), at: performance.now() };
    await load(url, { requests, atOnce, headers });
    const wallMs = performance.now() - before.at;
    const { cpuUs, peakMiB } = await server.cost();
    const cpuMs = (cpuUs - before.cpuUs) / requests;
    const databaseMs = (server.databaseCpuUs() - before.databaseUs) / requests;
    return { cpuMs, databaseMs, wallMs: (wallMs / requests) * 1000, peakMiB };
  } finally {
    await server.stop();
  }
}
