import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actors, oneOfEachKind, standingOf } from '../support/actors.ts';
import { secretName } from '../support/begun-things.ts';
import { changedTables, digest } from '../support/digest.ts';
import { isLong, sample } from '../support/proof.ts';
import {
  expectationOf,
  fromThisSite,
  nameOf,
  outcomeOf,
  prepare,
  type Route,
  refusedAtTheDoor,
  routes,
  type Stage,
  send,
} from '../support/routes.ts';
import { builtInEmail } from '../support/server.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

/** Spellings that identify nothing, though some look like the ID of an existing object. */
const spellings: Readonly<Record<string, (id: string) => string>> = {
  'in capitals': (id) => id.toUpperCase().replace(/^[\d-]*$/, 'A'),
  'in braces': (id) => `{${id}}`,
  'encoded twice': (id) => [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  'with blanks': (id) => ` ${id} `,
  'after a way up': (id) => `../${id}`,
  'a way up and down': (id) => `x/../${id}`,
  'with a NUL': (id) => `${id}\0`,
  'in 200 letters': (id) => id.padEnd(200, 'x'),
  'in ten thousand letters': (id) => id.padEnd(10_000, 'x'),
  'of another kind of thing': () => '12',
  'with a quote': (id) => `${id}' or '1'='1`,
  'not ASCII': (id) => `${id}é`,
  'half a letter': (id) => `${id}%ED%A0%80`,
};

const objectRoutes = routes
  .filter((route) => expectationOf(route).names !== undefined)
  .map((route, index) => ({ route, name: nameOf(route), index }));
const signedIn = oneOfEachKind.filter((actor) => ['approved', 'admin'].includes(standingOf[actor]));
const elsewhere = actors.filter((actor) => !signedIn.includes(actor));

/** Refusals of a text that is no ID. */
const nobody = new Set([
  'request/not-found',
  'request/invalid',
  'visualization/not-found',
  'visualization/view-not-found',
  'filter/preset-not-found',
  'score/not-found',
  'draft/not-found',
  'link/not-found',
  'token/not-found',
  'webhook/not-found',
  'account/not-found',
]);

describe.each(objectRoutes)('T33 T47 $name with an invalid ID', ({ route, index }) => {
  // Everybody, with every spelling, in `npm run prove -- access`; in a test run one who is let in and one of the others.
  const inside = route.who === 'admin' ? (['admin'] as const) : sample(signedIn, 1, index);
  const askers = isLong ? actors : [...inside, ...sample(elsewhere, 1, index)];
  test.each(askers)('%s', async (actor) => {
    const stage = await theatre.setUp(route, actor, 'own');
    const { db } = theatre.server.database;
    const before = await digest(db);
    const door = refusedAtTheDoor(route.who, stage.asker);
    for (const [how, spell] of sample(Object.entries(spellings), 3, index)) {
      const call = await prepare(route, { ...stage, thing: spell(stage.thing) });
      const answer = await send(theatre.server, call);
      const outcome = outcomeOf(answer);
      expect(answer.statusCode, how).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, how).toBeLessThan(500);
      // A path that is too long for any route exists for nobody. All others are refused by the guard first.
      const isNobodys = outcome === 'request/not-found' || answer.statusCode === 415;
      if (route.method !== 'HEAD' && !isNobodys) {
        if (door) expect(outcome, how).toBe(door);
        else expect(nobody.has(String(outcome)) || outcome === 'account/no-such-id', `${how}: ${outcome}`).toBe(true);
      }
      for (const secret of [secretName, stage.member.email]) expect(answer.body, how).not.toContain(secret);
    }
    // The calls themselves need ID tokens, which were created for them.
    const changed = changedTables(before, await digest(db));
    expect(changed.filter((table) => !['tokens', 'rate_limits'].includes(table))).toEqual([]);
  });
});

const route = (name: string): Route => routes.find((candidate) => nameOf(candidate) === name)!;

/** The actions of admins on accounts, with the refusals for their own account and for built-in admins. */
const selfProtection = [
  ['PUT /api/users/{id}/status', 'account/own-status', 'account/primary-admin'],
  ['PUT /api/users/{id}/role', 'account/own-role', 'account/primary-admin-role'],
  ['POST /api/users/{id}/delete-records', 'account/own-delete', 'account/primary-admin-delete'],
  ['POST /api/forceDeleteUser', 'account/own-delete', 'account/primary-admin-delete'],
] as const;

