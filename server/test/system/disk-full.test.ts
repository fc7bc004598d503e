import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

// A sample of `npm run prove -- disk-full`, which fills the disk at every step.
const ms = 180_000;
const tasted = ['before open file', 'before write file'];
const onTheWay = ['before open file', 'before sync files', 'before write file', 'before sync file', 'after write file'];
const forThePack = ['before open temp', 'before write temp', 'before sync temp', 'before rename temp pack'];
const processes = serverProcesses();
let world: World;
/** A file. While it exists, the disk is full at the steps that it names. */
let placesIn: string;
let bystander: string;
const delivered: Delivered[] = [];

beforeAll(async () => {
  world = await createWorld(processes);
  placesIn = join(world.dataDir, '..', 'full');
  await world.start({ act: 'ENOSPC', placesIn });
  await world.inDatabase(async (db) => {
    for (const id of ['ann', 'bystander']) await insertAccount(db, id);
  });
  await deliver(world, 'bystander', someFile(0));
  bystander = await fingerprint(world, 'bystander');
}, ms);
afterAll(() => processes.dispose(), ms);

const fill = (places: string): void => writeFileSync(placesIn, places);
const free = (): void => rmSync(placesIn, { force: true });

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

const codeOf = async (response: Response) => ((await response.json()) as { data: { code: string } }).data.code;
const metadata = { filename: 'shoes.json', userId: 'ann' };

test.each(isLong ? onTheWay : tasted)(
  'REL-15 no space %s: the sender is notified, other users are not affected, and the upload resumes once there is space',
  async (place) => {
    const sent = someFile(delivered.length + 1);
    const location = (await world.client().create(sent.bytes.length, metadata)).headers.get('location')!;
    fill(place);
    const refused = await world.client().patch(location, 0, sent.bytes);
    expect([refused.status, await codeOf(refused)]).toEqual([507, 'upload/storage-refused']);
    await expectServiceIsUp();
    const offset = Number((await world.client().head(location)).headers.get('upload-offset'));
    free();
    expect((await world.client().patch(location, offset, sent.bytes.slice(offset))).status).toBe(204);
    const { state, visualizationId } = await world.client().settled(location);
    expect(state).toBe('active');
    delivered.push({ ...sent, userId: 'ann', location, visualizationId: visualizationId! });
    await expectNothingLost();
  },
  ms,
);

test.runIf(isLong).each(forThePack)(
  'REL-15 no space for the pack, %s: the upload ends with that reason and leaves nothing, and the next one succeeds',
  async (place) => {
    const sent = someFile(delivered.length + 1);
    fill(place);
    const location = await world.client().send(sent.bytes, metadata);
    const status = await world.client().settled(location);
    expect(status).toMatchObject({ state: 'failed', refusal: { code: 'upload/storage-refused' } });
    await expectServiceIsUp();
    free();
    delivered.push(await deliver(world, 'ann', sent));
    await expectNothingLost();
  },
  ms,
);
