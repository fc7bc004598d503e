// Shows REL-42, REL-44.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft } from '@kc/rules/draft-shapes';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from '../../test/support/app.ts';
import { repeatJobsAtOnce, type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { madeModel } from '../../test/support/made-model.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { sweepWhen } from '../../test/support/sweep.ts';
import { tusClient } from '../../test/support/tus.ts';
import { clusterHere } from '../../test/support/work-here.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import type { Storage } from '../storage/storage.ts';
import { HeapExhausted } from '../worker-process.ts';
import type { ClusteringProgress } from './clustering-messages.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp | undefined;
let people = 0;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await repeatJobsAtOnce(database);
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-clustering-'));
  await database.db.updateTable('settings').set({ user_imports: true }).execute();
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
  await database.db.deleteFrom('drafts').execute();
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

const list = new TextEncoder().encode('Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\ncat food,Pets,Food,5\n');
/** Each attempt starts a process of its own. */
const manyAttemptsMs = 120_000;
const day = 24 * 3_600_000;

/** Sends a list for a new user, who begins the draft. @returns the IDs of both */
async function sendList(
  bytes = list,
): Promise<{ readonly id: string; readonly user: string; readonly cookie: string }> {
  const user = `person-${people++}`;
  await insertAccount(database.db, user);
  const cookie = await cookieOf(database, user);
  const answer = await fetch(`${app!.url}/api/drafts`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      userId: user,
      name: 'made',
      description: '',
      files: [{ name: 'list.csv', size: bytes.length, corrections: {} }],
      settings: { preset: 'balanced', grouping: 'columns' },
    }),
  });
  const draft = (await answer.json()) as Draft;
  const sent = await tusClient(app!.url, cookie).patch(`/api/uploads/${draft.files[0]!.id}`, 0, bytes);
  expect(sent.status).toBe(204);
  return { id: draft.id, user, cookie };
}

const rowOf = (id: string) => database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirst();

/** Waits until the draft is in this state. */
async function reach(id: string, state: Draft['state']) {
  await expect.poll(async () => (await rowOf(id))?.state, { timeout: manyAttemptsMs }).toBe(state);
  return (await rowOf(id))!;
}

async function post(cookie: string, path: string): Promise<void> {
  expect((await fetch(`${app!.url}/api${path}`, { method: 'POST', headers: { cookie } })).status).toBe(200);
}

/** The objects left by a sweep two days later. */
async function keysLeft(): Promise<string[]> {
  await sweepWhen({ db: database.db, storage: app!.storage, now: () => Date.now() + 2 * day });
  const keys: string[] = [];
  for await (const key of app!.storage.list()) keys.push(key);
  return keys.toSorted();
}

/** A server on which every result waits before it is published, until the test lets it go. */
async function startHeld(more: TestAppOptions = {}) {
  let [reach, letGo] = [(): void => undefined, (_fault?: Error): void => undefined];
  const isReached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const held = new Promise<Error | undefined>((resolve) => {
    letGo = resolve;
  });
  const wrap = (disk: Storage): Storage => ({
    ...disk,
    async publish(from, to) {
      reach();
      const fault = await held;
      if (fault) throw fault;
      await disk.publish(from, to);
    },
  });
  const started = await startTestApp(database, directory, { wrap, ...more });
  app ??= started;
  return { app: started, isReached, letGo };
}

/** How a beginner loses the right to import, and what their draft says then. */
const losses = [
  [
    'importing is switched off',
    'Importing is switched off. Please ask an administrator.',
    () => database.db.updateTable('settings').set({ user_imports: false }).execute(),
  ],
  [
    'the account is disabled',
    'The person who started this draft may no longer import lists.',
    (user: string) => database.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', user).execute(),
  ],
] as const;

