import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWorld, recordsOf, type World } from '../support/crash.ts';
import { largeFile } from '../support/large-file.ts';
import { type MemoryCap, memoryCap } from '../support/memory-cap.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong, proof, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';

// A sample of `npm run prove -- memory-cap`, which reads a file of 3 GiB in 2 GiB of memory.
const MiB = 2 ** 20;
const { runs: sizeMib } = proof(16);
const capBytes = (isLong ? 2048 : 768) * MiB;
const ms = isLong ? 1_800_000 : 120_000;
const metadata = { filename: 'large.json', userId: 'ann' };
const cap: MemoryCap | undefined = memoryCap(capBytes);
if (!cap) console.log('The test of a memory cap is skipped: only root on Linux can set one');

const processes = serverProcesses();
let world: World;

beforeAll(async () => {
  if (!cap) return;
  // As without the variable: a share of what the group may use.
  world = await createWorld(processes, { INGEST_MEMORY: '' });
  await world.start(undefined, cap.under);
  await world.inDatabase((db) => insertAccount(db, 'ann'));
}, ms);
afterAll(async () => {
  await processes.dispose();
  // The last process may still be ending.
  await vi.waitFor(() => cap?.remove(), { timeout: 60_000, interval: 100 });
}, ms);

/** The answers of the server, and the memory of all its processes, while something is done. */
async function watched<T>(work: () => Promise<T>) {
  let isOver = false;
  let peak = 0;
  const answers: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, cap!.used());
      answers.push((await world.call('GET', '/healthz')).status, (await world.call('GET', '/api/session')).status);
      await pause(50);
    }
  })();
  const result = await work().finally(() => {
    isOver = true;
  });
  await watching;
  return { result, answers: new Set(answers), peakMib: peak / MiB };
}

async function send(size: number): Promise<string> {
  const client = world.client();
  const file = largeFile(size);
  const location = (await client.create(size, metadata)).headers.get('location')!;
  for (let offset = 0; offset < size; offset += 16 * MiB) {
    const sent = await client.patch(location, offset, file.read(offset, 16 * MiB));
    // A file that is refused early takes no more bytes.
    if (sent.status !== 204) break;
  }
  return location;
}

test.skipIf(!cap)(
  'REL-28 where memory is limited, a large file is read within the limit, and nothing is ended for it',
  async () => {
    const { result, answers, peakMib } = await watched(async () => world.client().settled(await send(sizeMib * MiB)));
    report(`${sizeMib} MiB with at most ${peakMib.toFixed(0)} of ${capBytes / MiB} MiB in all processes`);
    expect(result.state).toBe('active');
    expect(answers).toEqual(new Set([200]));
    expect(cap!.oomKills()).toBe(0);
    expect((await recordsOf(world, 'ann')).length).toBe(1);
  },
  ms,
);
