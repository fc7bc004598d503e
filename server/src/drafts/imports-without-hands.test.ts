import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import type { UploadStatus, Visualization } from '@kc/rules/shapes';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { clusterHere } from '../../test/support/work-here.ts';
import { prepareJobs } from '../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let people = 0;
/** What happens once a list has arrived. */
let beforeClustering: () => Promise<unknown>;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-hands-'));
  app = await startTestApp(database, directory, {
    async runClustering(...given) {
      await beforeClustering();
      return clusterHere(...given);
    },
  });
});
beforeEach(() => {
  beforeClustering = async () => undefined;
  return allowImports(true);
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

const allowImports = (isAllowed: boolean) =>
  database.db.updateTable('settings').set({ user_imports: isAllowed, max_user_visualizations: 20 }).execute();

type Person = { readonly id: string; readonly token: string };

async function person(role: 'user' | 'admin' = 'user'): Promise<Person> {
  const id = `hands-${people++}`;
  await insertAccount(database.db, id, { role });
  const { token } = await giveToken({ database, clock: Date.now() }, id, { scopes: ['read', 'import'] });
  return { id, token };
}

type Answer = { readonly progress: string; readonly draft?: Draft; readonly data?: Refusal };

async function put(by: Person, path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) {
  const answer = await fetch(`${app.url}/api/imports/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${by.token}`, ...headers },
    body,
  });
  expect(app.faults).toEqual([]);
  return { status: answer.status, body: (await answer.json()) as Answer };
}

