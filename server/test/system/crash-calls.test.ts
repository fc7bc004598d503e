import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorld,
  type Delivered,
  deliver,
  fileSizes,
  findLoose,
  findLost,
  fingerprint,
  NotActive,
  someFile,
  type World,
} from '../support/crash.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';
import { canTrace, killAtCall } from '../support/strace.ts';

// Runs only as a part of `npm run prove -- crash`. Nobody chose these moments to kill: the kernel counts system calls.
const ms = 600_000;
const calls = ['write', 'writev', 'pwrite64', 'fsync', 'rename', 'openat'];
const killedAt = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 200];

const isPossible = isLong && canTrace();
if (isLong && !isPossible) report('Not killed at system calls: strace is missing, or may not look into processes');

const processes = serverProcesses();
let world: World;
let bystander: string;
const delivered: Delivered[] = [];

beforeAll(async () => {
  if (!isPossible) return;
  world = await createWorld(processes);
  await world.start();
  await world.inDatabase(async (db) => {
    for (const id of ['ann', 'bystander']) await insertAccount(db, id);
  });
  await deliver(world, 'bystander', someFile(0));
  bystander = await fingerprint(world, 'bystander');
}, ms);
afterAll(() => processes.dispose(), ms);

type Ending = 'the server died' | 'what reads for it died' | 'went through';

async function sendAndDieAt(call: string, nth: number): Promise<Ending> {
  const sent = someFile(delivered.length + 1, fileSizes.long);
  const callOff = await killAtCall(world.pid, call, nth);
  const began = world.starts;
  try {
    delivered.push(await deliver(world, 'ann', sent));
  } catch (error) {
    // The reader was killed at every attempt. The sender gets the failure, and uploads the file again.
    if (!(error instanceof NotActive)) throw error;
    expect(error.status).toMatchObject({ state: 'failed', refusal: { code: 'upload/failed' } });
    await callOff();
    delivered.push(await deliver(world, 'ann', sent));
    return 'what reads for it died';
  } finally {
    await callOff();
  }
  expect(world.starts - began, 'deaths').toBeLessThanOrEqual(1);
  return world.starts > began ? 'the server died' : 'went through';
}

describe.runIf(isPossible)('REL-01 kill -9 at the N-th system call of a thread', () => {
  test.each(calls)(
    '%s',
    async (call) => {
      for (const nth of killedAt) {
        const ending = await sendAndDieAt(call, nth);
        expect(await findLost(world, delivered)).toEqual([]);
        expect(await findLoose(world)).toEqual([]);
        expect(await fingerprint(world, 'bystander'), 'I8').toBe(bystander);
        report(`${call} ${nth}: ${ending}, nothing is lost`);
        if (ending === 'went through') break;
      }
    },
    ms,
  );
});
