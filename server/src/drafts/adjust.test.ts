import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftAddresses } from '@kc/cluster/draft/addresses';
import { readMap } from '@kc/cluster/map/read-map';
import type { Draft, DraftMarks } from '@kc/rules/draft-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDraft, operate, publish, type Someone, step } from '../../test/support/draft-calls.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { recordOf } from '../../test/support/rows.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';
import { storedBlocks } from '../storage/whole-objects.ts';
import { insertVisualization, type VisualizationRecord } from '../visualizations/queries.ts';
import { publishRevision, writeRevision } from './revision.ts';
import { jsonOf, type StoredDraft } from './stored-draft.ts';

let directory: string;
let storage: Storage;
let server: TestServer;
let stored: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-adjust-'));
  storage = await openDiskStorage(directory);
  server = await testServer({}, { queueFileDeletion: async () => undefined }, storage);
  stored = await madeDraft();
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

/** A published map of this owner. */
async function mapOf(owner: Someone, json: Iterable<Uint8Array>): Promise<VisualizationRecord> {
  const written = await writeRevision(storage, json, 2 ** 28);
  if ('refusal' in written) throw new Error(written.refusal.code);
  const { fileKey, packKey } = await publishRevision(storage, written);
  const { keywords, nodes, rootName } = written.facts;
  const record = recordOf(owner.id, {
    file_name: 'published.json',
    description: 'of spring',
    file_key: fileKey,
    pack_key: packKey,
    file_size: written.fileBytes,
    root_name: rootName,
    upload_id: null,
    ...{ keywords, nodes },
  });
  await insertVisualization(server.database.db, record);
  return record;
}
const textsOf = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

async function adjust(who: Someone, map: Pick<VisualizationRecord, 'id'>, branch?: string) {
  const body = branch === undefined ? {} : { branch };
  const answer = await server.call('POST', `/api/visualizations/${map.id}/draft`, { cookie: who.cookie, body });
  const read = JSON.parse(answer.body) as Draft & { readonly data?: { readonly code: string } };
  return { draft: read, code: read.data?.code };
}

async function settled(who: Someone, id: string): Promise<Draft> {
  let found: Draft | undefined;
  const state = async () => {
    found = (await askDraft<Draft>(server, who, 'GET', id)).answer;
    return found.state;
  };
  await expect.poll(state).toMatch(/ready|failed|published/);
  return found!;
}

async function jsonAt(key: string): Promise<string> {
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, key)) blocks.push(block);
  return Buffer.concat(blocks).toString();
}
const rowOf = (id: string) =>
  server.database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const hierarchyOf = (json: string) => (JSON.parse(json) as { hierarchy: { name: string; children: Node[] } }).hierarchy;
type Node = { readonly name: string; readonly children?: Node[] };

// Shows P23.6, P23.10.
test('a map that is adjusted begins as it is published, with everything locked, and is published beside it', async () => {
  const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
  const base = await mapOf(owner, jsonOf(stored, stored.state));
  const { draft: begun } = await adjust(admin, base);
  expect(begun).toMatchObject({ origin: 'visualization', name: 'published', description: 'of spring', files: [] });
  expect(begun.base).toEqual({ id: base.id, name: 'published' });
  const draft = await settled(admin, begun.id);
  expect(draft).toMatchObject({ state: 'ready', revision: { operation: 0, canUndo: false } });
  const before = await jsonAt(base.file_key);
  const shown = await jsonAt((await rowOf(begun.id)).file_key!);
  expect(hierarchyOf(shown)).toEqual(hierarchyOf(before));
  expect((JSON.parse(shown) as { keywords: unknown }).keywords).toEqual(
    (JSON.parse(before) as typeof shown & { keywords: unknown }).keywords,
  );
  // New keywords of an update are divided at it.
  expect(stored.state.stop).toBeGreaterThan(0);
  expect(JSON.parse(shown)).toHaveProperty('clustering.stop', stored.state.stop);
  const addresses = new DraftAddresses(stored.state, stored.context.list.texts, stored.name);
  const locked = stored.state.topics.flatMap(({ kind }, topic) => (kind === 'stray' ? [] : [addresses.ofTopic(topic)]));
  const marks = await askDraft<DraftMarks>(server, admin, 'GET', `${begun.id}/marks`);
  expect(new Set(marks.answer.locked)).toEqual(new Set(locked));

  const edited = await operate(server, admin, begun.id, 0, { kind: 'rename', node: locked[0], name: 'renamed' });
  expect(edited.answer.effect.code).toBe('draft/renamed');
  await publish(server, admin, begun.id, 1, 'another name');
  const { visualizationId } = await settled(admin, begun.id);
  const maps = server.database.db.selectFrom('visualizations').selectAll().where('user_id', '=', owner.id);
  const made = (await maps.execute()).find(({ id }) => id === visualizationId)!;
  // Links and saved views of the map are computed from the name of its root.
  expect(made).toMatchObject({ file_name: 'another name.json', root_name: 'made', is_active: true });
  const published = await jsonAt(made.file_key);
  expect(hierarchyOf(published).children[0]!.name).toBe('renamed');
  // What refers to the branch in the map before can follow it.
  const { moves } = (JSON.parse(published) as { clustering: { moves: [string, string][] } }).clustering;
  expect(new Map(moves).get(locked[0]!)).toBe(edited.answer.effect.node);
  expect(JSON.parse(before)).not.toHaveProperty('clustering.moves');
  expect(await jsonAt(base.file_key)).toBe(before);
});

