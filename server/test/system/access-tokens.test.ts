import { tokenScopes } from '@kc/rules/access-token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveToken } from '../support/access-token-expectations.ts';
import { type Actor, standingOf } from '../support/actors.ts';
import { secretName } from '../support/begun-things.ts';
import { changedTables, digest } from '../support/digest.ts';
import { sample } from '../support/proof.ts';
import {
  answerInside,
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

/** What a token is when it is shown. */
const kinds = ['every scope', 'one scope', 'other scopes', 'another visualization', 'revoked', 'expired'] as const;
type Kind = (typeof kinds)[number];

/** These two answer without looking who asks. */
const answers = ({ path }: Route): boolean => path !== '/healthz' && path !== '/readyz';

const owners: readonly Actor[] = ['user A', 'admin', 'pending', 'denied', 'denied admin', 'demoted admin'];
const cells = owners.flatMap((owner, at) => {
  const all = routes.flatMap((route) =>
    kinds.flatMap((kind) =>
      (expectationOf(route).names ? (['own', 'foreign', 'missing'] as const) : (['own'] as const)).map((whose) => ({
        ...{ owner, route, kind, whose },
        name: `${nameOf(route)}, ${whose}, ${kind}`,
      })),
    ),
  );
  return sample(all, at < 2 ? 150 : 40, at);
});

/** The answer to a token of this kind, whatever its owner may do; undefined if it is that to a session. */
function refusedForToken(route: Route, kind: Kind): string | undefined {
  if (kind === 'revoked' || kind === 'expired') return 'token/invalid';
  if (route.who === 'link') return 'session/required';
  if (route.scope === undefined) return 'token/never';
  if (kind === 'other scopes') return 'token/scope';
  if (kind !== 'another visualization') return undefined;
  const isOpen = ['/api/session', '/api/visualizations', '/mcp'].includes(route.path);
  return isOpen || route.path.startsWith('/api/visualizations/{id}') ? undefined : 'token/one-visualization';
}

function wantedOf(route: Route, kind: Kind, stage: Stage, whose: Whose): number | string {
  const refused = refusedForToken(route, kind) ?? refusedAtTheDoor(route.who, stage.asker);
  if (refused !== undefined) return refused;
  const isNamed = route.path.startsWith('/api/visualizations/{id}');
  if (kind === 'another visualization' && isNamed) return 'visualization/not-found';
  return answerInside(expectationOf(route), stage, whose);
}

/** The token of the kind, and an upload that it may be limited to. */
async function tokenFor(route: Route, kind: Kind, { server, asker, thing }: Stage): Promise<string> {
  const scopes = kind === 'one scope' ? tokenScopes.filter((scope) => scope === route.scope) : tokenScopes;
  const given = {
    scopes: kind === 'other scopes' ? tokenScopes.filter((scope) => scope !== route.scope) : scopes,
    revoked: kind === 'revoked',
    lifeMs: kind === 'expired' ? 0 : 60_000,
  };
  const { token, id } = await giveToken(server, asker.account.id, given);
  if (kind !== 'another visualization') return token;
  const { db } = server.database;
  const other = await db.selectFrom('visualizations').select('id').where('id', '<>', thing).executeTakeFirstOrThrow();
  await db.updateTable('access_tokens').set({ visualization_id: other.id }).where('id', '=', id).execute();
  return token;
}

// Shows P27.2.
describe.each(owners)('the owner of the token is %s', (owner) => {
  test.each(cells.filter((cell) => cell.owner === owner && answers(cell.route)))(
    'SEC-57 $name',
    async ({ route, kind, whose }) => {
      const stage = await theatre.setUp(route, owner, whose);
      const token = await tokenFor(route, kind, stage);
      const wanted = wantedOf(route, kind, stage, whose);
      const call = await prepare(route, stage);
      // Without the token, this cookie would do.
      const headers = { ...call.headers, authorization: `Bearer ${token}` };
      const before = typeof wanted === 'string' ? await digest(theatre.server.database.db) : {};
      const answer = await send(theatre.server, { ...call, headers }, {});
      if (route.method === 'HEAD') expect(answer.statusCode < 400).toBe(typeof wanted !== 'string');
      else expect([outcomeOf(answer), answer.body]).toEqual([wanted, expect.anything()]);
      if (typeof wanted !== 'string') return;
      const used = ['rate_limits', 'tokens', 'access_tokens', 'audit_log'];
      const after = await digest(theatre.server.database.db);
      expect(changedTables(before, after).filter((table) => !used.includes(table))).toEqual([]);
      for (const secret of [secretName, stage.member.email, token]) expect(answer.body).not.toContain(secret);
    },
  );
});

test('owners of every standing are asked', () => {
  expect(new Set(owners.map((owner) => standingOf[owner]))).toEqual(new Set(['approved', 'admin', 'unapproved']));
});
