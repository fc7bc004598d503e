/**
 * `npm run soak [minutes]`: a server under steady load, 45 minutes by default. Viewers read a real map, and every half minute an
 * administrator uploads it again and removes the one before. Prints memory and open files of the server process, and the size of
 * its database and of its files, every minute; at the end the slope of its memory after the warm-up, with its 95 % confidence
 * interval, and the delays of its event loop.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeUpload } from '../make-upload.ts';
import { startOurs } from './child.ts';
import { sendUpload, signInAsAdmin, withAdmin } from './send-upload.ts';

const minutes = Number(process.argv[2] ?? 45);
const warmUpMinutes = Math.min(10, minutes / 3);
const sampleMs = 5_000;
const uploadMs = 30_000;
const viewers = 8;
/** Of one viewer. */
const betweenRequestsMs = 100;
const metricsPort = 19_100;

const real = fileURLToPath(new URL('../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const file = existsSync(real) ? real : await makeUpload('objects', 20);
const server = await startOurs({
  ...withAdmin,
  SAMPLE: 'off',
  METRICS_PORT: String(metricsPort),
  // As the container image and the unit for systemd set it: freed memory goes back to the system.
  MALLOC_MMAP_THRESHOLD_: '65536',
});
const pid = serverPid();
const until = performance.now() + minutes * 60_000;
const samples: { readonly minute: number; readonly rssMiB: number; readonly files: number }[] = [];
let requests = 0;
try {
  const admin = await signInAsAdmin(server.url);
  await sendUpload(server.url, admin, file);
  await Promise.all([viewAll(), uploadAgain(admin), sample()]);
  await summarise();
} finally {
  await server.stop();
}

/** The process that listens on the server's port. */
function serverPid(): number {
  const inode = listening(Number(new URL(server.url).port));
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const links = safely(() => execFileSync('ls', ['-l', `/proc/${id}/fd`], { encoding: 'utf8', stdio: 'pipe' }));
    if (links?.includes(`socket:[${inode}]`)) return Number(id);
  }
  throw new Error('The process of the server was not found');
}

function listening(port: number): string {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((one) => one.includes(`:${hex} 00000000:0000 0A`));
  if (!line) throw new Error('Nothing listens on the port of the server');
  return line.trim().split(/\s+/)[9]!;
}

async function viewAll(): Promise<void> {
  const cookies = await Promise.all(
    Array.from({ length: viewers }, async () => (await signInAsAdmin(server.url)).cookie),
  );
  await Promise.all(cookies.map(view));
}

async function view(cookie: string): Promise<void> {
  for (let turn = 0; performance.now() < until; turn++) {
    const listed = await get('/api/visualizations', cookie);
    const [newest] = JSON.parse(listed) as { id: string }[];
    const paths = newest
      ? [
          `/api/visualizations/${newest.id}/slice?node=0`,
          `/api/visualizations/${newest.id}/search?q=website&match=any`,
          '/api/session',
        ]
      : ['/api/session'];
    // The map may have been removed since it was listed.
    await get(paths[turn % paths.length]!, cookie).catch(() => undefined);
    await pause(betweenRequestsMs);
  }
}

async function get(path: string, cookie: string): Promise<string> {
  const answer = await fetch(server.url + path, { headers: { cookie } });
  requests++;
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`);
  return text;
}

async function uploadAgain(admin: Awaited<ReturnType<typeof signInAsAdmin>>): Promise<void> {
  while (performance.now() + uploadMs < until) {
    await pause(uploadMs);
    await sendUpload(server.url, admin, file);
    const all = JSON.parse(await get('/api/visualizations', admin.cookie)) as { id: string; isActive: boolean }[];
    for (const { id } of all.filter(({ isActive }) => !isActive)) {
      const headers = { cookie: admin.cookie, origin: server.url };
      await fetch(`${server.url}/api/visualizations/${id}`, { method: 'DELETE', headers });
    }
  }
}

async function sample(): Promise<void> {
  const began = performance.now();
  for (let count = 1; performance.now() < until; count++) {
    await pause(sampleMs);
    const rssKiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
    const files = readdirSync(`/proc/${pid}/fd`).length;
    const minute = (performance.now() - began) / 60_000;
    samples.push({ minute, rssMiB: rssKiB / 1024, files });
    if (count % 12 === 0)
      console.log(
        `${minute.toFixed(0).padStart(3)} min  ${(rssKiB / 1024).toFixed(0)} MiB  ${files} open files  ${requests} requests  ` +
          `database ${mibOf('postgres')} MiB  files ${mibOf('files')} MiB`,
      );
  }
}

/** The size of a folder of the server's data on disk, in MiB. Files may be removed meanwhile. */
function mibOf(folder: string): string {
  const said = safely(() =>
    execFileSync('du', ['-sm', join(server.dataDir, folder)], { encoding: 'utf8', stdio: 'pipe' }),
  );
  return said?.split('\t')[0] ?? 'unknown';
}

async function summarise(): Promise<void> {
  const warm = samples.filter(({ minute }) => minute > warmUpMinutes);
  const { slope, margin } = lineThrough(warm.map(({ minute, rssMiB }) => [minute, rssMiB]));
  const files = warm.map((one) => one.files);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const p99 = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000;
  console.log(
    `memory ${(slope * 10).toFixed(2)} ± ${(margin * 10).toFixed(2)} MiB per 10 minutes after ${warmUpMinutes.toFixed(0)} minutes; ` +
      `open files ${Math.min(...files)} to ${Math.max(...files)}; event loop p99 ${p99.toFixed(0)} ms; ${requests} requests`,
  );
}

/** Least squares. `margin`: half of the 95 % confidence interval, as if samples were independent. */
function lineThrough(points: readonly (readonly [number, number])[]): { slope: number; margin: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, margin: 1.96 * Math.sqrt(rest / (points.length - 2) / spread) };
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
