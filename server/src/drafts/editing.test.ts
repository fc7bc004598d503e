import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftAddresses } from '@kc/cluster/draft/addresses';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import { applyOperation, type DraftOperation } from '@kc/cluster/draft/operations';
import { draftStates } from '@kc/rules/draft';
import type { Visualization } from '@kc/rules/shapes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askDraft, lease, operate, type Someone, step, topicAddress } from '../../test/support/draft-calls.ts';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';
import { storedBlocks } from '../storage/whole-objects.ts';
import { countsOf, marksOf } from './draft-figures.ts';
import { jsonOf, type StoredDraft } from './stored-draft.ts';

let directory: string;
let storage: Storage;
let server: TestServer;
let replica: TestServer;
let stored: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-editing-'));
  storage = await openDiskStorage(directory);
  const replaced = { queueFileDeletion: async () => undefined };
  server = await testServer({}, replaced, storage);
  replica = await testServer({}, replaced, storage, server);
  stored = await madeDraft();
});
afterAll(async () => {
  await replica.close();
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
});

const insert = (owner: Someone, begunBy = owner.id) =>
  insertReadyDraft({ db: server.database.db, storage, now: server.clock }, stored, { ownerId: owner.id, begunBy });
const clusterAt = (state: DraftState, keyword: string): string => topicAddress(stored, state, keyword);

/** The state that operations lead to, without a server. */
function replayed(operations: readonly DraftOperation[]): DraftState {
  return operations.reduce((state, operation) => {
    const result = applyOperation(stored.context, state, operation, stored.name);
    if ('refusal' in result) throw new Error(result.refusal);
    return result.state;
  }, stored.state);
}

/** Whether the stored revision, its figures and its marks are those of a state. */
async function expectState(id: string, state: DraftState, operation: number): Promise<void> {
  const row = await server.database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, row.file_key!)) blocks.push(block);
  expect(Buffer.concat(blocks).equals(Buffer.concat([...jsonOf(stored, state)]))).toBe(true);
  expect(row).toMatchObject({ operation, counts: countsOf(state), marks: marksOf(stored, state), stop: state.stop });
}

test('an operation is in the revision that its answer names', async () => {
  const owner = await server.person({});
  const { id, view_id } = await insert(owner);
  const node = clusterAt(stored.state, 'red shoe');
  const operation = { kind: 'rename', node, name: 'everything red' } as const;
  const { status, answer } = await operate(server, owner, id, 0, operation);
  expect([status, answer.effect]).toMatchObject([200, { code: 'draft/renamed', params: { name: 'everything red' } }]);
  const state = replayed([operation]);
  await expectState(id, state, 1);
  const { revision, editor } = answer.draft;
  expect(revision).toMatchObject({ operation: 1, counts: countsOf(state), canUndo: true, canRedo: false });
  expect(editor).toMatchObject({ id: owner.id, isYou: true });
  expect(revision!.viewId).not.toBe(view_id);
  const shown = await server.call(
    'GET',
    `/api/visualizations/${revision!.viewId}/locate?address=${answer.effect.node}`,
    owner,
  );
  expect(shown.statusCode).toBe(200);
  const seen = JSON.parse(
    (await server.call('GET', `/api/visualizations/${revision!.viewId}`, owner)).body,
  ) as Visualization;
  expect(seen).toMatchObject({ keywords: revision!.counts.keywords });
});

test('the figures of a revision are those of its pack, excluded keywords left out', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  const node = clusterAt(stored.state, 'red shoe');
  const { answer } = await operate(server, owner, id, 0, { kind: 'exclude', nodes: [node] });
  const { revision } = answer.draft;
  const all = stored.context.list.texts.length;
  expect(revision!.counts.excluded).toBeGreaterThan(0);
  expect(revision!.counts.keywords).toBe(all - revision!.counts.excluded);
  const seen = JSON.parse(
    (await server.call('GET', `/api/visualizations/${revision!.viewId}`, owner)).body,
  ) as Visualization;
  expect(seen.keywords).toBe(revision!.counts.keywords);
  const { pillars, clusters, subtopics, keywords } = revision!.counts;
  const strays = replayed([{ kind: 'exclude', nodes: [node] }]).topics.filter(({ kind }) => kind === 'stray').length;
  expect(seen.nodes).toBe(1 + pillars + clusters + subtopics + strays + keywords);
  const marks = await askDraft(server, owner, 'GET', `${id}/marks`);
  expect(marks.answer).toMatchObject({ excluded: { total: revision!.counts.excluded } });
});

