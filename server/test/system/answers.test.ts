import { contract } from '@kc/rules/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Actor, actors, builtInEmails, standingOf } from '../support/actors.ts';
import { sample } from '../support/proof.ts';
import { expectationOf, nameOf, prepare, type Route, routes, send } from '../support/routes.ts';
import { builtInEmail } from '../support/server.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

/** The response schema of each call of the contract, by its name in the table. */
const schemas: Readonly<Record<string, z.core.$ZodType>> = Object.fromEntries(
  Object.values(contract).flatMap((group) =>
    Object.values(group).map(({ '~orpc': { route, outputSchema } }) => [
      nameOf({ method: route.method ?? 'POST', path: `/api${route.path}` }),
      outputSchema as z.core.$ZodType,
    ]),
  ),
);

async function answerTo(route: Route, actor: Actor) {
  const whose = expectationOf(route).names === 'account' ? 'foreign' : 'own';
  const stage = await theatre.setUp(route, actor, whose);
  return send(theatre.server, await prepare(route, stage));
}

/** Secrets of the database as text, in every encoding in which they could appear. */
async function secrets(): Promise<string[]> {
  const { db } = theatre.server.database;
  const [sessions, tokens, credentials, files] = await Promise.all([
    db.selectFrom('sessions').select('token_hash').execute(),
    db.selectFrom('tokens').select('token_hash').execute(),
    db.selectFrom('credentials').select('password_hash').execute(),
    db.selectFrom('visualizations').select(['file_key', 'pack_key']).execute(),
  ]);
  const hashes = [...sessions, ...tokens].map((row) => row.token_hash);
  return [
    ...hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')]),
    ...credentials.map((row) => row.password_hash),
    ...files.flatMap(({ file_key, pack_key }) => [file_key, pack_key]),
    '$argon2',
  ];
}

const called = routes.filter((route) => schemas[nameOf(route)]).map((route) => ({ route, name: nameOf(route) }));

describe.each(called)('T35 $name', ({ route, name }) => {
  test.each(['admin', 'user A'] as const)(
    'responds to %s with the fields of its shape and no secret',
    async (actor) => {
      const answer = await answerTo(route, actor);
      const body: unknown = answer.json();
      if (answer.statusCode < 400) expect(z.parse(schemas[name]!, body)).toEqual(body);
      else expect(Object.keys(body as object).sort()).toEqual(['code', 'data', 'defined', 'message', 'status']);
      for (const secret of await secrets()) expect(answer.body).not.toContain(secret);
    },
  );
});

test('T35 a field outside the shape is detected', () => {
  const list = schemas['GET /api/activity']!;
  const body = { lines: [], password_hash: 'x' };
  expect(z.parse(list, body)).not.toEqual(body);
});

const strangers = actors.filter((actor) => standingOf[actor] === 'nobody');

describe.each(
  routes
    .filter(({ path, method }) => !path.startsWith('/api/claim') && method !== 'HEAD')
    .map((route, index) => ({ route, index, name: nameOf(route) })),
)('S12 $name', ({ route, index }) => {
  // All strangers in `npm run prove -- answers`.
  test.each(sample(strangers, 1, index))('does not reveal a built-in admin to %s', async (actor) => {
    const answer = await answerTo(route, actor);
    for (const email of [builtInEmail, ...Object.values(builtInEmails)]) {
      expect(answer.body + JSON.stringify(answer.headers)).not.toContain(email);
    }
  });
});

test('S12 a stranger who tries a built-in admin’s email learns nothing new', async () => {
  const { server } = theatre;
  const body = { email: builtInEmail, password: 'not-the-password', remember: false };
  expect((await server.call('POST', '/api/session', { body })).json().data).toEqual({ code: 'sign-in/wrong-password' });
  const reset = await server.call('POST', '/api/reset-password/request', { body: { email: builtInEmail } });
  expect(reset.json()).toEqual({ email: builtInEmail });
});