test.each(losses)('a result is not stored after %s, and the reason is kept', async (_, text, lose) => {
  const { isReached, letGo } = await startHeld();
  const { id, user } = await sendList();
  await isReached;
  await lose(user);
  const stopped = await reach(id, 'stopped');
  expect(stopped).toMatchObject({ view_id: null, pack_key: null, graph_key: null });
  expect(sayRefusal(stopped.refusal!)).toBe(text);
  letGo();
  await app!.stop();
  expect((await rowOf(id))?.state).toBe('stopped');
  const [upload] = await database.db.selectFrom('uploads').select('file_key').where('draft_id', '=', id).execute();
  expect(await keysLeft()).toEqual([upload!.file_key]);
});

test('an administrator cannot start a draft whose beginner may no longer import, and is told why', async () => {
  const { isReached, letGo } = await startHeld();
  const { id, user } = await sendList();
  await isReached;
  await database.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', user).execute();
  await reach(id, 'stopped');
  letGo();
  const admin = `admin-${people++}`;
  await insertAccount(database.db, admin, { role: 'admin' });
  const cookie = await cookieOf(database, admin);
  const answer = await fetch(`${app!.url}/api/drafts/${id}/start`, { method: 'POST', headers: { cookie } });
  expect(await answer.json()).toMatchObject({ data: { code: 'draft/right-lost' } });
  expect((await rowOf(id))?.state).toBe('stopped');
  await database.db.updateTable('accounts').set({ status: 'approved' }).where('id', '=', user).execute();
  await post(cookie, `/drafts/${id}/start`);
  await reach(id, 'ready');
});

test.each(losses)('a draft is not left working when, at the very end of its clustering, %s', async (_, text, lose) => {
  const { isReached, letGo } = await startHeld();
  const { id, user } = await sendList();
  await isReached;
  await lose(user);
  letGo();
  expect(sayRefusal((await reach(id, 'stopped')).refusal!)).toBe(text);
});

test('an attempt that another server has taken over decides nothing: neither its fault nor its result', async () => {
  for (const fault of [new Error('The disk is tired'), undefined]) {
    const first = await startHeld();
    const { id, cookie } = await sendList();
    await first.isReached;
    const second = await startHeld({ alone: false });
    await post(cookie, `/drafts/${id}/stop`);
    await post(cookie, `/drafts/${id}/start`);
    await second.isReached;
    first.letGo(fault);
    await first.app.stop();
    app = second.app;
    expect(await rowOf(id)).toMatchObject({ state: 'working', attempts: 1 });
    second.letGo();
    const { attempts, graph_key, file_key, pack_key } = await reach(id, 'ready');
    expect(attempts).toBe(1);
    const [upload] = await database.db.selectFrom('uploads').select('file_key').where('draft_id', '=', id).execute();
    expect(await keysLeft()).toEqual([graph_key, file_key, pack_key, upload!.file_key].toSorted());
    await second.app.stop();
    app = undefined;
    await database.db.deleteFrom('drafts').execute();
    await rm(directory, { recursive: true });
    directory = await mkdtemp(join(tmpdir(), 'kc-clustering-'));
  }
});

test('nothing is left of a draft whose beginner is deleted meanwhile', async () => {
  const { isReached, letGo } = await startHeld();
  const { id, user } = await sendList();
  await isReached;
  await database.db.deleteFrom('accounts').where('id', '=', user).execute();
  letGo();
  await app!.stop();
  expect(await rowOf(id)).toBeUndefined();
  expect(await keysLeft()).toEqual([]);
});

test('a draft that is stopped at the end of its clustering and started at once becomes ready, with one result', async () => {
  const { isReached, letGo } = await startHeld();
  const { id, cookie } = await sendList();
  await isReached;
  await post(cookie, `/drafts/${id}/stop`);
  await post(cookie, `/drafts/${id}/start`);
  letGo();
  const { graph_key, file_key, pack_key } = await reach(id, 'ready');
  const [upload] = await database.db.selectFrom('uploads').select('file_key').where('draft_id', '=', id).execute();
  expect(await keysLeft()).toEqual([graph_key, file_key, pack_key, upload!.file_key].toSorted());
});

