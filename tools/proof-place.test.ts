import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCluster } from '../server/src/database/cluster.ts';
import { prepareHome } from '../server/src/database/cluster-home.ts';
import { livePostmaster } from '../server/src/database/postmaster.ts';
import { createLog } from '../server/src/log.ts';
import { endGroup, proofPlace } from './proof-place.ts';

test('a database left by a killed server ends when the place of a proof is removed', async () => {
  const place = proofPlace();
  mkdirSync(join(place.folder, 'some-test'), { mode: 0o711 });
  const home = prepareHome(join(place.folder, 'some-test', 'data'), 'nobody', createLog('ERROR'));
  await startCluster(home);
  expect(livePostmaster(home.folder)).toBeDefined();
  await place.clear();
  expect(livePostmaster(home.folder)).toBeUndefined();
  expect(existsSync(place.folder)).toBe(false);
}, 180_000);

test('ending a process ends its children', async () => {
  // It reaps its child, so that nobody else has to. The child says its number itself: before it is a program of its own, a
  // signal would meet the trap.
  const script = `trap "wait; exit" TERM; sh -c 'echo $$; exec sleep 1000' & wait`;
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const ended = once(child, 'exit');
  await endGroup(child.pid!);
  await ended;
  expect(() => process.kill(Number(line), 0)).toThrow(/ESRCH/);
});
