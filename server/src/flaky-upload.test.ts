import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, deliver, findLoose, fingerprint, recordsOf, someFile, type World } from './testing-crash.ts';
import { type CuttingProxy, cuttingProxy } from './testing-cutting-proxy.ts';
import { type LargeFile, largeFile } from './testing-large-file.ts';
import { serverProcesses } from './testing-process.ts';
import { isLong, proof, report } from './testing-proof.ts';
import { insertAccount } from './visualizations/testing-rows.ts';
import { tusClient } from './visualizations/upload/testing-tus.ts';

// Only at length, `npm run prove -- upload --size 3GiB`: it also tells what the others notice and what it takes of memory.
const MiB = 2 ** 20;
const { runs: sizeMib } = proof(24);
/** At 3 GiB 24; a small file has fewer, as each loses what was on the line. */
const wantedCuts = Math.max(2, Math.floor(sizeMib / 128));
const chunkBytes = 8 * MiB;
const ms = isLong ? 7_200_000 : 180_000;

const processes = serverProcesses();
let world: World;
let proxy: CuttingProxy;
let bystander: string;

beforeAll(async () => {
  if (!isLong) return;
  world = await createWorld(processes, isLong ? { INGEST_MEMORY: '4096 MiB' } : {});
  proxy = await cuttingProxy();
  await world.start();
  proxy.leadTo(world.url);
  await world.inDatabase(async (db) => {
    for (const id of ['ann', 'bystander']) await insertAccount(db, id);
  });
  await deliver(world, 'bystander', someFile(0));
  bystander = await fingerprint(world, 'bystander');
}, ms);
afterAll(async () => {
  if (isLong) await proxy.close();
  await processes.dispose();
}, ms);

/** Sends from the offset that the server tells until everything is there, through every break of the line. */
async function sendOver(file: LargeFile, location: string, onOffset: (offset: number) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      const client = tusClient(proxy.url, world.cookie);
      const head = await client.head(location);
      // While the server is being started again there is nobody to ask.
      if (head.status !== 200) throw new TypeError('fetch failed');
      let offset = Number(head.headers.get('upload-offset'));
      while (offset < file.size) {
        await onOffset(offset);
        const answer = await client.patch(location, offset, file.read(offset, chunkBytes));
        if (answer.status !== 204) break;
        offset = Number(answer.headers.get('upload-offset'));
      }
      if (offset === file.size) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await pause(50);
    }
  }
}

