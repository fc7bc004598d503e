import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedTables, digest } from '../support/digest.ts';
import { sample } from '../support/proof.ts';
import {
  expectationOf,
  fromThisSite,
  nameOf,
  outcomeOf,
  prepare,
  type Route,
  routes,
  send,
} from '../support/routes.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

const isSafe = ({ method }: Route): boolean => method === 'GET' || method === 'HEAD';
const named = (chosen: readonly Route[]) => chosen.map((route, index) => ({ route, index, name: nameOf(route) }));

/** The headers that a browser adds to a request from a page of another site. */
const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no origin, cross-site': { 'sec-fetch-site': 'cross-site' },
  'another origin': { origin: 'https://evil.example' },
  'another origin that calls itself this site': { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  'origin null': { origin: 'null' },
  'another site under this origin': { ...fromThisSite, 'sec-fetch-site': 'cross-site' },
  'a sibling of this site': { ...fromThisSite, 'sec-fetch-site': 'same-site' },
  'an address typed or a bookmark': { 'sec-fetch-site': 'none' },
  'another port': { origin: 'http://localhost:9' },
  'another scheme': { origin: 'https://localhost:3000' },
  'JSON as text': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  'a form': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    'content-type': 'application/x-www-form-urlencoded',
  },
};

/** Body types that a form of any site can send. Very old browsers send them without a header about their origin. */
const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

const unsafe = named(routes.filter((route) => !isSafe(route)));

// Every route with every attack and every form in `npm run prove -- cross-site`; in a test run with one attack, and some of
// them with a form.
const withForms = new Set(sample(unsafe, 20));
describe.each(unsafe)('SEC-09 $name', ({ route, index }) => {
  test.each(sample(Object.keys(attacks), 1, index))('%s is refused and changes nothing', async (attack) => {
    const stage = await theatre.setUp(route, 'admin', 'own');
    const call = await prepare(route, stage);
    const before = await digest(theatre.server.database.db);
    const answer = await send(theatre.server, call, attacks[attack]);
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([403, 'request/cross-site']);
    expect(changedTables(before, await digest(theatre.server.database.db))).toEqual([]);
  });

  test.each(withForms.has(unsafe[index]!) ? sample(forms, 1, index) : [])(
    '%s is rejected as a body, and changes nothing',
    async (type) => {
      const stage = await theatre.setUp(route, 'admin', 'own');
      const { cookie } = stage.asker;
      const { method, url, payload = 'a=b' } = await prepare(route, stage);
      const before = await digest(theatre.server.database.db);
      // A form cannot set headers.
      const headers = { 'content-type': type, cookie: cookie! };
      const answer = await theatre.server.app.inject({
        method: method!,
        url: url!,
        payload: payload as string,
        headers,
      });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(changedTables(before, await digest(theatre.server.database.db))).toEqual([]);
    },
  );
});

describe('SEC-09 a page of this site is allowed, under both names of the loopback', () => {
  test.each(sample(unsafe, 10))('$name', async ({ route }) => {
    const { names, answer } = expectationOf(route);
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000']) {
      const stage = await theatre.setUp(route, 'admin', names === 'account' ? 'foreign' : 'own');
      const headers = { origin, 'sec-fetch-site': 'same-origin' };
      const given = await send(theatre.server, await prepare(route, stage), headers);
      expect(outcomeOf(given)).toBe(typeof answer === 'function' ? answer(stage.asker) : answer);
    }
  });
});

const read = routes.filter((route) => isSafe(route));
const asHead = read.filter(({ method }) => method === 'GET').map((route) => ({ ...route, asHead: true }));
const reads = [...read, ...sample(asHead, 10)];

describe('SEC-09 GET requests change nothing', () => {
  test.each(reads.map((route) => ({ route, name: `${'asHead' in route ? 'HEAD of ' : ''}${nameOf(route)}` })))(
    '$name',
    async ({ route }) => {
      const { streams, writes = [] } = expectationOf(route);
      const stage = await theatre.setUp(route, 'admin', 'own');
      const call = await prepare(route, stage);
      const asked = 'asHead' in route ? ({ ...call, method: 'HEAD' } as const) : call;
      const before = await digest(theatre.server.database.db);
      const answer = await send(theatre.server, streams ? { ...asked, payloadAsStream: true } : asked);
      if (streams) answer.stream().destroy();
      expect(answer.statusCode).toBeLessThan(500);
      expect(
        changedTables(before, await digest(theatre.server.database.db)).filter((table) => !writes.includes(table)),
      ).toEqual([]);
    },
  );
});

test('a link from another site works', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
  const answer = await theatre.server.app.inject({ method: 'GET', url: '/api/session', headers });
  expect(answer.statusCode).toBe(200);
});
