import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DraftAddresses } from '@kc/cluster/draft/addresses';
import { readMap } from '@kc/cluster/map/read-map';
import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, findLoose, runCommand, sha256, type World } from '../support/crash.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong, report } from '../support/proof.ts';

// A sample of `npm run prove -- crash`, which kills the server at every point of a draft's life.
const pointMs = 180_000;

/** The points at which the server is killed. */
const points: readonly (readonly [what: string, at: string, nth?: number])[] = [
  ['the draft about to be committed', 'before commit of insert drafts.*'],
  ['the draft exists, the response is not sent', 'before answer POST /api/drafts 200'],
  ['bytes of the list written, not durable', 'before sync file'],
  ['the list complete, its clustering about to be queued', 'before commit of .*update drafts state.*'],
  ['the list complete, the response is not sent', 'before answer PATCH /api/uploads/:id 204'],
  ['clustering claimed', 'after sql update drafts .*attempts.*'],
  ['reading the list, in the process that clusters', 'after read file'],
  ['the revision written, not published', 'before rename temp file'],
  ['its pack published, no row yet', 'after rename temp pack'],
  ['the revision about to be committed', 'before commit of .*update drafts .*graph_key.*'],
  ['the revision stored, nobody notified', 'after commit of .*update drafts .*graph_key.*'],
  ['an operation about to be committed', 'before commit of .*insert draft_operations.*'],
  ['an operation stored, the response is not sent', 'before answer POST /api/drafts/:id/operations 200'],
  ['publishing about to be committed', 'before commit of .*insert uploads.*update drafts.*'],
  ['publishing, the response is not sent', 'before answer POST /api/drafts/:id/publish 200'],
  ['the map about to be recorded', 'before commit of .*insert visualizations.*'],
  ['the map recorded, nobody notified', 'after commit of .*insert visualizations.*'],
];
const tasted = 'an operation stored, the response is not sent';

const list = new TextEncoder().encode(
  'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\nblue hose,Garden,Hoses,20\ncat food,Pets,Food,5\n',
);

const processes = serverProcesses();
let world: World;
let number = 0;

beforeAll(async () => {
  world = await createWorld(processes, { SAMPLE: 'off' });
  await world.start();
}, pointMs);
afterAll(() => processes.dispose(), pointMs);
afterEach(({ task }) => {
  for (const { message } of task.result?.errors ?? []) report(`FAILED ${task.name}: ${message}`);
});

