import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bystander, type Noticed, openBystander } from '../support/bystander.ts';
import { createWorld, deliver, findLoose, fingerprint, recordsOf, someFile, type World } from '../support/crash.ts';
import { largeFile } from '../support/large-file.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong, proof, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';
import { openSender, type Sender } from '../support/sender.ts';
import { tusClient } from '../support/tus.ts';

// The long run, `npm run prove -- upload --size 3GiB`, also measures the delays for other users and the memory.
const MiB = 2 ** 20;
const { runs: sizeMib } = proof(20);
const wantedCuts = isLong ? 24 : 5;
/** Each cut loses the bytes in transit. */
const chunkBytes = (isLong ? 8 : 1) * MiB;
const ms = isLong ? 7_200_000 : 180_000;

const processes = serverProcesses();
let world: World;
let sender: Sender;
let bystander: string;
let others: Bystander;
let delaysFile: string;

beforeAll(async () => {
  delaysFile = join(dirname(processes.newFolder()), 'loop-delays');
  world = await createWorld(processes, {
    INGEST_MEMORY: '4096 MiB',
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, '../support/loop-delay.ts'))}`,
    TEST_LOOP_DELAYS: delaysFile,
  });
  await world.start();
  await world.inDatabase(async (db) => {
    for (const id of ['ann', 'bystander']) await insertAccount(db, id);
  });
  await deliver(world, 'bystander', someFile(0));
  bystander = await fingerprint(world, 'bystander');
  others = await openBystander();
  sender = openSender();
  look();
}, ms);
afterAll(async () => {
  await Promise.all([sender.close(), others.close()]);
  await processes.dispose();
}, ms);

// Shows P10.10.
test(
  'REL-21 a large upload over a bad line, with a restart of the server and a reload of the page, arrives unchanged',
  async () => {
    const file = largeFile(sizeMib * MiB);
    const quiet = await watchWhile(world, async () => pause(isLong ? 15_000 : 0));
    const metadata = { filename: 'large.json', userId: 'ann' };
    const created = await tusClient(world.url, world.cookie).create(file.size, metadata);
    const location = created.headers.get('location')!;
    const began = performance.now();
    let sent = { sent: 0, cuts: 0, reloaded: false };
    let restarted = false;
    const restart = async (): Promise<string> => {
      await world.stop();
      await world.start();
      look();
      restarted = true;
      return world.url;
    };
    const journey = { cookie: world.cookie, location, size: file.size, chunkBytes, cuts: wantedCuts };

    const busy = await watchWhile(world, async () => {
      sent = await sender.send(journey, world.url, restart);
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
    expect([restarted, sent.reloaded]).toEqual([true, true]);
    expect(sent.cuts).toBeGreaterThanOrEqual(wantedCuts);
    const ratio = sent.sent / file.size;
    expect(sent.sent - file.size, 'bytes sent in vain').toBeLessThanOrEqual(sent.cuts * chunkBytes);
    // Of a short file, five chunks are a quarter: how much of each is lost depends on where it is cut.
    if (isLong) expect(ratio, 'bytes sent for each byte of the file').toBeLessThanOrEqual(1.1);
    expect(await findLoose(world)).toEqual([]);
    expect(await fingerprint(world, 'bystander')).toBe(bystander);

    const grown = Math.max(busy.peakMib, reading.peakMib) - quiet.peakMib;
    report(
      `${sizeMib} MiB in ${sentSeconds.toFixed(0)} s, ${sent.cuts} cuts, ${ratio.toFixed(3)} bytes sent for each; active ${activeSeconds.toFixed(1)} s after the last byte`,
    );
    for (const [what, of] of [
      ['other requests', 'answers'],
      ['a server that does nothing else', 'elsewhere'],
      ["the server's event loop comes late by", 'loopDelays'],
    ] as const) {
      const tell = (one: Watched) => `p99 ${at(one[of], 0.99)} ms, median ${at(one[of], 0.5)} (${one[of].length})`;
      report(`${what}: quiet ${tell(quiet)}; while sending ${tell(busy)}; until active ${tell(reading)}`);
    }
    report(
      `the server: idle ${quiet.peakMib.toFixed(0)} MiB, at most ${grown.toFixed(0)} MiB more; what it started to read: at most ${Math.max(busy.childrenMib, reading.childrenMib).toFixed(0)} MiB`,
    );
    // In a run of seconds, the memory of the start dominates. Only a long run is conclusive.
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

type Watched = Noticed & {
  /** Delays of the server's event loop, in milliseconds. */
  readonly loopDelays: readonly number[];
  readonly peakMib: number;
  readonly childrenMib: number;
};

/** Measures, while `work` runs, the delays for other users and the memory of the server. */
async function watchWhile(watched: World, work: () => Promise<void>): Promise<Watched> {
  let peakMib = 0;
  let childrenMib = 0;
  const lookAtMemory = (): void => {
    const memory = memoryOf(watched.pid);
    peakMib = Math.max(peakMib, memory.own);
    childrenMib = Math.max(childrenMib, memory.children);
  };
  const before = loopDelays().length;
  await others.tell();
  const looking = setInterval(lookAtMemory, 200);
  try {
    lookAtMemory();
    await work();
  } finally {
    clearInterval(looking);
  }
  return { ...(await others.tell()), loopDelays: loopDelays().slice(before), peakMib, childrenMib };
}

const loopDelays = (): number[] =>
  existsSync(delaysFile) ? readFileSync(delaysFile, 'utf8').split('\n').slice(0, -1).map(Number) : [];

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

/** Keeps requesting the session and a small slice, as another user. */
function look(): void {
  const [{ id }] = JSON.parse(bystander)[0];
  others.look(world.url, world.cookie, ['/api/session', `/api/visualizations/${id}/slice?budget=100`]);
}

/** Resident memory, in MiB, of the server and of the Node processes that it started; 0 on systems without /proc. */
function memoryOf(pid: number): { own: number; children: number } {
  const memory = { own: residentMib(pid), children: 0 };
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const [, after] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(/^\d+ \((?:node|MainThread)\) /);
      if (after?.split(' ')[1] === String(pid)) memory.children += residentMib(Number(entry));
    }
  } catch {
    // A process that ended meanwhile does not count.
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
