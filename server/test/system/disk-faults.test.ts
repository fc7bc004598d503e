import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorld,
  type Delivered,
  deliver,
  findLoose,
  findLost,
  fingerprint,
  someFile,
  type World,
} from '../support/crash.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';

// A sample of `npm run prove -- disk-faults`, which lets the disk fail at every step.
const ms = 180_000;
const onTheWay = ['before open file', 'before sync files', 'before write file', 'before sync file', 'after write file'];
const forThePack = ['before open temp', 'before write temp', 'before sync temp', 'before rename temp pack'];

/** What a disk can do, what a sender is told then, and why an upload ends whose pack cannot be written. */
const faults = [
  { act: 'ENOSPC', fault: 'no space', told: [507, 'upload/storage-refused'], ends: 'upload/storage-refused' },
  { act: 'EIO', fault: 'a read or write error', told: [500, 'upload/failed'], ends: 'upload/failed' },
] as const;
/** Steps that are tried in every test run. */
const sampled = { ENOSPC: ['before write file'], EIO: ['before sync file'] };

describe.each(faults)('REL-15 $fault', ({ act, told, ends }) => {
  const processes = serverProcesses();
  let world: World;
  /** A file. While it exists, the disk fails at the steps that it names. */
  let placesIn: string;
  let bystander: string;
  const delivered: Delivered[] = [];

  beforeAll(async () => {
    world = await createWorld(processes);
    placesIn = join(world.dataDir, '..', 'places');
    await world.start({ act, placesIn });
    await world.inDatabase(async (db) => {
      for (const id of ['ann', 'bystander']) await insertAccount(db, id);
    });
    await deliver(world, 'bystander', someFile(0));
    bystander = await fingerprint(world, 'bystander');
  }, ms);
  afterAll(() => processes.dispose(), ms);

  const fail = (places: string): void => writeFileSync(placesIn, places);
  const mend = (): void => rmSync(placesIn, { force: true });

  async function expectServiceIsUp(): Promise<void> {
    for (const path of ['/healthz', '/readyz', '/api/visualizations', '/api/session']) {
      expect((await world.call('GET', path)).status, path).toBe(200);
    }
    const [record] = JSON.parse(bystander)[0];
    expect((await world.call('GET', `/api/visualizations/${record.id}/slice`)).status).toBe(200);
  }

  async function expectNothingLost(): Promise<void> {
    expect(await findLost(world, delivered)).toEqual([]);
    expect(await findLoose(world)).toEqual([]);
    expect(await fingerprint(world, 'bystander')).toBe(bystander);
  }

  /** The status and code of a refusal, which says nothing of the machine. */
  async function refusalOf(response: Response) {
    const text = await response.text();
    expect(text).not.toContain(world.dataDir);
    expect(text).not.toContain(act);
    return [response.status, (JSON.parse(text) as { data: { code: string } }).data.code];
  }
  const metadata = { filename: 'shoes.json', userId: 'ann' };

  // Shows P19.6.
  test.each(isLong ? onTheWay : sampled[act])(
    '%s: the sender is notified, other users are not affected, and the upload resumes once the disk works',
    async (place) => {
      const sent = someFile(delivered.length + 1);
      const location = (await world.client().create(sent.bytes.length, metadata)).headers.get('location')!;
      fail(place);
      expect(await refusalOf(await world.client().patch(location, 0, sent.bytes))).toEqual(told);
      await expectServiceIsUp();
      const offset = Number((await world.client().head(location)).headers.get('upload-offset'));
      mend();
      expect((await world.client().patch(location, offset, sent.bytes.slice(offset))).status).toBe(204);
      const { state, visualizationId } = await world.client().settled(location);
      expect(state).toBe('active');
      delivered.push({ ...sent, userId: 'ann', location, visualizationId: visualizationId! });
      await expectNothingLost();
    },
    ms,
  );

  test.runIf(isLong).each(forThePack)(
    'for the pack, %s: the upload ends with that reason and leaves nothing, and the next one succeeds',
    async (place) => {
      const sent = someFile(delivered.length + 1);
      fail(place);
      const location = await world.client().send(sent.bytes, metadata);
      const status = await world.client().settled(location);
      expect(status).toMatchObject({ state: 'failed', refusal: { code: ends } });
      await expectServiceIsUp();
      mend();
      delivered.push(await deliver(world, 'ann', sent));
      await expectNothingLost();
    },
    ms,
  );

  test.runIf(isLong && act === 'EIO').each(['before open pack', 'before read pack'])(
    'for a stored map, %s: its request fails, all others are answered, and it is shown once the disk works',
    async (place) => {
      const [record] = JSON.parse(bystander)[0];
      const slice = () => world.call('GET', `/api/visualizations/${record.id}/slice`);
      // A server that has just started has nothing in memory.
      await world.stop();
      await world.start({ act, placesIn });
      fail(place);
      expect(await refusalOf(await slice())).toEqual([500, 'fault/internal']);
      for (const path of ['/healthz', '/readyz', '/api/visualizations', '/api/session']) {
        expect((await world.call('GET', path)).status, path).toBe(200);
      }
      mend();
      expect((await slice()).status).toBe(200);
      await expectNothingLost();
    },
    ms,
  );
});
