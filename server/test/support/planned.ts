import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, type NodePath } from '@kc/pack/plan/node-paths';
import type { PlanAnswer, PlanEntry, PlanPage } from '@kc/rules/plan-shapes';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { insertVisualization, type VisualizationRecord } from '../../src/visualizations/queries.ts';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { insertAccount } from './rows.ts';
import { tusClient } from './tus.ts';

export type Answered<T> = { readonly status: number; readonly body: T };
export type Refused = { readonly data: { readonly code: string; readonly params?: object } };

/** A server with people who plan, and calls about plans. */
export type PlannedServer = Awaited<ReturnType<typeof startPlanned>>;

/** An upload as text: `shoes > trail: boots 30, spikes 5 | road: flats 2`. */
export function fileOf(text: string): object {
  const [name, branches] = text.split(' > ');
  const children = branches!.split(' | ').map((branch) => {
    const [title, keywords] = branch.split(': ');
    const leaves = keywords!.split(', ').map((keyword) => {
      const [, word, volume] = /^(.*?)(?: (\d+))?$/.exec(keyword)!;
      return { name: word!, type: 'keyword', ...(volume !== undefined && { volume: Number(volume) }) };
    });
    return { name: title!, type: 'cluster', children: leaves };
  });
  return { keywords: [], hierarchy: { name: name!, type: 'root', children } };
}

/** The ID of the node at `trail > boots` of an upload with this root. */
export const nodeAt = (root: string, path: string): string =>
  addressOf(root, path === '' ? [] : (path.split(' > ').map((name) => [name, 0] as const) as NodePath));

export async function startPlanned(
  now: () => number = Date.now,
  more: Pick<TestAppOptions, 'flip' | 'mailer' | 'environment' | 'wrapQueries'> = {},
) {
  const database: TestDatabase = await testDatabase(prepareJobs);
  const directory = await mkdtemp(join(tmpdir(), 'kc-plans-'));
  const app: TestApp = await startTestApp(database, directory, { now, ...more });

  /** The records of files by their text. They are inserted again when their owner was deleted. */
  const uploaded = new Map<string, VisualizationRecord>();

  /** A session that begins now by the server's clock: one that begins long after it is not accepted. */
  const cookie = (who: string): Promise<string> => cookieOf(database, who, now());

  async function call<T>(who: string, method: string, path: string, body?: object): Promise<Answered<T>> {
    const answer = await fetch(`${app.url}/api${path}`, {
      method,
      headers: { cookie: await cookie(who), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  }
  const read = async (who: string, of: string, since = 0): Promise<PlanPage> =>
    (await call<PlanPage>(who, 'GET', `/visualizations/${of}/plan?since=${since}`)).body;
  return {
    app,
    database,
    db: database.db,
    cookie,
    call,
    read,
    async people() {
      await database.db.deleteFrom('accounts').execute();
      await insertAccount(database.db, 'admin', { role: 'admin' });
      for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
    },
    /** The ID of a file as a visualization of a user. A file that was uploaded before is not sent again. */
    async upload(file: object, userId = 'ann'): Promise<string> {
      const text = JSON.stringify(file);
      const known = uploaded.get(text);
      if (known) {
        await insertVisualization(database.db, { ...known, user_id: userId });
        return known.id;
      }
      const client = tusClient(app.url, await cookie('admin'));
      const bytes = new TextEncoder().encode(text);
      const { visualizationId } = await client.settled(await client.send(bytes, { filename: 'shop.json', userId }));
      const stored = database.db.selectFrom('visualizations').selectAll().where('id', '=', visualizationId!);
      uploaded.set(text, { ...(await stored.executeTakeFirstOrThrow()), is_active: false, upload_id: null });
      return visualizationId!;
    },
    /** A response that is no JSON. */
    raw: async (who: string, path: string) =>
      fetch(`${app.url}/api${path}`, { headers: { cookie: await cookie(who) } }),
    /** Changes entries, and adds nodes. */
    change: (who: string, of: string, body: object) =>
      call<PlanAnswer & Refused>(who, 'POST', `/visualizations/${of}/plan/changes`, {
        batch: randomUUID(),
        base: 0,
        ...body,
      }),
    move: (who: string, of: string, moves: object[]) =>
      call<PlanAnswer & Refused>(who, 'POST', `/visualizations/${of}/plan/moves`, { batch: randomUUID(), moves }),
    undo: (who: string, of: string, undone: string) =>
      call<PlanAnswer & Refused>(who, 'POST', `/visualizations/${of}/plan/undo`, { batch: randomUUID(), undone }),
    /** Gives a plan that many copies of one of its entries, each at a place of its own. */
    async copyEntry(id: string, copies: number): Promise<void> {
      await sql`
        insert into plan_entries
        select copy.* from plan_entries e, generate_series(1, ${copies}::int) n, lateral jsonb_populate_record(
          e, jsonb_build_object('id', e.id || n, 'path_hashes', jsonb_build_array(md5(n::text)))) copy
        where e.id = ${id}`.execute(database.db);
    },
    /** Path and node of every entry that is in the plan. */
    async listed(who: string, of: string): Promise<[path: string, isFound: boolean][]> {
      const { entries } = await read(who, of);
      return entries
        .filter(({ isPlanned }: PlanEntry) => isPlanned)
        .map(({ path, node }: PlanEntry): [string, boolean] => [path.join(' > '), node !== undefined]);
    },
    /** @param faults the logged errors that the tests cause */
    async stop(faults: readonly unknown[] = []) {
      await app.stop();
      expect(app.faults).toEqual(faults);
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}