test('a map whose fields were corrected keeps the corrections and the name of its newest month when it is published', async () => {
  const admin = await server.person({ role: 'admin' });
  const topic = (name: string, ...keywords: string[]) => ({
    name,
    type: 'pillar_topic',
    children: keywords.map((keyword) => ({ name: keyword, type: 'keyword' })),
  });
  const json = {
    keywords: ['a', 'b', 'c', 'd'].map((keyword, at) => ({ keyword, figure: 10 ** at })),
    hierarchy: { name: 'shop', type: 'root', children: [topic('First', 'a', 'b'), topic('Second', 'c', 'd')] },
  };
  const fieldMap = { figure: 'volume' } as const;
  const base = await mapOf(admin, textsOf(JSON.stringify(json)));
  await server.database.db
    .updateTable('visualizations')
    .set({ field_map: JSON.stringify(fieldMap), newest_month: '2026-04', exported_on: '2026-04-30' })
    .where('id', '=', base.id)
    .execute();
  const { draft: begun } = await adjust(admin, base);
  const draft = await settled(admin, begun.id);
  const volumeOf = async (id: string) => {
    const { body } = await server.call('GET', `/api/visualizations/${id}/search?q=First`, { cookie: admin.cookie });
    return (JSON.parse(body) as { hits: { name: string; volume?: number }[] }).hits.find(
      ({ name }) => name === 'First',
    );
  };
  expect(await volumeOf(draft.revision!.viewId)).toMatchObject({ volume: 11 });
  const addresses = new DraftAddresses(readMap(JSON.stringify(json)).state, ['a', 'b', 'c', 'd'], 'shop');
  await operate(server, admin, begun.id, 0, { kind: 'rename', node: addresses.ofTopic(0), name: 'Firsts' });
  const { viewId } = (await settled(admin, begun.id)).revision!;
  const { body } = await server.call('GET', `/api/visualizations/${viewId}/search?q=Firsts`, { cookie: admin.cookie });
  expect(JSON.parse(body)).toMatchObject({ hits: [{ name: 'Firsts', volume: 11 }] });
  // The order of the map stays, though by volume the second one is heavier.
  expect(hierarchyOf(await jsonAt((await rowOf(begun.id)).file_key!)).children.map(({ name }) => name)).toEqual([
    'Firsts',
    'Second',
  ]);
  await publish(server, admin, begun.id, 1, 'published');
  const { visualizationId } = await settled(admin, begun.id);
  const made = await server.database.db
    .selectFrom('visualizations')
    .selectAll()
    .where('id', '=', visualizationId!)
    .executeTakeFirstOrThrow();
  expect(made).toMatchObject({ field_map: fieldMap, pack_field_map: fieldMap });
  expect(made).toMatchObject({ newest_month: '2026-04', exported_on: '2026-04-30' });
  expect(JSON.parse(await jsonAt(made.file_key))).toMatchObject({ keywords: json.keywords });
});