/** The stage with the built-in admin's account as the object, which is not the caller's own. */
async function withBuiltIn(stage: Stage, provenAt: Date | null): Promise<Stage> {
  const { db } = theatre.server.database;
  const at = new Date(theatre.server.clock);
  const row = { id: 'the-built-in', email: builtInEmail, created_at: at, updated_at: at };
  await db
    .insertInto('accounts')
    .values({ ...row, email_proven_at: provenAt })
    .execute();
  return { ...stage, thing: row.id };
}

/** The same call with a body that removes the object's role or status. */
async function takingAway(name: string, stage: Stage) {
  const call = await prepare(route(name), stage);
  if (!name.endsWith('/role')) return call;
  return { ...call, payload: JSON.stringify({ role: 'user' }) };
}

describe.each(selfProtection)('%s', (name, own, builtIn) => {
  test.each(['admin', 'built-in admin'] as const)('T29 is refused to %s about themselves', async (actor) => {
    const stage = await theatre.setUp(route(name), actor, 'own');
    const before = await digest(theatre.server.database.db);
    const answer = await send(theatre.server, await takingAway(name, stage));
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([403, own]);
    const changed = changedTables(before, await digest(theatre.server.database.db));
    expect(changed.filter((table) => !['tokens', 'rate_limits'].includes(table))).toEqual([]);
  });

  test('T29 is refused about oneself, even with every letter of the ID encoded', async () => {
    const stage = await theatre.setUp(route(name), 'admin', 'own');
    const call = await takingAway(name, stage);
    const encoded = [...stage.thing].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const answer = await send(theatre.server, { ...call, url: String(call.url).replace(stage.thing, encoded) });
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([403, own]);
  });

  test.each([
    ['several ids', (id: string, other: string) => ({ userId: [other, id], id: [other, id] })],
    ['an object', (id: string) => ({ userId: { id }, id: { id } })],
    ['one id after another', (id: string, other: string) => ({ userIds: [other, id], ids: [other, id] })],
  ])('T29 rejects %s in its body', async (_what, bodyOf) => {
    const stage = await theatre.setUp(route(name), 'admin', 'own');
    const { db } = theatre.server.database;
    const call = await takingAway(name, stage);
    const body = { ...JSON.parse(String(call.payload)), ...bodyOf(stage.asker.account.id, stage.member.id) };
    const before = await digest(db);
    const answer = await send(theatre.server, {
      ...call,
      url: String(call.url).replace(stage.thing, stage.member.id),
      payload: JSON.stringify(body),
    });
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([422, 'request/invalid']);
    expect(changedTables(before, await digest(db))).toEqual([]);
  });

  test.each([
    ['proven', true],
    ['not proven yet', false],
  ])('T30 is refused about a built-in admin who is %s', async (_what, proven) => {
    const at = proven ? new Date(theatre.server.clock) : null;
    const stage = await withBuiltIn(await theatre.setUp(route(name), 'admin', 'foreign'), at);
    const answer = await send(theatre.server, await takingAway(name, stage));
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([403, builtIn]);
  });
});

test.each(actors.filter((actor) => standingOf[actor] !== 'admin'))(
  'T47 %s lists nobody else’s visualizations',
  async (actor) => {
    const stage = await theatre.setUp(route('GET /api/visualizations/{id}'), actor, 'foreign');
    const answer = await send(theatre.server, {
      method: 'GET',
      url: `/api/visualizations?userId=${stage.member.id}`,
      headers: { cookie: stage.asker.cookie ?? '' },
    });
    const door = refusedAtTheDoor('approved', stage.asker);
    expect(outcomeOf(answer)).toBe(door ?? 'admin/only');
    expect(answer.body).not.toContain(secretName);
  },
);

// Shows P18.11.
test('T28 each admin call refuses other users with the specified text', async () => {
  const stage = await theatre.setUp(route('POST /api/forceDeleteUser'), 'user A', 'foreign');
  const answer = await send(theatre.server, await prepare(route('POST /api/forceDeleteUser'), stage), fromThisSite);
  expect(answer.json().error).toBe('Unauthorized: Only admins can perform this action');
});

test('T30 no mail and no admin can set a built-in admin’s password', async () => {
  const stage = await withBuiltIn(await theatre.setUp(route('POST /api/users'), 'admin', 'own'), null);
  const call = await prepare(route('POST /api/users'), stage);
  const body = { email: builtInEmail, password: 'tulip-Harbor-9', role: 'admin' };
  const answer = await send(theatre.server, { ...call, payload: JSON.stringify(body) });
  expect([answer.statusCode, outcomeOf(answer)]).toEqual([409, 'create-user/in-use']);
  expect(
    await theatre.server.database.db
      .selectFrom('credentials')
      .selectAll()
      .where('account_id', '=', stage.thing)
      .execute(),
  ).toEqual([]);
});
