import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, type ActorKind, actors, oneOfEachKind, standingOf } from '../support/actors.ts';
import { secretName } from '../support/begun-things.ts';
import { changedTables, digest } from '../support/digest.ts';
import { isLong, sample } from '../support/proof.ts';
import {
  answerInside,
  type Expectation,
  expectationOf,
  nameOf,
  outcomeOf,
  prepare,
  type Route,
  refusedAtTheDoor,
  routes,
  type Stage,
  send,
  type Whose,
} from '../support/routes.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

const statuses: Readonly<Record<string, number>> = {
  'session/required': 401,
  'session/not-approved': 403,
  'admin/only': 403,
  'account/own-status': 403,
  'account/own-role': 403,
  'account/own-delete': 403,
  'account/not-found': 404,
  'account/no-such-id': 404,
  'visualization/not-found': 404,
  'visualization/node-not-found': 404,
  'visualization/view-not-found': 404,
  'filter/preset-not-found': 404,
  'score/not-found': 404,
  'request/not-found': 404,
  'draft/not-found': 404,
  'warnings/not-found': 404,
  'draft/not-ready': 409,
  'draft/behind': 409,
  'plan/entry-not-found': 404,
  'plan/no-undo': 409,
  'plan/not-continued': 409,
  'list/off': 403,
  'import/not-active': 409,
  'link/not-found': 404,
  'token/not-found': 404,
  'webhook/not-found': 404,
  'webhook/delivery-not-found': 404,
  'verify/invalid': 422,
  'sign-in/google-off': 403,
};
const isRefusal = (wanted: number | string): boolean => typeof wanted === 'string';

async function meet(route: Route, stage: Stage, wanted: number | string): Promise<void> {
  const call = await prepare(route, stage);
  const streams = expectationOf(route).streams && !isRefusal(wanted);
  const before = isRefusal(wanted) ? await digest(theatre.server.database.db) : {};
  const answer = await send(theatre.server, streams ? { ...call, payloadAsStream: true } : call);
  if (route.method === 'HEAD' || !isRefusal(wanted)) {
    expect(answer.statusCode).toBe(statuses[wanted] ?? wanted);
  } else {
    expect([answer.statusCode, outcomeOf(answer)]).toEqual([statuses[wanted], wanted]);
  }
  if (streams) answer.stream().destroy();
  if (!isRefusal(wanted)) return;
  // A call that passes the guard counts as an attempt and uses up its token, even if there was nothing to do.
  const uses = refusedAtTheDoor(route.who, stage.asker) ? [] : ['rate_limits', 'tokens'];
  const after = await digest(theatre.server.database.db);
  expect(changedTables(before, after).filter((table) => !uses.includes(table))).toEqual([]);
  for (const secret of [secretName, stage.member.email]) expect(answer.body).not.toContain(secret);
}

const casesOf = ({ names }: Expectation): Whose[] => (names ? ['own', 'foreign', 'missing'] : ['own']);
const cellsOf = (route: Route) => casesOf(expectationOf(route)).map((whose) => ({ route, whose, name: nameOf(route) }));
const cells = routes.flatMap(cellsOf);

/**
 * What a caller is asked for: everything in `npm run prove -- access`. In a test run every route is asked by callers of the
 * kinds that may be let in, about each object, and of the kind that is only just refused; a fifth of the routes by those who
 * may do less. Callers who became of their kind in another way are asked a few calls, and each one whose answer depends on
 * them.
 */
function cellsFor(actor: Actor) {
  const number = actors.indexOf(actor);
  if (!oneOfEachKind.includes(actor)) {
    const special = cells.filter(({ route, whose }) => {
      const { answer, refused } = expectationOf(route);
      return whose === 'own' && (typeof answer === 'function' || refused?.own !== undefined);
    });
    return [...new Set([...sample(cells, 4, number), ...special])];
  }
  const kind = standingOf[actor];
  return routes.flatMap((route, index) => {
    if (isFarFrom(route, kind) && !isLong && index % 5 !== number) return [];
    // The object decides about these alone; the others are refused before, or let in as these are.
    const isJudged = kind === (route.who === 'admin' ? 'admin' : 'approved');
    return sample(cellsOf(route), isJudged ? 3 : 1, number * routes.length + index);
  });
}

/** Whether somebody who may do more than a kind of caller is refused as well. */
function isFarFrom({ who }: Route, kind: ActorKind): boolean {
  if (who === 'admin') return kind === 'nobody' || kind === 'unapproved';
  return who === 'approved' && kind === 'nobody';
}

// Shows P18.10.
describe.each(actors)('SEC-02 the caller is %s', (actor) => {
  test.each(cellsFor(actor))('$name for an object that is $whose', async ({ route, whose }) => {
    const stage = await theatre.setUp(route, actor, whose);
    const inside = answerInside(expectationOf(route), stage, whose);
    await meet(route, stage, refusedAtTheDoor(route.who, stage.asker) ?? inside);
  });
});

/** `METHOD /path` of every Fastify route, from the printed form of its route tree. */
function mounted(picture: string): string[] {
  const trail: string[] = [];
  return [...picture.matchAll(/^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/gm)].flatMap(([, indent, part, methods]) => {
    const depth = indent!.length / 4;
    trail.splice(depth, trail.length, part!);
    const path = trail.join('').replace(/:(\w+)/g, '{$1}');
    return (methods ?? '').split(', ').flatMap((method) => (method ? [`${method} ${path}`] : []));
  });
}

test('SEC-01 the server has no unlisted route: the contract behind one wildcard, and the raw routes', () => {
  const names = new Set(routes.map(nameOf));
  const found = mounted(theatre.server.app.printRoutes({ commonPrefix: false }));
  expect(found).toContain('PATCH /api/uploads/{id}');
  // HEAD is allowed wherever GET is.
  const isListed = (name: string) => names.has(name) || names.has(name.replace(/^HEAD/, 'GET'));
  expect(found.filter((name) => !name.endsWith(' *') && !isListed(name))).toEqual([]);
});

test('SEC-01 the server does not respond on unlisted paths', async () => {
  const { cookie } = await theatre.server.person({ role: 'admin' });
  const paths = ['/api', '/api/metrics', '/api/users/x', '/metrics', '/.git/config', '/package.json', '/api/Session'];
  for (const path of paths) expect((await theatre.server.call('GET', path, { cookie })).statusCode, path).toBe(404);
});
