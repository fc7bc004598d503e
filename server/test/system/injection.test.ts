import { contract } from '@kc/rules/api';
import { sql } from 'kysely';
import type { InjectOptions } from 'light-my-request';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/actors.ts';
import { changedTables, digest } from '../support/digest.ts';
import { isLong, sample } from '../support/proof.ts';
import {
  expectationOf,
  nameOf,
  outcomeOf,
  prepare,
  type Route,
  refusedAtTheDoor,
  routes,
  type Stage,
  send,
} from '../support/routes.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

// SEC-22: texts that become SQL if a statement is built from strings. Each takes a number from a sequence. Neither an
// error nor a rollback undoes that, so it is visible even if the response shows nothing. A test run tries some of the texts in
// each place, as one of those who may make the call, and callers who are refused with some of the calls; `npm run prove -- injection` tries everything.

const drawn = "nextval('injected')";
const injections: readonly string[] = [
  `' or ${drawn}>0 --`,
  `'||${drawn}||'`,
  `x'; select ${drawn}; --`,
  `' union select ${drawn}::text --`,
  `%' or ${drawn}>0 or '' like '%`,
  `\\' or ${drawn}>0 --`,
  `") or ${drawn}>0 --`,
  `') or ${drawn}>0 --`,
  `1 or ${drawn}>0`,
  `1); select ${drawn}; --`,
  `name asc, (select ${drawn})`,
  `$$||${drawn}||$$`,
  `\u2019 or ${drawn}>0 --`,
];
/** A harmless text, long enough to be a password. */
const plain = 'some Harbor-9 plain text';

/** One actor of each kind. */
const people: readonly Actor[] = ['anonymous', 'pending', 'user A', 'admin'];

let theatre: Theatre;
let owner: pg.Client;
beforeAll(async () => {
  theatre = await openTheatre();
  owner = new pg.Client(theatre.server.database.owner);
  await owner.connect();
  await owner.query('create sequence injected; grant usage on sequence injected to public');
});
afterAll(async () => {
  await owner.end();
  await theatre.close();
});

const isDrawn = async (): Promise<boolean> =>
  (await owner.query<{ is_called: boolean }>('select is_called from injected')).rows[0]!.is_called;

/** A part of a request that can contain a text. */
type Place = { readonly name: string; put(call: InjectOptions, text: string): InjectOptions };

/** Members in the contract in addition to those that the requests of the table have. */
const known: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(contract).flatMap((group) =>
    Object.values(group).map(({ '~orpc': { route, inputSchema } }) => {
      const { shape = {} } = (inputSchema as { def?: { shape?: object } } | undefined)?.def ?? {};
      return [`${route.method} /api${route.path}`, Object.keys(shape)];
    }),
  ),
);
/** The same for raw routes, which parse their queries themselves. */
const knownRaw: Readonly<Record<string, readonly string[]>> = {
  'GET /api/visualizations/{id}/slice': ['node', 'budget', 'skip', 'child', 'filter', 'rest', 'field'],
  'GET /api/visualizations/{id}/export.csv': ['node', 'kind', 'filter', 'field'],
  'POST /api/visualizations/{id}/export.csv': ['filter'],
  'GET /api/visualizations/{id}/export.json': ['node', 'filter'],
  'GET /api/activity.csv': ['kind', 'text'],
  'GET /api/google/start': ['flow', 'nonce', 'remember', 'purpose', 'origin'],
  'GET /api/google/callback': ['code', 'state', 'error', 'iss'],
  'HEAD /api/uploads/{id}': [],
};
const isRead = ({ method }: Route): boolean => method === 'GET' || method === 'HEAD';
const inPath = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

function placesOf(route: Route, call: InjectOptions): Place[] {
  const { names } = expectationOf(route);
  const query = new URLSearchParams(String(call.url).split('?')[1]);
  const isJson = call.headers?.['content-type'] === 'application/json';
  const body: unknown = isJson ? JSON.parse(String(call.payload)) : undefined;
  const more = (known[nameOf(route)] ?? knownRaw[nameOf(route)] ?? []).filter((name) => !inPath(route).includes(name));
  const asQuery = isJson ? [] : more;
  return [
    ...inPath(route).map((name) => pathPlace(route, name)),
    ...[...new Set([...query.keys(), ...asQuery])].map(queryPlace),
    ...(isJson ? [...leavesOf(body), ...more.filter((name) => !(name in Object(body))).map((name) => [name])] : []).map(
      bodyPlace,
    ),
    ...Object.keys(call.headers ?? {})
      .filter((name) => /^(upload|tus)-/.test(name))
      .map(headerPlace),
    ...(call.headers?.['upload-metadata'] ? ['filename', 'filetype', 'userId', 'description', 'modified'] : []).map(
      metadataPlace,
    ),
    // Cookies and headers that every request has are read before routing.
    ...(names === 'visualization' && isRead(route)
      ? ['if-none-match', 'user-agent', 'accept-encoding', 'x-forwarded-for'].map(headerPlace)
      : []),
    ...(nameOf(route) === 'GET /api/session' ? ['kc_session', 'kc_device'].map(cookiePlace) : []),
  ];
}

function pathPlace(route: Route, name: string): Place {
  const at = route.path.split('/').indexOf(`{${name}}`);
  return {
    name: `{${name}}`,
    put(call, text) {
      const [path, query] = String(call.url).split('?');
      const parts = path!.split('/').with(at, encodeURIComponent(text));
      return { ...call, url: parts.join('/') + (query ? `?${query}` : '') };
    },
  };
}

const queryPlace = (name: string): Place => ({
  name: `?${name}`,
  put(call, text) {
    const [path, before] = String(call.url).split('?');
    const query = new URLSearchParams(before);
    query.set(name, text);
    return { ...call, url: `${path}?${query}` };
  },
});