test.each([1, 2, 3])(
  'a fault at object %i of a result is repeated, and leaves nothing',
  { timeout: manyAttemptsMs },
  async (nth) => {
    let published = 0;
    const wrap = (disk: Storage): Storage => ({
      ...disk,
      async publish(from, to) {
        if (++published === nth) throw new Error('The disk is tired');
        await disk.publish(from, to);
      },
    });
    app = await startTestApp(database, directory, { wrap });
    const { id } = await sendList();
    const { attempts, graph_key, file_key, pack_key } = await reach(id, 'ready');
    expect(attempts).toBe(2);
    const [upload] = await database.db.selectFrom('uploads').select('file_key').where('draft_id', '=', id).execute();
    expect(await keysLeft()).toEqual([graph_key, file_key, pack_key, upload!.file_key].toSorted());
  },
);

test('three faults end in a failure that keeps the list, and a new start counts anew', {
  timeout: manyAttemptsMs,
}, async () => {
  let isBroken = true;
  const wrap = (disk: Storage): Storage => ({
    ...disk,
    async publish(from, to) {
      if (isBroken) throw new Error('The disk is tired');
      await disk.publish(from, to);
    },
  });
  app = await startTestApp(database, directory, { wrap });
  const { id, cookie } = await sendList();
  const { attempts, refusal } = await reach(id, 'failed');
  expect(attempts).toBe(3);
  expect(sayRefusal(refusal!)).toBe(
    `Clustering failed. The files are kept. Try again, or tell an administrator this id: ${id}`,
  );
  isBroken = false;
  await post(cookie, `/drafts/${id}/start`);
  expect(await reach(id, 'ready')).toMatchObject({ attempts: 1, refusal: null });
});

test('a list that is no longer what was sent is not clustered', { timeout: manyAttemptsMs }, async () => {
  const wrap = (disk: Storage): Storage => ({
    ...disk,
    async append(key, offset) {
      const appender = await disk.append(key, offset);
      const changed = (bytes: Uint8Array) => bytes.with(bytes.length - 2, 0x39);
      return { ...appender, size: offset, write: (bytes) => appender.write(changed(bytes)) };
    },
  });
  app = await startTestApp(database, directory, { wrap });
  expect((await reach((await sendList()).id, 'failed')).refusal?.code).toBe('upload/unreadable');
});

test('the language model of the server is used, and one that cannot be used is named', {
  timeout: manyAttemptsMs,
}, async () => {
  const words = new TextEncoder().encode('Keyword\nrot schuh\nblau schuh\nkatze futter\nhund futter\n');
  const modelFolder = await madeModel(join(directory, 'german'));
  app = await startTestApp(database, directory, { modelFolder });
  const { id } = await sendList(words);
  const { warnings } = await reach(id, 'ready');
  expect(warnings).toEqual([]);

  await rm(join(modelFolder, 'model.onnx'));
  const second = await sendList(words);
  const { refusal, attempts } = await reach(second.id, 'failed');
  expect(sayRefusal(refusal!)).toBe('The folder of the language model has no model.onnx that can be read.');
  expect(attempts).toBe(1);
});

test.each([
  [
    { silentMs: 1, wholeMs: 3_600_000 },
    'Clustering made no progress for 1 min and was stopped. The files are kept. Choose a smaller list, or ask an administrator whether the server has a language model that is too slow for it.',
  ],
  [
    { silentMs: 3_600_000, wholeMs: 1 },
    'Clustering was not done after 1 h and was stopped. The files are kept. Choose a smaller list, or ask an administrator whether the server has a language model that is too slow for it.',
  ],
])('clustering that takes longer than %j is ended, says so, and is not tried again', async (patience, text) => {
  app = await startTestApp(database, directory, { clusteringPatience: patience });
  const { id } = await sendList();
  const failed = await reach(id, 'failed');
  expect(failed.attempts).toBe(1);
  expect(sayRefusal(failed.refusal!)).toBe(text);
});