/** Does one step as somebody does who reloads the page after each fault and looks first. */
async function survive<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      // fetch throws this when the server is gone. All other errors are the test's own.
      if (!(error instanceof TypeError) || !/^(fetch failed|terminated)$/.test(error.message)) throw error;
      await world.died();
      await world.start();
    }
  }
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${world.url}/api${path}`, {
    method,
    headers: { cookie: world.cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const draftCalled = async (name: string) => (await call<Draft[]>('GET', '/drafts')).find((one) => one.name === name);

async function begin(name: string): Promise<Draft> {
  const begun = await draftCalled(name);
  if (begun) return begun;
  const [{ id: userId }] = await call<[{ id: string }]>('GET', '/users');
  return call<Draft>('POST', '/drafts', {
    userId,
    name,
    description: '',
    files: [{ name: 'list.csv', size: list.length, corrections: {} }],
    settings: { preset: 'balanced', grouping: 'columns' },
  });
}

async function sendList({ id, files }: Draft): Promise<void> {
  if ((await call<Draft>('GET', `/drafts/${id}`)).state !== 'receiving') return;
  const location = `/api/uploads/${files[0]!.id}`;
  const head = await world.client().head(location);
  const offset = Number(head.headers.get('upload-offset'));
  const sent = await world.client().patch(location, offset, list.slice(offset));
  if (sent.status !== 204) throw new Error(`Not taken: ${sent.status} ${await sent.text()}`);
}

async function until(id: string, isThere: (draft: Draft) => boolean): Promise<Draft> {
  for (;;) {
    const draft = await call<Draft>('GET', `/drafts/${id}`);
    if (isThere(draft)) return draft;
    if (draft.state === 'failed') throw new Error(`It failed: ${JSON.stringify(draft.refusal)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Renames the first topic, unless that was done before an answer was lost. */
async function rename(id: string): Promise<void> {
  await call('PUT', `/drafts/${id}/lease`, { takeOver: true });
  const { revision } = await call<Draft>('GET', `/drafts/${id}`);
  if (revision!.operation > 0) return;
  const { file_key } = await rowOf(id);
  const map = readMap(readFileSync(join(world.dataDir, 'files', file_key!), 'utf8'));
  const node = new DraftAddresses(map.state, map.texts, map.name).ofTopic(0);
  await call<EditedDraft>('POST', `/drafts/${id}/operations`, {
    after: 0,
    operation: { kind: 'rename', node, name: 'Renamed' },
  });
}

async function publish(id: string, name: string): Promise<void> {
  if ((await call<Draft>('GET', `/drafts/${id}`)).state !== 'ready') return;
  await call('PUT', `/drafts/${id}/lease`, { takeOver: true });
  await call('POST', `/drafts/${id}/publish`, { after: 1, name, description: '' });
}

const rowOf = (id: string) =>
  world.inDatabase((db) => db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

describe('REL-01 a draft, and kill -9', () => {
  const chosen = points.filter(([what]) => isLong || what === tasted).map(([what, at, nth = 1]) => ({ what, at, nth }));

  // Shows P23.8.
  test.each(chosen)(
    '$what',
    async ({ at, nth }) => {
      await world.kill();
      await world.start({ at, nth, act: 'kill' });
      const began = world.starts;
      const name = `garden ${number++}`;
      const draft = await survive(() => begin(name));
      await survive(() => sendList(draft));
      const ready = await survive(() => until(draft.id, ({ state }) => state === 'ready'));
      expect(ready.revision).toMatchObject({ operation: 0, counts: { keywords: 3, pillars: 2, clusters: 2 } });
      await survive(() => rename(draft.id));
      await survive(() => publish(draft.id, name));
      const { visualizationId } = await survive(() => until(draft.id, ({ state }) => state === 'published'));
      expect(world.starts, `it died once, at ${at}`).toBe(began + 1);

      const made = await world.inDatabase((db) =>
        db.selectFrom('visualizations').selectAll().where('file_name', '=', `${name}.json`).execute(),
      );
      expect(made.map(({ id, keywords, is_active }) => [id, keywords, is_active])).toEqual([
        [visualizationId, 3, true],
      ]);
      const json = JSON.parse(readFileSync(join(world.dataDir, 'files', made[0]!.file_key), 'utf8')) as {
        hierarchy: { children: { name: string }[] };
      };
      expect(json.hierarchy.children.map((child) => child.name)).toContain('Renamed');
      expect((await world.call('GET', `/api/visualizations/${visualizationId}/slice`)).status).toBe(200);
      const drafts = await world.inDatabase((db) =>
        db.selectFrom('drafts').select('id').where('name', '=', name).execute(),
      );
      expect(drafts).toEqual([{ id: draft.id }]);
      expect(await findLoose(world)).toEqual([]);
      report(`${at}: nothing is lost`);
    },
    pointMs,
  );
});

test.runIf(isLong)(
  'a draft that is restored from a backup has the same bytes, and can be changed and published',
  async () => {
    await world.kill();
    await world.start();
    const name = `garden ${number++}`;
    const draft = await begin(name);
    await sendList(draft);
    await until(draft.id, ({ state }) => state === 'ready');
    await rename(draft.id);
    const { graph_key, file_key, pack_key } = await rowOf(draft.id);
    const [upload] = await world.inDatabase((db) =>
      db.selectFrom('uploads').select('file_key').where('draft_id', '=', draft.id).execute(),
    );
    const keys = [graph_key!, file_key!, pack_key!, upload!.file_key];
    const hashes = () => keys.map((key) => sha256(readFileSync(join(world.dataDir, 'files', key))));
    const before = hashes();
    const folder = join(dirname(world.dataDir), 'backup-with-drafts');
    expect(await runCommand(world, 'backup', folder)).toMatchObject({ status: 0 });

    const original = world;
    world = await createWorld(processes, { SAMPLE: 'off' });
    try {
      expect(await runCommand(world, 'restore', folder)).toMatchObject({ status: 0 });
      expect(hashes()).toEqual(before);
      await world.start();
      expect(await call<Draft>('GET', `/drafts/${draft.id}`)).toMatchObject({
        state: 'ready',
        revision: { operation: 1 },
      });
      await call('PUT', `/drafts/${draft.id}/lease`, { takeOver: true });
      const undone = await call<EditedDraft>('POST', `/drafts/${draft.id}/undo`, { after: 1 });
      expect(undone.draft.revision).toMatchObject({ operation: 0, canRedo: true });
      await rename(draft.id);
      await publish(draft.id, name);
      const { visualizationId } = await until(draft.id, ({ state }) => state === 'published');
      expect((await world.call('GET', `/api/visualizations/${visualizationId}/slice`)).status).toBe(200);
      expect(await findLoose(world)).toEqual([]);
      await world.stop();
    } finally {
      world = original;
    }
  },
  pointMs,
);