test.runIf(isLong)(
  'REL-21 a large upload over a bad line, with a restart of the server and a reload of the page, arrives as it was',
  async () => {
    const file = largeFile(sizeMib * MiB);
    const quiet = await watchWhile(world, async () => pause(isLong ? 15_000 : 0));
    const metadata = { filename: 'large.json', userId: 'ann' };
    const created = await tusClient(proxy.url, world.cookie).create(file.size, metadata);
    const location = created.headers.get('location')!;
    const began = performance.now();
    const sentBefore = proxy.sent;
    let restarted = false;
    let reloaded = false;

    const busy = await watchWhile(world, async () => {
      const reload = new Error('reload');
      const onOffset = async (offset: number): Promise<void> => {
        const share = offset / file.size;
        if (share >= 1 / 3 && !restarted) {
          restarted = true;
          await world.stop();
          await world.start();
          proxy.leadTo(world.url);
        }
        if (share >= 2 / 3 && !reloaded) {
          reloaded = true;
          throw reload;
        }
        // Somewhere within the next chunk, not too soon after the last cut.
        if (proxy.cuts < Math.floor(share * wantedCuts) + 1) proxy.cutAfter(chunkBytes / 3);
      };
      await sendOver(file, location, onOffset).catch((error) => {
        if (error !== reload) throw error;
        // A new page knows the address of the upload, and nothing else.
        return sendOver(file, location, onOffset);
      });
    });
    const sentSeconds = (performance.now() - began) / 1000;
    const lastByte = performance.now();
    const reading = await watchWhile(world, async () => {
      expect(await world.client().settled(location)).toMatchObject({ state: 'active' });
    });
    const activeSeconds = (performance.now() - lastByte) / 1000;

    const [record, ...more] = await recordsOf(world, 'ann');
    expect(more).toEqual([]);
    expect(record).toMatchObject({ is_active: true, keywords: file.keywords, file_size: file.size });
    expect(await originalHash(record!.id)).toBe(file.sha256());
    expect([restarted, reloaded]).toEqual([true, true]);
    expect(proxy.cuts).toBeGreaterThanOrEqual(wantedCuts);
    const sent = proxy.sent - sentBefore;
    const ratio = sent / file.size;
    expect(sent - file.size, 'bytes sent in vain').toBeLessThanOrEqual(proxy.cuts * chunkBytes);
    if (isLong) expect(ratio, 'bytes sent for each byte of the file').toBeLessThanOrEqual(1.1);
    expect(await findLoose(world)).toEqual([]);
    expect(await fingerprint(world, 'bystander')).toBe(bystander);

    const grown = Math.max(busy.peakMib, reading.peakMib) - quiet.peakMib;
    report(
      `${sizeMib} MiB in ${sentSeconds.toFixed(0)} s, ${proxy.cuts} cuts, ${ratio.toFixed(3)} bytes sent for each; active ${activeSeconds.toFixed(1)} s after the last byte`,
    );
    report(
      `other requests, p99: quiet ${quiet.p99.toFixed(1)} ms (${quiet.requests}), while sending ${busy.p99.toFixed(1)} ms (${busy.requests}), until active ${reading.p99.toFixed(1)} ms (${reading.requests}); median ${quiet.median.toFixed(1)}, ${busy.median.toFixed(1)}, ${reading.median.toFixed(1)}`,
    );
    report(
      `the server: idle ${quiet.peakMib.toFixed(0)} MiB, at most ${grown.toFixed(0)} MiB more; what it started to read: at most ${Math.max(busy.childrenMib, reading.childrenMib).toFixed(0)} MiB`,
    );
    // Memory of a run of seconds is the start's own; only the long one tells.
    if (isLong) expect(grown, 'MiB of the server above idle').toBeLessThanOrEqual(150);
  },
  ms,
);

async function originalHash(id: string): Promise<string> {
  const hash = createHash('sha256');
  const answer = await world.call('GET', `/api/visualizations/${id}/original`);
  for await (const bytes of answer.body!) hash.update(bytes);
  return hash.digest('hex');
}

type Watched = {
  readonly p99: number;
  readonly median: number;
  readonly requests: number;
  readonly peakMib: number;
  readonly childrenMib: number;
};

/** What somebody else notices while `work` goes on: milliseconds of small requests, and the memory of the server. */
async function watchWhile(watched: World, work: () => Promise<void>): Promise<Watched> {
  const times: number[] = [];
  let peakMib = 0;
  let childrenMib = 0;
  let isOver = false;
  const [{ id }] = JSON.parse(bystander)[0];
  const asking = (async () => {
    for (let n = 0; !isOver || n === 0; n++) {
      const began = performance.now();
      const path = n % 2 === 0 ? '/api/session' : `/api/visualizations/${id}/slice?budget=100`;
      // While the server is started again nobody answers: that is the restart's, not the upload's.
      const answer = await watched.call('GET', path).catch(() => undefined);
      if (answer) {
        await answer.arrayBuffer().catch(() => undefined);
        times.push(performance.now() - began);
      }
      const memory = memoryOf(watched.pid);
      peakMib = Math.max(peakMib, memory.own);
      childrenMib = Math.max(childrenMib, memory.children);
      await pause(20);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await asking;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p99: at(0.99), median: at(0.5), requests: times.length, peakMib, childrenMib };
}

/** Resident MiB of the server and of the Node processes that it started; 0 where there is no /proc. */
function memoryOf(pid: number): { own: number; children: number } {
  const memory = { own: residentMib(pid), children: 0 };
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const [, after] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(/^\d+ \((?:node|MainThread)\) /);
      if (after?.split(' ')[1] === String(pid)) memory.children += residentMib(Number(entry));
    }
  } catch {
    // A process that ended while it was looked at counts no more.
  }
  return memory;
}

function residentMib(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
