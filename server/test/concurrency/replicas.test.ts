import { randomUUID } from 'node:crypto';
import { initialSettings } from '@kc/rules/settings';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { insertVisualization } from '../../src/visualizations/queries.ts';
import { cookieOf } from '../support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';
import { type ServerProcess, serverProcesses } from '../support/process.ts';
import { proof, report } from '../support/proof.ts';
import { insertAccount, recordOf } from '../support/rows.ts';
import { tusClient } from '../support/tus.ts';
import { type Call, isLinearizable } from './linearizable.ts';
import { type Answer, type Operation, plans, replicas, settingsOf, startState } from './replica-model.ts';

const processes = serverProcesses();
let database: TestDatabase;
let servers: readonly ServerProcess[];
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  const dataDir = processes.newFolder();
  const environment = { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32) };
  // Files of uploads are in one folder, as on a shared disk.
  servers = [await processes.start(dataDir, environment), await processes.start(dataDir, environment)];
});
afterAll(async () => {
  await processes.dispose();
  await database?.close();
});

const blockBytes = 8;
const maxBlocks = 64;

/** Fresh people, maps and an upload, so that histories do not see each other; settings are put back. */
async function begin() {
  const { db } = database;
  const id = randomUUID().slice(0, 8);
  const people = { head: `${id}-head`, deputy: `${id}-deputy`, owner: `${id}-owner`, person: `${id}-person` } as const;
  for (const who of [people.head, people.deputy]) await insertAccount(db, who, { role: 'admin' });
  await insertAccount(db, people.owner);
  await insertAccount(db, people.person);
  await db.updateTable('accounts').set({ status: startState.status }).where('id', '=', people.person).execute();
  await db
    .updateTable('settings')
    .set({ version: initialSettings.version, max_user_visualizations: startState.value })
    .execute();
  await db.deleteFrom('rate_limits').execute();
  const maps = startState.maps.map((number) => recordOf(people.owner, { is_active: number === startState.active }));
  for (const map of maps) await insertVisualization(db, map);
  const head = await cookieOf(database, people.head);
  const created = await tusClient(servers[0]!.url, head).create(maxBlocks * blockBytes, {
    filename: 'map.json',
    userId: people.owner,
  });
  expect(created.status).toBe(201);
  return {
    people,
    maps: maps.map(({ id: map }) => map),
    head,
    upload: new URL(created.headers.get('location')!, servers[0]!.url).pathname,
  };
}
type Scene = Awaited<ReturnType<typeof begin>>;
/** The sessions of one client. */
type Cookies = { readonly head: string; readonly deputy: string };

async function ask(scene: Scene, cookies: Cookies, server: ServerProcess, operation: Operation): Promise<Answer> {
  const { people, maps, upload } = scene;
  const cookie = cookies['by' in operation ? operation.by : 'head'];
  const call = async (method: string, path: string, body?: object) => {
    const headers = { cookie, origin: server.url, ...(body && { 'content-type': 'application/json' }) };
    return fetch(`${server.url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  switch (operation.do) {
    case 'set-status':
      return written(await call('PUT', `/users/${people.person}/status`, { status: operation.status }));
    case 'set-role':
      return written(await call('PUT', `/users/${people.deputy}/role`, { role: operation.isAdmin ? 'admin' : 'user' }));
    case 'activate':
      return written(await call('POST', `/visualizations/${maps[operation.map]}/activate`));
    case 'remove':
      return written(await call('DELETE', `/visualizations/${maps[operation.map]}`));
    case 'save-settings': {
      const version = initialSettings.version + operation.saves;
      return written(
        await call('PUT', '/settings', { version, settings: settingsOf(operation.value), enforce: false }),
      );
    }
    case 'append': {
      const bytes = new Uint8Array(blockBytes).fill(32);
      return written(await tusClient(server.url, cookie).patch(upload, operation.after * blockBytes, bytes));
    }
    case 'read-people': {
      const all = (await (await call('GET', '/users')).json()) as { id: string; status: string; role: string }[];
      const find = (id: string) => all.find((one) => one.id === id)!;
      return { is: 'done', read: [find(people.person).status, find(people.deputy).role === 'admin'] };
    }
    case 'read-maps': {
      const answer = await call('GET', `/visualizations?userId=${people.owner}`);
      const all = (await answer.json()) as { id: string; isActive: boolean }[];
      const numbers = all.map(({ id }) => maps.indexOf(id)).sort();
      const active = all.find(({ isActive }) => isActive);
      return { is: 'done', read: [numbers, active ? maps.indexOf(active.id) : null] };
    }
    case 'read-settings': {
      const { version, settings } = (await (await call('GET', '/settings')).json()) as typeof initialSettings;
      return { is: 'done', read: [version - initialSettings.version, settings.maxUserVisualizations] };
    }
    case 'read-blocks': {
      const answer = await tusClient(server.url, cookie).head(upload);
      if (answer.status !== 200) return { is: 'unchanged' };
      return { is: 'done', read: Number(answer.headers.get('upload-offset')) / blockBytes };
    }
  }
}

const meanings: Readonly<Record<number, Answer['is']>> = {
  200: 'done',
  204: 'done',
  401: 'refused',
  403: 'refused',
  404: 'missing',
  409: 'conflict',
  // Another request holds the upload, or there were too many.
  423: 'unchanged',
  429: 'unchanged',
};
async function written(answer: Response): Promise<Answer> {
  await answer.arrayBuffer();
  return { is: meanings[answer.status] ?? 'unknown', read: answer.status };
}

async function live(plan: ReturnType<typeof planOf>, counts: Map<string, number>): Promise<Call<Operation, Answer>[]> {
  const scene = await begin();
  const calls: Call<Operation, Answer>[] = [];
  await Promise.all(
    plan.map(async (steps) => {
      const cookies = {
        head: await cookieOf(database, scene.people.head),
        deputy: await cookieOf(database, scene.people.deputy),
      };
      for (const { operation, server } of steps) {
        const began = performance.now();
        const answer = await ask(scene, cookies, servers[server]!, operation);
        calls.push({ operation, answer, began, ended: performance.now() });
        const kind = `${operation.do} ${answer.is}`;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }),
  );
  await database.db.deleteFrom('accounts').where('id', 'in', Object.values(scene.people)).execute();
  return calls;
}

const planOf = (seed: number) => fc.sample(plans, { seed, numRuns: 1 })[0]!;

test(
  'REL-17 whatever clients do at two servers at once, there is an order in which each answer is right',
  async () => {
    const { runs, endsAt, seed } = proof(40);
    const counts = new Map<string, number>();
    for (let run = 0; run < runs && Date.now() < endsAt; run++) {
      const calls = await live(planOf(seed + run), counts);
      const isRight = isLinearizable(startState, calls, replicas);
      const told = calls
        .sort((one, other) => one.began - other.began)
        .map(({ operation, answer, began, ended }) =>
          [began.toFixed(1), ended.toFixed(1), JSON.stringify(operation), JSON.stringify(answer)].join('  '),
        );
      expect(isRight, `No order explains these calls. PROVE_SEED=${seed + run}\n${told.join('\n')}`).toBe(true);
      if (run % 500 === 499) report(`${run + 1} of ${runs} histories; ${countsText(counts)}`);
    }
    // Otherwise little was tried.
    for (const kind of [
      'append conflict',
      'append done',
      'activate missing',
      'set-role done',
      'save-settings conflict',
    ])
      expect(counts.get(kind) ?? 0, countsText(counts)).toBeGreaterThan(0);
  },
  2 ** 31 - 1,
);

const countsText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort()
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
