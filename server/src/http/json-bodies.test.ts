import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectationOf, nameOf, prepare, routes, send } from '../../test/support/routes.ts';
import { openTheatre, type Theatre } from '../../test/support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

/** The body of a sign-up as JSON text, because an object cannot have duplicate members. */
async function signUp(payload: string | Buffer) {
  const answer = await theatre.server.app.inject({
    method: 'POST',
    url: '/api/sign-up',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    payload,
  });
  return [answer.statusCode, answer.json().data];
}
const doubled = { code: 'request/invalid', params: { why: 'doubled-member' } };
const noJson = { code: 'request/invalid', params: { why: 'no-json' } };

describe.each(
  routes.filter(({ method }) => method === 'POST' || method === 'PUT').map((route) => ({ route, name: nameOf(route) })),
)('T1 $name', ({ route }) => {
  test('refuses a body with a duplicate member, whichever value is correct', async () => {
    const stage = await theatre.setUp(route, 'admin', expectationOf(route).names === 'account' ? 'foreign' : 'own');
    const call = await prepare(route, stage);
    if (expectationOf(route).streams || call.headers?.['content-type'] !== 'application/json') return;
    const body = String(call.payload);
    const [first] = Object.entries(JSON.parse(body));
    if (!first) return;
    const again = `${JSON.stringify(first[0])}:${JSON.stringify(first[1])}`;
    for (const payload of [`{${again},${body.slice(1)}`, `${body.slice(0, -1)},${again}}`]) {
      const answer = await send(theatre.server, { ...call, payload });
      expect([answer.statusCode, answer.json().data]).toEqual([400, doubled]);
    }
    // A body refused for its content is not refused for its form.
    const refusal = expectationOf(route).answer;
    const answer = await send(theatre.server, call);
    if (typeof refusal === 'string') expect(answer.json().data.code).toBe(refusal);
    else expect(answer.statusCode).toBeLessThan(400);
  });
});

test.each([
  '{"email":"a@example.org","email":"b@example.org"}',
  '{"email":1,"e\\u006dail":2}',
  '{"proof":{"a":1,"a":1}}',
  '{"proof":[[{"a":{},"b":0,"a":{}}]]}',
  `{"a${'x'.repeat(300)}":1,"a${'x'.repeat(300)}":1}`,
  '{"__proto__":1,"__proto__":1}',
  '{"":1,"":1}',
])('T1 %s has a duplicate member', async (payload) => {
  expect(await signUp(payload)).toEqual([400, doubled]);
});

test.each([
  '{"a":{"b":1},"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"\\"a\\":","b":"a"}',
  '{"email":1,"Email":1,"\\ufeffemail":1}',
])('T1 %s has each member once, and is refused only for its fields', async (payload) => {
  expect(await signUp(payload)).toEqual([422, { code: 'request/invalid' }]);
});

test.each(
  ['{', '{"a":1,}', '{"a":1} x', '\u00a0{}', "{'a':1}", '{"a":01}', `${'['.repeat(40)}${']'.repeat(40)}`].map((text) =>
    Buffer.from(text),
  ),
)('%s is no JSON of a call', async (payload) => {
  expect(await signUp(payload)).toEqual([400, noJson]);
});

test('T44 a body that is not UTF-8 is refused as invalid JSON', async () => {
  expect(await signUp(Buffer.from('{"email":"caf\xe9"}', 'latin1'))).toEqual([400, noJson]);
});