async function read<Body>(by: Person, path: string): Promise<Body> {
  const answer = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${by.token}` } });
  return (await answer.json()) as Body;
}

/** A token may make 600 calls in a minute, and a tool makes two: however long something takes, they stay below. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 250));

/** The draft once nothing more happens by itself. */
async function settled(by: Person, { progress }: Answer): Promise<Draft> {
  for (;;) {
    const draft = await read<Draft>(by, progress);
    if (draft.state === 'published' || draft.handsOff?.waits) return draft;
    await aMoment();
  }
}

const april = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';
const may = 'Keyword,Volume\nred hose,10\nhoses red,20\ncat food,30\nchess board,40\n';
const spoken = 'language=en';

async function published(by: Person): Promise<Draft> {
  const { status, body } = await put(by, 'new/april.csv?publish=yes', april);
  expect([status, body]).toEqual([201, expect.objectContaining({ progress: `/api/drafts/${body.draft?.id}` })]);
  const draft = await settled(by, body);
  expect(draft).toMatchObject({ state: 'published', name: 'april' });
  return draft;
}

const active = async (by: Person) =>
  (await read<Visualization[]>(by, '/api/visualizations')).find(({ isActive }) => isActive);

describe('a list that a program sends', () => {
  // Shows P29.1.
  test('becomes the active visualization, and the next one is joined to it', async () => {
    const by = await person();
    const first = await published(by);
    expect((await active(by))?.id).toBe(first.visualizationId);
    const { body } = await put(by, `active/shop_us_2026-05-31.csv?publish=yes&${spoken}`, may);
    expect(body.draft).toMatchObject({
      base: { id: first.visualizationId },
      handsOff: { publishes: true, waits: false, open: [] },
    });
    const second = await settled(by, body);
    expect(second.state, JSON.stringify(second)).toBe('published');
    const now = (await active(by))!;
    expect(now.id).toBe(second.visualizationId);
    expect([now.exportedOn, 'exportedOn' in (await read<Visualization[]>(by, '/api/visualizations'))[1]!]).toEqual([
      '2026-05-31',
      false,
    ]);
    expect(now.id).not.toBe(first.visualizationId);
    const found = await read<{ hits: { name: string; path: { name: string }[] }[] }>(
      by,
      `/api/visualizations/${now.id}/search?q=hoses%20red`,
    );
    expect(found.hits.find(({ name }) => name === 'hoses red')?.path.map(({ name }) => name)).toEqual([
      'april',
      'Garden',
      'Hoses',
    ]);
    // The map of April is no longer the one that people see.
    const late = await put(by, `${first.visualizationId}/june.csv?publish=yes`, may);
    expect(late.status).toBe(409);
    expect(sayRefusal(late.body.data!)).toBe(
      'This visualization is no longer its owner’s active one. Use active instead of its ID to update the active one, or activate this one first.',
    );
  });

  // Shows P28.8.
  test('is imported by the tools of an agent, too, which say what is a guess', async () => {
    const by = await person();
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${by.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit }));
    const ask = async (name: string, given: object) =>
      (await client.callTool({ name, arguments: { ...given } })).structuredContent as Record<string, unknown>;
    const end = async ({ draft }: Record<string, unknown>) => {
      for (;;) {
        const now = await ask('import_progress', { draft });
        if (now.state === 'published' || now.waitsForSomebody) return now;
        await aMoment();
      }
    };
    const first = await end(await ask('import_list', { list: april, map: 'new', name: 'april.csv', publish: true }));
    expect(first).toMatchObject({ name: 'april', state: 'published', map: (await active(by))!.id });
    const guessed = await end(await ask('import_list', { list: may, name: 'may.csv', publish: true }));
    expect(guessed).toMatchObject({ state: 'ready', guesses: [{ question: 'language-guess' }] });
    expect(guessed.link).toContain(`draft=${String(guessed.draft)}`);
    const accepted = { list: may, name: 'may.csv', publish: true, accept: ['language-guess'] };
    expect(await end(await ask('import_list', accepted))).toMatchObject({ state: 'published' });
    // Whatever the file is called, it is a list, and has a draft.
    const named = await ask('import_list', { list: april, map: 'new', name: 'april.json', publish: true });
    expect(named).toMatchObject({ draft: expect.any(String), name: 'april' });
    await client.close();
  });

  // Shows P31.6.
  test('is not refused because of those that could not be read', async () => {
    const by = await person();
    for (let failed = 0; failed < limits.maxOwnDrafts; failed++) {
      const { body } = await put(by, 'new/a.csv', 'Volume,CPC\n10,1\n20,2\n');
      expect(await settled(by, body)).toMatchObject({ state: 'failed', refusal: { code: 'list/no-keyword-column' } });
    }
    expect((await put(by, 'new/april.csv', april)).status).toBe(201);
  });

  test('that could not be read is not started again beside as many drafts as there may be', async () => {
    const by = await person();
    const failed = await settled(by, (await put(by, 'new/a.csv', 'Volume,CPC\n10,1\n20,2\n')).body);
    const start = async () => {
      const headers = { authorization: `Bearer ${by.token}` };
      return (await fetch(`${app.url}/api/drafts/${failed.id}/start`, { method: 'POST', headers })).status;
    };
    expect(await start()).toBe(200);
    expect(await settled(by, { progress: `/api/drafts/${failed.id}` })).toMatchObject({ state: 'failed' });
    for (let ready = 0; ready < limits.maxOwnDrafts; ready++)
      await settled(by, (await put(by, 'new/b.csv', april)).body);
    expect(await start()).toBe(409);
    expect(await read(by, `/api/drafts/${failed.id}`)).toMatchObject({ state: 'failed' });
  });

  test('stays a draft unless its sender or their settings say otherwise', async () => {
    const by = await person();
    const left = await settled(by, (await put(by, 'new/april.csv', april)).body);
    expect(left).toMatchObject({ state: 'ready', handsOff: { publishes: false, waits: true, open: [] } });
    const change = await fetch(`${app.url}/api/import-settings`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
      body: '{"publishes":true}',
    });
    expect(change.status).toBe(200);
    expect(await read(by, '/api/import-settings')).toEqual({ publishes: true });
    expect((await settled(by, (await put(by, 'new/april.csv', april)).body)).state).toBe('published');
    expect((await settled(by, (await put(by, 'new/april.csv?publish=no', april)).body)).state).toBe('ready');
  });

  // Shows P29.2.
  test('stays a draft as long as its reading is a guess that nobody has settled', async () => {
    const by = await person();
    const text = april.replaceAll(/(?<=,)\d/gu, '0$&/04/2026').replace('Volume', 'Date');
    const asked = await settled(by, (await put(by, 'new/list.csv?publish=yes', text)).body);
    expect(asked).toMatchObject({ state: 'ready', handsOff: { publishes: true } });
    expect(asked.handsOff?.open.map(({ code }) => code)).toEqual(['list/date-order']);
    const said = await settled(by, (await put(by, 'new/list.csv?publish=yes&dayFirst=yes', text)).body);
    expect(said).toMatchObject({ state: 'published' });
    const accepted = await settled(by, (await put(by, 'new/list.csv?publish=yes&accept=date-order', text)).body);
    expect(accepted).toMatchObject({ state: 'published' });
  });

  test('stays a draft until somebody says what scale its click rates have', async () => {
    const by = await person();
    const text = april.replaceAll(/(?<=,)\d+/gu, '0.$&').replace('Volume', 'CTR');
    const asked = await settled(by, (await put(by, `new/list.csv?publish=yes&${spoken}`, text)).body);
    expect(asked.handsOff?.open.map(({ code }) => code)).toEqual(['list/ctr-scale']);
    const said = (await put(by, `new/list.csv?publish=yes&ctrPercent=yes&${spoken}`, text)).body;
    expect(await settled(by, said)).toMatchObject({ state: 'published' });
  });

  test('stays a draft if its lines may have a delimiter that cannot be read', async () => {
    const by = await person();
    const text = april.replaceAll(',', '^');
    const asked = await settled(by, (await put(by, `new/list.csv?publish=yes&${spoken}`, text)).body);
    expect(asked).toMatchObject({ state: 'ready', handsOff: { open: [{ code: 'list/unsplit' }] } });
    expect(sayRefusal(asked.handsOff!.open[0]!)).toBe(
      'Each line is read as one keyword, but most have the same number of “^”. If it separates columns, choose another delimiter, or replace it with commas.',
    );
    const said = (await put(by, `new/list.csv?publish=yes&delimiter=lines&${spoken}`, text)).body;
    expect(await settled(by, said)).toMatchObject({ state: 'published' });
  });

  test('stays a draft if some of its rows may be the sums of others', async () => {
    const by = await person();
    const text = 'Row Labels,Sum of Volume\nOak,300\noak desk,100\noak bed,200\nPine,40\npine desk,10\npine bed,30\n';
    const asked = await settled(by, (await put(by, `new/list.csv?publish=yes&${spoken}`, text)).body);
    expect(asked).toMatchObject({ state: 'ready', handsOff: { open: [{ code: 'list/groups-in-rows' }] } });
  });

  test('is not published over a map that it has little to do with', async () => {
    const by = await person();
    await published(by);
    const other = 'Keyword,Volume\nchess board,10\nchess clock,20\n';
    const draft = await settled(by, (await put(by, `active/other.csv?publish=yes&${spoken}`, other)).body);
    expect(draft.state).toBe('ready');
    expect(draft.handsOff?.open.map(({ code }) => code)).toContain('list/other-list');
  });

  test('does not undo what another one has brought meanwhile', async () => {
    const by = await person();
    const base = await published(by);
    let goOn = (): void => undefined;
    const isSent = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    beforeClustering = () => isSent;
    const sent = await Promise.all(
      [may, `${may}chess clock,50\n`].map((text) => put(by, `active/may.csv?publish=yes&${spoken}`, text)),
    ).finally(goOn);
    expect(sent.map(({ body }) => body.draft?.base?.id)).toEqual([base.visualizationId, base.visualizationId]);
    const drafts = await Promise.all(sent.map(({ body }) => settled(by, body)));
    const [late] = drafts.filter(({ state }) => state === 'ready');
    expect(drafts.map(({ state }) => state).sort()).toEqual(['published', 'ready']);
    expect(sayRefusal(late!.refusal!)).toBe(
      'Another list was published meanwhile, so this draft no longer updates the active visualization. Import its list again.',
    );
  });

  test('is read as its sender corrected the last list with this header', async () => {
    const by = await person();
    const names = ['Term', 'Group', 'Cluster', 'Zahl'];
    await database.db
      .insertInto('list_readings')
      .values({
        account_id: by.id,
        header_hash: createHash('sha256').update(JSON.stringify(names)).digest('hex'),
        corrections: JSON.stringify({ meanings: { 0: 'keyword', 3: 'volume' } }),
        corrected_at: new Date(),
      })
      .execute();
    const { body } = await put(by, 'new/list.csv?publish=yes', april.replace(/^.*/u, names.join()));
    const draft = await settled(by, body);
    expect(draft.state, JSON.stringify(draft)).toBe('published');
    const root = await read<object>(by, `/api/visualizations/${draft.visualizationId}/nodes/0`);
    expect(root).toMatchObject({ volume: { value: 6, known: 3 } });
  });

  test('is not published once its sender may import no more', async () => {
    const by = await person();
    beforeClustering = () =>
      database.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', by.id).execute();
    const { body } = await put(by, 'new/april.csv?publish=yes', april);
    const admin = await person('admin');
    for (;;) {
      const draft = await read<Draft>(admin, body.progress);
      if (draft.refusal || draft.state === 'published') {
        expect(draft).toMatchObject({ refusal: expect.anything() });
        break;
      }
      await aMoment();
    }
    expect(await database.db.selectFrom('visualizations').select('id').where('user_id', '=', by.id).execute()).toEqual(
      [],
    );
  });

  test.each([
    ['new', 'import/no-name', 'The file needs a name: put it at the end of the address, or add ?name= to it.'],
    [
      'active/may.csv',
      'import/no-active',
      'There is no active visualization to update. Use new instead of active to start one.',
    ],
    ['new/a.csv?colour=red', 'import/unknown-option', 'There is no option colour. The options are: name, userId, '],
    [
      'new/a.csv?market=UK',
      'import/option-form',
      'The option market is not valid. It must be two lower-case letters, such as us.',
    ],
    [
      'new/a.csv?language=zz',
      'import/option-form',
      'The option language is not valid. It must be the two letters of a language, such as en.',
    ],
    ['new/a.csv?title=', 'import/option-form', 'The option title is not valid.'],
    ['new/a.csv?encoding=klingon', 'import/option', 'Use one of: utf-8, '],
    ['new/a.csv?columns=1:foo', 'import/option', 'Use one of: keyword, volume, '],
    [
      'new/a.csv?columns=0:keyword',
      'import/option-form',
      'the numbers of columns from 1 on, each once with what it is',
    ],
    ['new/a.csv?columns=1:keyword,01:volume', 'import/option-form', 'each once with what it is'],
    ['new/a.csv?accept=everything', 'import/option', 'The option accept is not valid. Use one of: encoding-guess, '],
    ['new/a.csv?publish=perhaps', 'import/option', 'The option publish is not valid. Use one of: yes, no.'],
    ['no-such-map/a.csv', 'visualization/not-found', ''],
    ['new/a.csv?userId=somebody', 'admin/only', ''],
    ['new/a.json?publish=yes', 'admin/only', ''],
  ])('PUT %s is refused: %s', async (path, code, text) => {
    const by = await person();
    const { body } = await put(by, path, april);
    expect(body.data?.code).toBe(code);
    if (text) expect(sayRefusal(body.data!)).toContain(text);
    expect(await database.db.selectFrom('drafts').select('id').where('owner_id', '=', by.id).execute()).toEqual([]);
  });

  test('is refused if nobody knows how long it is, or it is too long', async () => {
    const by = await person();
    const headers = { authorization: `Bearer ${by.token}` };
    const begin = async (more: Record<string, string>): Promise<string> => {
      const asked = request(`${app.url}/api/imports/new/a.csv`, { method: 'PUT', headers: { ...headers, ...more } });
      asked.flushHeaders();
      asked.write('Keyword\n');
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const { data } = JSON.parse(String((await answer.toArray())[0])) as { data: Refusal };
      asked.destroy();
      return sayRefusal(data);
    };
    expect(await begin({})).toBe(
      'The request must state the length of the file (Content-Length), and must not be compressed.',
    );
    expect(await begin({ 'content-length': String(101 * 2 ** 20) })).toBe(
      'One request can send up to 100 MB. Send larger files with tus: see /docs.',
    );
    expect((await put(by, 'new/a.csv', '')).body.data?.code).toBe('list/no-rows');
  });

  test('is refused for whoever may not import, and with a token that may only read', async () => {
    await allowImports(false);
    const by = await person();
    expect((await put(by, 'new/a.csv', april)).body.data?.code).toBe('list/off');
    const { token } = await giveToken({ database, clock: Date.now() }, by.id, { scopes: ['read'] });
    expect((await put({ ...by, token }, 'new/a.csv', april)).body.data?.code).toBe('token/scope');
  });

  test('that ends early leaves nothing', async () => {
    const by = await person();
    const { hostname, port } = new URL(app.url);
    const socket = createConnection(Number(port), hostname);
    socket.write(
      `PUT /api/imports/new/a.csv HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${by.token}\r\ncontent-length: 5000\r\n\r\n${april}`,
    );
    const drafts = () => database.db.selectFrom('drafts').select('id').where('owner_id', '=', by.id).execute();
    while ((await drafts()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    socket.destroy();
    while ((await drafts()).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(app.faults).toEqual([]);
  });
});

test('a list of several markets and of no clear language asks about both', async () => {
  const by = await person();
  const text = 'Keyword,Country,Volume\nred hose,us,1\nred hose,gb,2\nspade,us,3\n';
  const draft = await settled(by, (await put(by, 'new/list.csv?publish=yes', text)).body);
  expect(draft.handsOff?.open.map(sayRefusal)).toEqual([
    'The list has rows of several markets, whose volumes are added up: us, uk.',
    expect.stringContaining('The language of these keywords is a guess: '),
  ]);
  const said = await settled(by, (await put(by, 'new/list.csv?publish=yes&market=uk&language=en', text)).body);
  expect(said).toMatchObject({ state: 'published' });
  // A list that names no market is of the one that is said.
  const plain = await settled(by, (await put(by, 'new/list.csv?publish=yes&market=us', 'Keyword\nred hose\n')).body);
  expect(plain).toMatchObject({ state: 'published' });
});

test('a hierarchy that an administrator sends is published, if they say so', async () => {
  const admin = await person('admin');
  const json = JSON.stringify({
    keywords: [{ keyword: 'red hose', search_volume: 5 }],
    hierarchy: { name: 'Shop', children: [{ name: 'Hoses', children: [{ name: 'red hose' }] }] },
  });
  const unsaid = await put(admin, 'new/map.json', json);
  expect(sayRefusal(unsaid.body.data!)).toBe(
    'A hierarchy cannot wait as a draft: it is published once it has been read. Add publish=yes to confirm that.',
  );
  const { status, body } = await put(admin, 'new/map.json?publish=yes', json);
  expect(status, JSON.stringify(body)).toBe(201);
  for (;;) {
    const { state, error } = await read<UploadStatus & { error?: unknown }>(admin, body.progress);
    expect([state, error]).not.toEqual(['failed', expect.anything()]);
    if (state === 'active') break;
    await aMoment();
  }
  expect((await active(admin))?.fileName).toBe('map.json');
});
