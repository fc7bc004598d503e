// Shows SEC-45.
import type { LinkNeed } from '@kc/rules/link';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretName } from '../support/begun-things.ts';
import { changedTables, digest } from '../support/digest.ts';
import { sample } from '../support/proof.ts';
import { expectationOf, nameOf, outcomeOf, prepare, type Route, routes, type Stage, send } from '../support/routes.ts';
import { type GivenLink, giveLink, giveLinkOfAny } from '../support/share-links.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

type Visit = {
  /** Cookies of the browser. */
  readonly cookie: string | undefined;
  /** The link in the path; that of {@link cookie} without it. */
  readonly link: string;
};

/** What a visitor of a link is refused with whatever the call needs; without it, `has` decides. */
type Standing = {
  readonly refused?: string;
  readonly has?: readonly LinkNeed[];
  come(stage: Stage, visualizationId: string): Promise<Visit>;
};

const both = { withPlan: true, withDownloads: true } as const;
const client = ['explore'] as const;
const colleague = ['explore', 'warnings'] as const;

/** The visitor of a client link with these properties. */
const withLink =
  (given: Partial<Parameters<typeof giveLink>[1]> = {}, then?: (stage: Stage, link: GivenLink) => Promise<unknown>) =>
  async (stage: Stage, visualizationId: string): Promise<Visit> => {
    const made = await giveLink(stage.server, { visualizationId, makerId: stage.asker.account.id, ...given });
    await then?.(stage, made);
    return { cookie: made.cookie, link: made.id };
  };

/** The same for a link to a colleague, who is signed in unless `as` says otherwise. */
const named =
  (
    given: Partial<Parameters<typeof giveLink>[1]> = {},
    as: 'themselves' | 'signed out' | 'another' | 'pending' | 'denied' | 'ended session' = 'themselves',
    then?: (stage: Stage, link: GivenLink) => Promise<unknown>,
  ) =>
  async (stage: Stage, visualizationId: string): Promise<Visit> => {
    const { server } = stage;
    const status = as === 'pending' || as === 'denied' ? as : 'approved';
    const person = await server.person({ status });
    const makerId = stage.asker.account.id;
    const sharedWith = person.email;
    const made = await giveLink(server, { visualizationId, makerId, kind: 'colleague', sharedWith, ...given });
    if (as === 'ended session') await server.call('DELETE', '/api/session', { cookie: person.cookie });
    await then?.(stage, made);
    const session = as === 'another' ? (await server.person({ role: 'admin' })).cookie : person.cookie;
    return { cookie: as === 'signed out' ? made.cookie : `${made.cookie}; ${session}`, link: made.id };
  };

const revoke = async ({ server, asker }: Stage, { id }: GivenLink) =>
  server.call('DELETE', `/api/links/${id}`, { cookie: asker.cookie });
const setMaker =
  (values: { status: 'denied' | 'pending' }) =>
  ({ server, asker }: Stage) =>
    server.database.db.updateTable('accounts').set(values).where('id', '=', asker.account.id).execute();
const switchOff = ({ server }: Stage) =>
  server.database.db.updateTable('settings').set({ client_links: false }).execute();
/** After this, the maker is no longer the owner, and no administrator. */
const giveAway = ({ server, member }: Stage) =>
  server.database.db.updateTable('visualizations').set({ user_id: member.id }).execute();
const expireCookie = ({ server }: Stage) =>
  server.database.db
    .updateTable('share_sessions')
    .set({ expires_at: new Date(server.clock) })
    .execute();