// Shows P23.2.
test('operations, undo and redo in any order lead to what the remaining operations lead to, on either server', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  let random = 7;
  const chance = (most: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % most;
  };
  let log: DraftOperation[] = [];
  let at = 0;
  for (let count = 0; count < 30; count++) {
    const on = chance(3) === 0 ? replica : server;
    const kind = (['operate', 'operate', 'undo', 'redo'] as const)[chance(4)]!;
    const state = replayed(log.slice(0, at));
    if (kind === 'operate') {
      const texts = stored.context.list.texts;
      const node = clusterAt(state, texts[chance(texts.length)]!);
      const operation: DraftOperation =
        chance(3) === 0
          ? { kind: 'granularity', stop: 1 + chance(9) }
          : chance(2) === 0
            ? { kind: 'rename', node, name: `name ${count}` }
            : { kind: chance(2) === 0 ? 'lock' : 'unlock', nodes: [node] };
      const result = applyOperation(stored.context, state, operation, stored.name);
      const { code, answer } = await operate(on, owner, id, at, operation);
      if ('refusal' in result) expect(code).toBe(result.refusal);
      else {
        expect(answer.effect).toEqual(result.effect);
        log = [...log.slice(0, at), operation];
        at++;
      }
    } else {
      const isPossible = kind === 'undo' ? at > 0 : at < log.length;
      const { code, answer } = await step(on, owner, id, kind, at);
      if (!isPossible) expect(code).toBe(`draft/nothing-to-${kind}`);
      else {
        at += kind === 'undo' ? -1 : 1;
        expect(answer.effect.code).toBe(kind === 'undo' ? 'draft/undone' : 'draft/redone');
        expect(answer.draft.revision).toMatchObject({ operation: at, canUndo: at > 0, canRedo: at < log.length });
      }
    }
    await expectState(id, replayed(log.slice(0, at)), at);
  }
});

// Shows P23.3.
test('a page that has missed an operation is refused, and so is one whose request comes twice', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  const rename = (name: string) => ({ kind: 'rename', node: clusterAt(stored.state, 'red shoe'), name }) as const;
  expect((await operate(server, owner, id, 0, rename('one'))).status).toBe(200);
  expect(await operate(server, owner, id, 0, rename('two'))).toMatchObject({ status: 409, code: 'draft/behind' });
  expect((await step(server, owner, id, 'undo', 0)).code).toBe('draft/behind');
  await expectState(id, replayed([rename('one')]), 1);
});

// Shows P23.3.
test('of simultaneous operations on two servers one is stored, and the others are refused', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  const node = clusterAt(stored.state, 'red shoe');
  const names = ['a', 'b', 'c', 'd'];
  const answers = await Promise.all(
    names.map((name, index) => operate(index % 2 ? replica : server, owner, id, 0, { kind: 'rename', node, name })),
  );
  const stayed = names.filter((_, index) => answers[index]!.status === 200);
  expect(stayed).toHaveLength(1);
  for (const { status, code } of answers) if (status !== 200) expect([status, code]).toEqual([409, 'draft/behind']);
  await expectState(id, replayed([{ kind: 'rename', node, name: stayed[0]! }]), 1);
});

test('a refused operation changes nothing', async () => {
  const owner = await server.person({});
  const before = await insert(owner);
  const node = clusterAt(stored.state, 'red shoe');
  const refusals = [
    [{ kind: 'rename', node: '0'.repeat(16), name: 'x' }, 'draft/unknown-node'],
    [{ kind: 'rename', node, name: ' ' }, 'draft/name-empty'],
    [
      {
        kind: 'merge',
        nodes: [node, new DraftAddresses(stored.state, stored.context.list.texts, stored.name).ofTopic(0)],
      },
      'draft/one-level',
    ],
    [{ kind: 'explode', nodes: [node] }, 'request/invalid'],
  ] as const;
  for (const [operation, code] of refusals)
    expect((await operate(server, owner, before.id, 0, operation)).code).toBe(code);
  const after = server.database.db.selectFrom('drafts').selectAll().where('id', '=', before.id);
  expect(await after.executeTakeFirstOrThrow()).toEqual(before);
});

