import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestCluster } from '../server/test/support/cluster.ts';
import type { BenchCase, Figures } from './bench-case.ts';
import { type Child, startBare, startOurs } from './http/child.ts';
import { adminCredentials, sendUpload, signInAsAdmin, withAdmin } from './http/send-upload.ts';
import { makeUpload } from './make-upload.ts';

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
/** Few enough for two servers on a PostgreSQL with the embedded one's 60 connections. */
const viewers = 16;
const secondsLong = 20;
const warmSeconds = 3;
const ingestedMegabytes = 1_000;
const badSignInsPerSecond = 200;

/**
 * Signed-in viewers of a real map, each with a session of their own: slices, filtered slices, pages of a ranking, a search, and
 * lists. The load is made in this process, on the same processors.
 */
export const cases: readonly BenchCase[] = [
  {
    name: 'load/viewers',
    rounds: 1,
    prepare: async () => void (existsSync(real) || (await makeUpload('objects', 20))),
    contenders: [
      { name: 'ours', measure: () => measureOurs(1) },
      { name: 'ours, DATABASE_URL', measure: () => withDatabase((env) => measureOurs(1, env)) },
      { name: 'ours, two servers', measure: () => withDatabase((env) => measureOurs(2, env)) },
      { name: 'ours, during an ingest of 1 GB', measure: () => measureOurs(1, {}, ingest) },
      { name: 'ours, during 200 bad sign-ins a second', measure: () => measureOurs(1, {}, badSignIns) },
      { name: 'a bare Fastify route', measure: measureBare },
    ],
  },
];

/** What goes on beside the viewers. @returns what ends it */
type Disturbance = (server: Child) => Promise<() => Promise<void>>;

async function measureOurs(
  servers: number,
  environment: Readonly<Record<string, string>> = {},
  disturb?: Disturbance,
): Promise<Figures> {
  const started: Child[] = [];
  try {
    for (let count = 0; count < servers; count++)
      started.push(await startOurs({ ...withAdmin, SAMPLE: 'off', ...environment }));
    const [first] = started as [Child];
    const admin = await signInAsAdmin(first.url);
    await sendUpload(first.url, admin, existsSync(real) ? real : await makeUpload('objects', 20));
    const listed = await fetch(`${first.url}/api/visualizations`, { headers: { cookie: admin.cookie } });
    const [{ id }] = (await listed.json()) as [{ id: string }];
    const cookies: string[] = [];
    while (cookies.length < viewers) cookies.push((await signInAsAdmin(first.url)).cookie);
    return await measure(started, pathsOf(id), cookies, disturb);
  } finally {
    for (const server of started) await server.stop();
  }
}

/** What a viewer asks for in turn. */
const pathsOf = (id: string): string[] => [
  `/api/visualizations/${id}/slice?node=0`,
  `/api/visualizations/${id}/slice?node=0&filter=has-website`,
  `/api/visualizations/${id}/rows?level=clusters&sort=-volume`,
  `/api/visualizations/${id}/search?q=website&match=any&limit=50`,
  `/api/visualizations/${id}/nodes/0`,
  '/api/visualizations',
  '/api/session',
];

async function measureBare(): Promise<Figures> {
  const server = await startBare();
  try {
    return await measure([server], ['/api/session'], Array<string>(viewers).fill('none'));
  } finally {
    await server.stop();
  }
}

/** `cpuMs` is per thousand requests, of all servers. Latencies in milliseconds. */
async function measure(
  servers: readonly Child[],
  paths: readonly string[],
  cookies: readonly string[],
  disturb?: Disturbance,
): Promise<Figures> {
  await view(servers, paths, cookies, warmSeconds);
  const calm = await disturb?.(servers[0]!);
  const before = await Promise.all(servers.map((server) => server.cost()));
  const began = performance.now();
  const latencies = await view(servers, paths, cookies, secondsLong);
  const wallMs = performance.now() - began;
  const after = await Promise.all(servers.map((server) => server.cost()));
  await calm?.();
  const cpuUs = after.reduce((sum, { cpuUs }, at) => sum + cpuUs - before[at]!.cpuUs, 0);
  const peakMiB = Math.max(...after.map((cost) => cost.peakMiB));
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))]!;
  const perSecond = latencies.length / (wallMs / 1_000);
  return { cpuMs: cpuUs / latencies.length, wallMs, peakMiB, perSecond, p50: at(0.5), p99: at(0.99) };
}

/** Every viewer asks for one path after the other, at the servers in turn. @returns how long each answer took, in ms */
async function view(
  servers: readonly Child[],
  paths: readonly string[],
  cookies: readonly string[],
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: cookies.length });
  const until = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  const viewOn = async (cookie: string, viewer: number): Promise<void> => {
    for (let turn = viewer; performance.now() < until; turn++) {
      const began = performance.now();
      await ask(servers[turn % servers.length]!.url + paths[turn % paths.length]!, agent, cookie);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(cookies.map(viewOn));
  agent.destroy();
  return latencies;
}

function ask(url: string, agent: Agent, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { cookie } }, (response) => {
      response.on('end', resolve).resume();
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    })
      .on('error', reject)
      .end();
  });
}

async function ingest(server: Child): Promise<() => Promise<void>> {
  const path = await makeUpload('objects', ingestedMegabytes);
  const admin = await signInAsAdmin(server.url);
  const done = sendUpload(server.url, admin, path);
  return () => done;
}

async function badSignIns(server: Child): Promise<() => Promise<void>> {
  const body = JSON.stringify({ ...adminCredentials, password: 'wrong' });
  const headers = { 'content-type': 'application/json' };
  const attempt = () => fetch(`${server.url}/api/session`, { method: 'POST', headers, body }).catch(() => undefined);
  const timer = setInterval(() => void attempt(), 1_000 / badSignInsPerSecond);
  return async () => clearInterval(timer);
}

/** A PostgreSQL that is not the server's own, and a folder of files that servers share. */
async function withDatabase(work: (environment: Record<string, string>) => Promise<Figures>): Promise<Figures> {
  // With the settings of production: they are what is measured.
  const { cluster, stop } = await startTestCluster({});
  const dataDir = mkdtempSync(join(tmpdir(), 'kc-bench-shared-'));
  try {
    const { host, port, user, password, database } = cluster.owner;
    const at = new URLSearchParams({ host: String(host), port: String(port) });
    const url = `postgresql://${user}:${encodeURIComponent(String(password))}@localhost/${database}?${at}`;
    return await work({ DATABASE_URL: url, DATA_DIR: dataDir, SECRET: 's'.repeat(32) });
  } finally {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
