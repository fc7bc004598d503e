import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../support/proof.ts';
import { type Expectation, expectationOf, nameOf, outcomeOf, prepare, routes, send } from '../support/routes.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

const odd: readonly unknown[] = [
  '',
  'a\0b',
  '\u{d800}',
  '\u202e\u2028\r\n',
  'x'.repeat(10_000),
  "' or '1'='1",
  '../../etc/passwd',
  '{"$ne":null}',
  '9'.repeat(400),
  '-1',
  'NaN',
  null,
  true,
  1e308,
  -1,
  [],
  {},
  ['x'],
];

/** Optional query members in addition to those that the requests of the table have. */
const optional: Readonly<Record<string, readonly string[]>> = {
  'GET /api/activity': ['kind', 'text', 'before'],
  'GET /api/activity.csv': ['kind', 'text'],
  'GET /api/visualizations': ['userId'],
  'GET /api/visualizations/{id}/search': ['limit'],
  'GET /api/visualizations/{id}/slice': ['node', 'budget', 'skip'],
};

const isStreaming = ({ streams }: Expectation): boolean => streams === true;

describe.each(
  routes
    .filter((route) => !isStreaming(expectationOf(route)))
    .map((route, index) => ({ route, index, name: nameOf(route) })),
)('SEC-25 $name', ({ route, index, name }) => {
  test('has no fault for any member of its body or query', async () => {
    const stage = await theatre.setUp(route, 'admin', 'own');
    const call = await prepare(route, stage);
    const [path, search] = String(call.url).split('?');
    const query = Object.fromEntries([...new URLSearchParams(search)]);
    const isJson = call.headers?.['content-type'] === 'application/json';
    const body: Record<string, unknown> = isJson ? JSON.parse(String(call.payload)) : {};
    // Some of the texts for each member; all in `npm run prove -- odd-texts`.
    for (const [nth, member] of Object.keys(body).entries())
      for (const text of sample(odd, 3, 100 * index + nth)) {
        const payload = JSON.stringify({ ...body, [member]: text });
        const answer = await send(theatre.server, { ...call, payload });
        expect(answer.statusCode, `${member}: ${payload.slice(0, 200)} → ${outcomeOf(answer)}`).toBeLessThan(500);
      }
    for (const [nth, member] of [...Object.keys(query), ...(optional[name] ?? [])].entries())
      for (const text of sample(odd, 3, 100 * index + 50 + nth)) {
        const asked = new URLSearchParams({ ...query, [member]: String(text) });
        const answer = await send(theatre.server, { ...call, url: `${path}?${asked}` });
        expect(answer.statusCode, `${asked}`.slice(0, 200)).toBeLessThan(500);
      }
  });

  test('rejects a body that is not an object', async () => {
    if (!['POST', 'PUT'].includes(route.method) || name === 'POST /api/uploads') return;
    const stage = await theatre.setUp(route, 'admin', 'own');
    const call = await prepare(route, stage);
    if (call.payload === undefined) return;
    for (const payload of ['[]', 'null', '"x"', '1', 'true', '{', '', '[[]]', '{"a":}', '\u0000']) {
      const answer = await send(theatre.server, { ...call, payload });
      expect(answer.statusCode, payload).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, payload).toBeLessThan(500);
    }
  });
});

test('SEC-25 no fault was logged', () => {
  expect(theatre.server.logged.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
});