describe('who edits', () => {
  // Shows P23.4.
  test('the first to come has the lease, others are told by name', async () => {
    const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
    const { id } = await insert(owner);
    expect((await lease(server, owner, id)).answer.editor).toMatchObject({ id: owner.id, isYou: true });
    const refused = await lease(server, admin, id);
    expect(refused).toMatchObject({ status: 409, code: 'draft/editing' });
    expect(refused.params).toEqual({ name: owner.id });
    expect((await lease(server, admin, id, true)).answer.editor).toMatchObject({
      id: admin.id,
      isYou: true,
    });
    const lines = server.database.db.selectFrom('audit_log').selectAll().where('action', '=', 'take-over');
    expect(await lines.execute()).toMatchObject([
      { actor: admin.id, target: owner.id, details: { draft: id, name: 'made', from: owner.id } },
    ]);
    const node = clusterAt(stored.state, 'red shoe');
    expect(await operate(server, owner, id, 0, { kind: 'lock', nodes: [node] })).toMatchObject({
      status: 409,
      code: 'draft/taken-over',
    });
    expect((await operate(server, admin, id, 0, { kind: 'lock', nodes: [node] })).status).toBe(200);
  });

  // Shows P23.4.
  test('a lease ends a minute after it was last renewed', async () => {
    const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
    const { id } = await insert(owner);
    const begun = server.clock;
    try {
      await lease(server, owner, id);
      server.clock += 59_000;
      expect((await lease(server, owner, id)).status).toBe(200);
      server.clock += 59_000;
      expect((await lease(server, admin, id)).code).toBe('draft/editing');
      server.clock += 1_001;
      const { status, answer } = await lease(server, admin, id);
      expect([status, answer.editor?.isYou]).toEqual([200, true]);
      const taken = server.database.db.selectFrom('audit_log').select('at').where('action', '=', 'take-over');
      expect(await taken.where('actor', '=', admin.id).execute()).toEqual([]);
    } finally {
      server.clock = begun;
    }
  });

  test('whoever changes a draft that nobody edits becomes its editor', async () => {
    const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
    const { id } = await insert(owner);
    const node = clusterAt(stored.state, 'red shoe');
    expect((await operate(server, admin, id, 0, { kind: 'lock', nodes: [node] })).status).toBe(200);
    expect((await lease(server, owner, id)).code).toBe('draft/editing');
  });

  test('the lease of another account does not let anyone in who may not use the draft', async () => {
    const [owner, admin, other] = [
      await server.person({}),
      await server.person({ role: 'admin' }),
      await server.person({}),
    ];
    const { id } = await insert(owner, admin.id);
    const node = clusterAt(stored.state, 'red shoe');
    for (const who of [owner, other]) {
      expect((await lease(server, who, id)).code).toBe('draft/not-found');
      expect((await operate(server, who, id, 0, { kind: 'lock', nodes: [node] })).code).toBe('draft/not-found');
      expect((await step(server, who, id, 'undo', 0)).code).toBe('draft/not-found');
      expect((await askDraft(server, who, 'GET', `${id}/marks`)).code).toBe('draft/not-found');
    }
  });
});

test('only a draft that is ready can be edited', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  const operation = { kind: 'lock', nodes: [clusterAt(stored.state, 'red shoe')] };
  for (const state of draftStates.filter((other) => other !== 'ready')) {
    await server.database.db.updateTable('drafts').set({ state }).where('id', '=', id).execute();
    for (const answer of [
      await operate(server, owner, id, 0, operation),
      await step(server, owner, id, 'undo', 0),
      await step(server, owner, id, 'redo', 0),
      await lease(server, owner, id),
    ]) {
      expect([state, answer.status, answer.code]).toEqual([state, 409, 'draft/not-ready']);
    }
  }
});

test('more than sixty operations a minute are refused', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  for (let count = 0; count < 60; count++)
    expect((await step(server, owner, id, 'undo', 0)).code).toBe('draft/nothing-to-undo');
  expect(await step(server, owner, id, 'undo', 0)).toMatchObject({ status: 429, code: 'sign-in/too-many' });
});

// Shows P23.2.
test('two hundred operations can be undone', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  const node = clusterAt(stored.state, 'red shoe');
  const operations = Array.from(
    { length: 203 },
    (_, index): DraftOperation => ({
      kind: index % 2 === 0 ? 'lock' : 'unlock',
      nodes: [node],
    }),
  );
  await operate(server, owner, id, 0, operations[0]!);
  const { db } = server.database;
  const at = new Date(server.clock);
  const rows = operations.slice(1).map((operation, index) => ({
    draft_id: id,
    number: index + 2,
    account_id: owner.id,
    operation: JSON.stringify(operation),
    at,
  }));
  await db.insertInto('draft_operations').values(rows).execute();
  // As another server would leave it.
  await db.updateTable('drafts').set({ operation: 4, view_id: randomUUID() }).where('id', '=', id).execute();
  const { answer } = await step(server, owner, id, 'undo', 4);
  expect(answer.draft.revision).toMatchObject({ operation: 3, canUndo: false, canRedo: true });
  expect((await step(server, owner, id, 'undo', 3)).code).toBe('draft/nothing-to-undo');
  await expectState(id, replayed(operations.slice(0, 3)), 3);
});