/** The paths of every text, number and boolean in a body; for an empty list, the path of its first entry. */
function leavesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries = Array.isArray(value) && value.length === 0 ? [['0', '']] : Object.entries(value);
  return entries.flatMap(([name, inner]) => leavesOf(inner).map((way) => [name!, ...way]));
}

const bodyPlace = (way: readonly string[]): Place => ({
  name: `body ${way.join('.')}`,
  put(call, text) {
    const body = JSON.parse(String(call.payload));
    let at = body;
    for (const name of way.slice(0, -1)) at = at[name];
    at[way.at(-1)!] = text;
    return { ...call, payload: JSON.stringify(body) };
  },
});

/** Characters that a header cannot contain are removed. */
const headerPlace = (name: string): Place => ({
  name,
  put: (call, text) => ({ ...call, headers: { ...call.headers, [name]: text.replace(/[^ -~]/g, "'") } }),
});

const cookiePlace = (name: string): Place => ({
  name,
  put: (call, text) => headerPlace('cookie').put(call, `${name}=${text}`),
});

const metadataPlace = (name: string): Place => ({
  name: `upload-metadata ${name}`,
  put(call, text) {
    const said = String(call.headers!['upload-metadata']).split(',');
    const others = said.filter((pair) => !pair.startsWith(`${name} `));
    const pair = `${name} ${Buffer.from(text).toString('base64')}`;
    return { ...call, headers: { ...call.headers, 'upload-metadata': [...others, pair].join(',') } };
  },
});

/** A caller with an object, and the valid request. The effects of earlier attempts are removed. */
async function begin(route: Route, actor: Actor): Promise<{ stage: Stage; call: InjectOptions }> {
  const stage = await theatre.setUp(route, actor, 'own');
  return { stage, call: await prepare(route, stage) };
}

const cells = routes
  .filter((route) => !expectationOf(route).streams)
  .map((route, index) => ({ route, index, name: nameOf(route) }));
/** Who tries a call that lets them in: what it does with a text is the same for both. */
const tries = ({ route, index }: (typeof cells)[number]): Actor =>
  route.who !== 'admin' && index % 2 === 1 ? 'user A' : 'admin';
/** In a test run each call is tried by one of those who are let in. All others are asked a few calls. */
function cellsFor(actor: Actor) {
  const own = cells.filter((cell) => isLong || tries(cell) === actor);
  return actor === 'admin' ? own : [...new Set([...own, ...sample(cells, 15, people.indexOf(actor))])];
}

test('the texts are effective in statements built from strings', async () => {
  const { db } = theatre.server.database;
  await sql.raw(`select id from accounts where email = '${injections[0]}'`).execute(db);
  expect(await isDrawn()).toBe(true);
  await owner.query('alter sequence injected restart');
  expect(await isDrawn()).toBe(false);
});

describe.each(people)('SEC-22 %s', (actor) => {
  test.each(cellsFor(actor))('$name treats every text as data', async ({ route, index }) => {
    const { stage, call } = await begin(route, actor);
    const places = placesOf(route, call);
    // A caller without access is refused first, so one request with all injections is enough.
    const isOut = refusedAtTheDoor(route.who, stage.asker) !== undefined;
    for (const [nth, place] of (isOut ? [everywhere(places)] : places).entries())
      await tryAll(route, actor, place, isOut, sample(injections, 1, 100 * index + nth));
    expect(await isDrawn()).toBe(false);
  });
});

/** Sends texts in one place. After one that was accepted, the initial state is restored. */
async function tryAll(
  route: Route,
  actor: Actor,
  place: Place,
  isOut: boolean,
  texts: readonly string[],
): Promise<void> {
  const { db } = theatre.server.database;
  const left = [...texts];
  while (left.length > 0) {
    const { call } = await begin(route, actor);
    const before = await digest(db);
    let where = '';
    for (let isTaken = false; !isTaken && left.length > 0; ) {
      const text = left.shift()!;
      const answer = await send(theatre.server, place.put(call, text));
      where = `${place.name}: ${text} → ${answer.statusCode} ${outcomeOf(answer)}`;
      expect(answer.statusCode, where).toBeLessThan(isOut ? 405 : 500);
      expect(answer.statusCode, where).toBeGreaterThanOrEqual(isOut ? 400 : 200);
      isTaken = answer.statusCode < 400 && !isRead(route);
    }
    const changed = changedTables(before, await digest(db));
    // An accepted text may change the tables that any text changes. A refused attempt may change only the counters.
    const may = changed.length > 0 && !isOut ? await changedByPlain(route, actor, place) : [];
    expect(
      changed.filter((table) => !may.includes(table)),
      where,
    ).toEqual([]);
  }
}

const everywhere = (places: readonly Place[]): Place => ({
  name: 'everywhere',
  put: (call, text) => places.reduce((put, place) => place.put(put, text), call),
});

const byPlain = new Map<string, readonly string[]>();

/** The tables that a harmless text in the same place changes, and those that count attempts. */
async function changedByPlain(route: Route, actor: Actor, place: Place): Promise<readonly string[]> {
  const key = `${actor} ${nameOf(route)} ${place.name}`;
  const found = byPlain.get(key);
  if (found) return found;
  const { db } = theatre.server.database;
  const { call } = await begin(route, actor);
  const before = await digest(db);
  await send(theatre.server, place.put(call, plain));
  const changed = ['rate_limits', 'tokens', ...changedTables(before, await digest(db))];
  byPlain.set(key, changed);
  return changed;
}

test('SEC-22 no fault was logged, and no text was executed', async () => {
  expect(theatre.server.logged.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  expect(await isDrawn()).toBe(false);
});