test('clustering that runs out of memory says how much there was, and is not tried again', async () => {
  const runClustering = () => Promise.reject(new HeapExhausted('clustered lists'));
  app = await startTestApp(database, directory, { runClustering, memoryBytes: 400 * 2 ** 20 });
  const { attempts, refusal } = await reach((await sendList()).id, 'failed');
  expect(attempts).toBe(1);
  expect(sayRefusal(refusal!)).toBe(
    'Clustering this list needs more than the 400 MiB of memory that the server allows. Raise INGEST_MEMORY or choose a smaller list.',
  );
});

// Shows P20.10.
test('vectors of keywords are kept for the next list', async () => {
  const vectors = { folder: join(directory, 'vectors'), secret: 'secret', maxBytes: 2 ** 30 };
  app = await startTestApp(database, directory, { vectors });
  const files = async () =>
    (await readdir(vectors.folder, { recursive: true })).filter((name) => name.endsWith('.vectors'));
  const words = new TextEncoder().encode('Keyword\nred shoes\nblue shoes\nwooden lamp\nreading lamp\n');
  await reach((await sendList(words)).id, 'ready');
  const kept = await files();
  expect(kept).toHaveLength(1);
  // Something new would be written to another file.
  await reach((await sendList(words)).id, 'ready');
  expect(await files()).toEqual(kept);
});

test('a list that would take more memory to cluster than there is is refused before the model is loaded', async () => {
  app = await startTestApp(database, directory, { memoryBytes: 300 * 2 ** 20 });
  const words = new TextEncoder().encode('Keyword\nred shoe\nblue shoe\n');
  const { id } = await sendList(words);
  expect(sayRefusal((await reach(id, 'failed')).refusal!)).toBe(
    'Clustering this list needs about 341 MiB of memory and the server allows 300 MiB. Raise INGEST_MEMORY or choose a smaller list.',
  );
  // A list with groups of its own needs no model.
  await reach((await sendList()).id, 'ready');
});

test('how long is left is estimated for lists that are clustered; those with groups of their own skip most stages', async () => {
  const reports: ClusteringProgress[] = [];
  app = await startTestApp(database, directory, {
    runClustering(request, signal, onProgress, patience) {
      const note = (report: ClusteringProgress) => {
        reports.push(report);
        onProgress(report);
      };
      return clusterHere(request, signal, note, patience);
    },
  });
  const counted = () => reports.splice(0).flatMap(({ stage, keywords }) => (keywords ? [{ stage, keywords }] : []));
  await reach((await sendList()).id, 'ready');
  expect(counted()).toEqual([]);
  await reach((await sendList(new TextEncoder().encode('Keyword\nred shoes\nblue shoes\n'))).id, 'ready');
  expect(counted()).toEqual([{ stage: 'variants', keywords: 2 }]);
});

// Shows P21.11.
test('what a list of some length took is remembered for estimates; a short one is not', async () => {
  app = await startTestApp(database, directory);
  await reach((await sendList()).id, 'ready');
  const times = () => database.db.selectFrom('clustering_times').select(['keywords', 'stages']).execute();
  expect(await times()).toEqual([]);
  const rows = Array.from({ length: 1_200 }, (_, at) => `hose ${at},${['Garden,Hoses', 'Pets,Food'][at % 2]},${at}`);
  const long = await sendList(new TextEncoder().encode(`Keyword,Group,Cluster,Volume\n${rows.join('\n')}\n`));
  await reach(long.id, 'ready');
  const [run] = await times();
  expect(run?.keywords).toBe(1_200);
  // A list with groups of its own has no other stages.
  expect(Object.keys(run!.stages).toSorted()).toEqual(['read', 'variants', 'write']);
  const answer = await fetch(`${app.url}/api/clustering/rates`, { headers: { cookie: long.cookie } });
  expect(await answer.json()).toMatchObject({ read: run!.stages.read! / 1_200 });
});