const visitors: Readonly<Record<string, Standing>> = {
  'nobody, without the cookie': {
    refused: 'session/required',
    come: async (stage, id) => ({ ...(await withLink(both)(stage, id)), cookie: undefined }),
  },
  'the owner, without the cookie': {
    refused: 'session/required',
    come: async (stage, id) => ({ ...(await withLink(both)(stage, id)), cookie: stage.asker.cookie }),
  },
  'a client': { has: client, come: withLink() },
  'a client with the plan': { has: [...client, 'plan'], come: withLink({ withPlan: true }) },
  'a client of a link that says they may edit the plan': {
    has: [...client, 'plan'],
    come: withLink({ withPlan: true, mayEditPlan: true }),
  },
  'a client with downloads': { has: [...client, 'downloads'], come: withLink({ withDownloads: true }) },
  'a client with both': { has: [...client, 'plan', 'downloads'], come: withLink(both) },
  'a client who is signed in as an administrator': {
    has: client,
    async come(stage, id) {
      const visit = await withLink()(stage, id);
      return { ...visit, cookie: `${visit.cookie}; ${(await stage.server.person({ role: 'admin' })).cookie}` };
    },
  },
  'a client of an expired link': { refused: 'link/ended', come: withLink({ ...both, lifeMs: 0 }) },
  'a client of a revoked link': { refused: 'link/ended', come: withLink(both, revoke) },
  'a client whose cookie is over': { refused: 'link/reopen', come: withLink(both, expireCookie) },
  'a client while client links are off': { refused: 'link/resting', come: withLink(both, switchOff) },
  'a client of a maker who is denied': {
    refused: 'link/resting',
    come: withLink(both, setMaker({ status: 'denied' })),
  },
  'a client of a maker who may not see it any more': { refused: 'link/resting', come: withLink(both, giveAway) },
  'a client with a forged cookie': {
    refused: 'link/ended',
    async come(stage, id) {
      const { cookie, link } = await withLink(both)(stage, id);
      return { link, cookie: `${cookie!.split('=')[0]}=${'A'.repeat(43)}` };
    },
  },
  'a client with the cookie of another link under the name of this one': {
    refused: 'link/ended',
    async come(stage, id) {
      const [mine, other] = [await withLink(both)(stage, id), await withLink(both)(stage, id)];
      return { link: mine.link, cookie: `${mine.cookie!.split('=')[0]}=${other.cookie!.split('=')[1]}` };
    },
  },
  'a client with the cookie of another link': {
    refused: 'session/required',
    async come(stage, id) {
      const [mine, other] = [await withLink(both)(stage, id), await withLink(both)(stage, id)];
      return { link: mine.link, cookie: other.cookie };
    },
  },
  'a named colleague': { has: colleague, come: named() },
  'a named colleague with the plan': { has: [...colleague, 'plan'], come: named({ withPlan: true }) },
  'a named colleague who may edit the plan': {
    has: [...colleague, 'plan', 'edit-plan'],
    come: named({ withPlan: true, mayEditPlan: true }),
  },
  'a named colleague who may edit a plan that the link leaves out': {
    has: colleague,
    come: named({ mayEditPlan: true }),
  },
  'a named colleague with downloads': { has: [...colleague, 'downloads'], come: named({ withDownloads: true }) },
  'a named colleague while client links are off': { has: colleague, come: named({}, 'themselves', switchOff) },
  'a named colleague who is signed out': { refused: 'link/sign-in', come: named(both, 'signed out') },
  'a named colleague whose session has ended': { refused: 'link/sign-in', come: named(both, 'ended session') },
  'a named colleague who waits for approval': { refused: 'link/other-account', come: named(both, 'pending') },
  'a named colleague who is denied': { refused: 'link/other-account', come: named(both, 'denied') },
  'an administrator with the link of a colleague': { refused: 'link/other-account', come: named(both, 'another') },
  'a named colleague of an expired link': { refused: 'link/ended', come: named({ ...both, lifeMs: 0 }) },
  'a named colleague of a revoked link': { refused: 'link/ended', come: named(both, 'themselves', revoke) },
  'a colleague who may edit the plan, of a revoked link': {
    refused: 'link/ended',
    come: named({ ...both, mayEditPlan: true }, 'themselves', revoke),
  },
  'a colleague who may edit the plan, denied meanwhile': {
    refused: 'link/other-account',
    come: named({ ...both, mayEditPlan: true }, 'denied'),
  },
  'a named colleague of a maker who is denied': {
    refused: 'link/resting',
    come: named(both, 'themselves', setMaker({ status: 'denied' })),
  },
};