// Shows P23.6, P23.11.
test('a branch is clustered inside itself, which can be undone', async () => {
  const admin = await server.person({ role: 'admin' });
  const { texts } = stored.context.list;
  const leaf = (name: string) => ({ name, type: 'keyword' });
  const [few, others] = [texts.slice(0, 20), texts.slice(20)];
  const json = {
    keywords: texts.map((keyword) => ({ keyword })),
    hierarchy: {
      name: 'shop',
      type: 'root',
      children: [
        {
          name: 'Other',
          type: 'pillar_topic',
          children: [{ name: 'heap', type: 'cluster', children: others.map(leaf) }],
        },
        { name: 'First', type: 'pillar_topic', children: [{ name: 'few', type: 'cluster', children: few.map(leaf) }] },
      ],
    },
  };
  const base = await mapOf(admin, textsOf(JSON.stringify(json)));
  const read = readMap(JSON.stringify(json));
  const branch = new DraftAddresses(read.state, read.texts, 'shop').ofTopic(0);
  const { draft: begun } = await adjust(admin, base, branch);
  expect(await settled(admin, begun.id)).toMatchObject({
    state: 'ready',
    revision: { operation: 1, canUndo: true, canRedo: false },
  });
  const made = readMap(await jsonAt((await rowOf(begun.id)).file_key!));
  const pillarOf = (text: string): string => {
    let topic = made.state.topicOf[made.texts.indexOf(text)]!;
    while (made.state.topics[topic]!.parent >= 0) topic = made.state.topics[topic]!.parent;
    return made.state.topics[topic]!.name;
  };
  expect(new Set(others.map(pillarOf))).toEqual(new Set(['Other']));
  expect(new Set(few.map(pillarOf))).toEqual(new Set(['First']));
  const other = made.state.topics.findIndex(({ name }) => name === 'Other');
  expect(made.state.topics.filter(({ parent }) => parent === other).length).toBeGreaterThan(1);
  expect(made.state.topics.filter(({ isLocked }) => isLocked).map(({ name }) => name)).toEqual(['First', 'few']);
  const shown = async () => jsonAt((await rowOf(begun.id)).file_key!);
  const divided = await shown();
  // What is not divided is as it was.
  expect(divided).toContain(JSON.stringify(json.hierarchy.children[1]));
  expect((await step(server, admin, begun.id, 'undo', 1)).answer.effect.code).toBe('draft/undone');
  expect(hierarchyOf(await shown())).toEqual(json.hierarchy);
  expect((await step(server, admin, begun.id, 'redo', 0)).answer.effect.code).toBe('draft/redone');
  expect(await shown()).toBe(divided);
  expect((await settled(admin, (await adjust(admin, base, '0'.repeat(16))).draft.id)).refusal?.code).toBe(
    'draft/unknown-node',
  );
});

test('users adjust their own maps while they may import, and nobody else’s', async () => {
  const { db } = server.database;
  const [owner, other] = [await server.person({}), await server.person({})];
  const base = await mapOf(owner, jsonOf(stored, stored.state));
  const none = () => db.selectFrom('drafts').select('id').where('owner_id', '=', owner.id).execute();
  expect((await adjust(owner, base)).code).toBe('list/off');
  await db.updateTable('settings').set({ user_imports: true }).execute();
  expect((await adjust(other, base)).code).toBe('visualization/not-found');
  expect((await adjust(owner, base, 'no address')).code).toBe('request/invalid');
  expect(await none()).toEqual([]);
  for (let count = 0; count < 3; count++) {
    const { draft } = await adjust(owner, base);
    expect((await settled(owner, draft.id)).state).toBe('ready');
  }
  expect((await adjust(owner, base)).code).toBe('draft/too-many');
});

test('a map that a draft cannot hold, or that has changed in the storage, is refused', async () => {
  const admin = await server.person({ role: 'admin' });
  const twice = { name: 'a', children: [{ name: 'k' }] };
  const json = { keywords: ['k'], hierarchy: { name: 'x', children: [twice, { ...twice, name: 'b' }] } };
  const base = await mapOf(admin, textsOf(JSON.stringify(json)));
  const { draft } = await adjust(admin, base);
  expect(await settled(admin, draft.id)).toMatchObject({
    state: 'failed',
    refusal: { code: 'draft/map-keyword-twice' },
  });
  const large = await mapOf(admin, jsonOf(stored, stored.state));
  await server.database.db
    .updateTable('visualizations')
    .set({ file_size: 500 * 2 ** 20 })
    .where('id', '=', large.id)
    .execute();
  const { draft: second } = await adjust(admin, large);
  expect((await settled(admin, second.id)).refusal?.code).toMatch(/^draft\/(map-too-large|memory)$/);
  const changed = await mapOf(admin, jsonOf(stored, stored.state));
  // As if other bytes had been stored than arrived.
  await server.database.db
    .updateTable('visualizations')
    .set({ file_checksum: 1 })
    .where('id', '=', changed.id)
    .execute();
  const { draft: third } = await adjust(admin, changed);
  expect((await settled(admin, third.id)).refusal?.code).toBe('upload/unreadable');
});