const statuses: Readonly<Record<string, number>> = {
  'session/required': 401,
  'link/sign-in': 401,
  'link/reopen': 401,
  'link/ended': 404,
  'link/resting': 403,
  'link/other-account': 403,
  'request/not-found': 404,
  'visualization/node-not-found': 404,
  'plan/entry-not-found': 404,
};

const ofLinks = routes.filter(({ who }) => who === 'link').map((route) => ({ route, name: nameOf(route) }));
const ofAccounts = routes
  .filter(({ who }) => who !== 'link' && who !== 'anyone')
  .map((route) => ({ route, name: nameOf(route) }));

async function arrive(route: Route, { come }: Standing): Promise<{ readonly stage: Stage; readonly visit: Visit }> {
  const stage = await theatre.setUp(route, 'user A', 'own');
  // The last of the visualizations that the stage holds: the one that its user owns.
  const owned = await theatre.server.database.db
    .selectFrom('visualizations')
    .select('id')
    .where('user_id', '=', stage.asker.account.id)
    .executeTakeFirst();
  return { stage, visit: await come(stage, owned?.id ?? '') };
}

/**
 * Asked for every call: between them, they are let in and refused everywhere. The others for a few, unless it is
 * `npm run prove -- access`.
 */
const everywhere = [
  'a named colleague who may edit the plan',
  'nobody, without the cookie',
  'a client',
  'a client with the plan',
  'a client with downloads',
];

// Shows P25.3.
describe.each(Object.entries(visitors))('SEC-02 the visitor is %s', (name, standing) => {
  const few = everywhere.includes(name) ? ofLinks.length : 3;
  test.each(sample(ofLinks, few, Object.keys(visitors).indexOf(name)))('$name', async ({ route }) => {
    const { stage, visit } = await arrive(route, standing);
    const { visits, streams } = expectationOf(route);
    const isIncluded = standing.has?.includes(visits!.needs);
    const wanted = standing.refused ?? (isIncluded ? visits!.answer : 'request/not-found');
    const asker = { ...stage.asker, cookie: visit.cookie };
    const call = await prepare(route, { ...stage, asker, thing: visit.link });
    const before = await digest(theatre.server.database.db);
    const answer = await send(theatre.server, wanted === 200 && streams ? { ...call, payloadAsStream: true } : call);
    if (wanted === 200 && streams) answer.stream().destroy();
    if (wanted === 200) expect(answer.statusCode).toBe(200);
    else expect([answer.statusCode, outcomeOf(answer)]).toEqual([statuses[wanted], wanted]);
    for (const [header, value] of Object.entries(unlisted)) expect(answer.headers[header], header).toBe(value);
    if (wanted === 200) return;
    const changed = changedTables(before, await digest(theatre.server.database.db));
    expect(changed.filter((table) => table !== 'rate_limits')).toEqual([]);
    for (const secret of [secretName, stage.member.email, stage.asker.account.email]) {
      expect(answer.body).not.toContain(secret);
    }
  });
});

const unlisted = {
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

// Shows P25.2.
describe('SEC-02 the cookie of a link is no session', () => {
  test.each(sample(ofAccounts, 20))('$name', async ({ route }) => {
    const stage = await theatre.setUp(route, 'user A', 'own');
    const { cookie, id } = await giveLinkOfAny(theatre.server);
    // As the ID of the object too: it stands for the visualization in the calls of visitors alone.
    for (const thing of [stage.thing, id]) {
      // Some requests begin with a token of their own.
      await theatre.server.database.db.deleteFrom('tokens').execute();
      const call = await prepare(route, { ...stage, thing, asker: { ...stage.asker, cookie } });
      const before = await digest(theatre.server.database.db);
      const answer = await send(theatre.server, call);
      expect(answer.statusCode).toBe(401);
      if (route.method !== 'HEAD') expect(outcomeOf(answer)).toBe('session/required');
      expect(changedTables(before, await digest(theatre.server.database.db))).toEqual([]);
    }
  });
});
