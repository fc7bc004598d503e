import type { CheckChallenge } from '@kc/rules/shapes';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cheapHash, cheapPasswords } from '../../test/support/passwords.ts';
import { proof, report } from '../../test/support/proof.ts';
import { cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { savePassword } from './queries.ts';
import { issueToken } from './tokens.ts';

const forever = 2 ** 31 - 1;
const password = 'violet-Quarry-77-lamp';
/** Two servers on one database, which get requests at the same moment. */
let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  one = await testServer();
  two = await testServer({}, {}, undefined, one);
});
afterAll(async () => {
  await two.close();
  await one.close();
});
beforeEach(async () => {
  await one.database.db.deleteFrom('rate_limits').execute();
});

type Someone = Awaited<ReturnType<TestServer['person']>>;
type Act = (server: TestServer, actor: Someone, target: Someone) => Promise<{ statusCode: number }>;

const put = (server: TestServer, actor: Someone, id: string, what: 'status' | 'role', value: string) =>
  server.call('PUT', `/api/users/${id}/${what}`, { body: { [what]: value }, cookie: actor.cookie });

/** An admin with an ID token for a deletion. */
async function armed(server: TestServer): Promise<Someone & { idToken: string }> {
  const admin = await server.person({ role: 'admin' });
  await savePassword(server.database.db, admin.id, cheapHash(password), server.clock);
  const stepped = await server.call('POST', '/api/session/step-up', { body: { password }, cookie: admin.cookie });
  const cookie = cookieOf(stepped);
  const minted = await server.call('POST', '/api/session/id-token', {
    body: { stepUp: stepped.json().stepUp },
    cookie,
  });
  return { ...admin, cookie, idToken: minted.json().idToken };
}

const acts: readonly Act[] = [
  (server, actor, { id }) => put(server, actor, id, 'role', 'user'),
  (server, actor, { id }) => put(server, actor, id, 'status', 'denied'),
  (server, actor, { id }) => {
    const body = { userId: id, idToken: (actor as Someone & { idToken: string }).idToken };
    return server.call('POST', '/api/forceDeleteUser', { body, cookie: actor.cookie });
  },
];

async function usableAdmins(): Promise<number> {
  const rows = await one.database.db
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'approved')
    .execute();
  return rows.length;
}

// Shows P18.13.
test(
  'T31 REL-18 if two admins demote, deny or delete each other at the same time at two servers, one remains',
  async () => {
    const { runs } = proof(12);
    for (let round = 0; round < runs; round++) {
      await one.database.db.deleteFrom('accounts').execute();
      await one.database.db.deleteFrom('rate_limits').execute();
      const [ann, ben] = [await armed(one), await armed(two)];
      const [first, second] = [acts[round % 3]!, acts[Math.floor(round / 3) % 3]!];
      const answers = await Promise.all([first(one, ann, ben), second(two, ben, ann)]);
      const statuses = answers.map((answer) => answer.statusCode).sort();
      expect(await usableAdmins(), `round ${round}: ${statuses}`).toBe(1);
      expect(statuses[0]).toBe(200);
      expect([401, 403]).toContain(statuses[1]);
      if (round % 50 === 49) report(`${round + 1} of ${runs} pairs of admins`);
    }
  },
  forever,
);

test('SEC-04 an admin who is demoted while promoting another user does so before that, or not at all', async () => {
  for (let round = 0; round < 20; round++) {
    const [ann, ben] = [await one.person({ role: 'admin' }), await two.person({ role: 'admin' })];
    const body = { email: `made-${round}@example.org`, password, role: 'admin' };
    const [made] = await Promise.all([
      two.call('POST', '/api/users', { body, cookie: ben.cookie }),
      put(one, ann, ben.id, 'role', 'user'),
    ]);
    const lines = await one.database.db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'target'])
      .where((e) => e.or([e('actor', '=', ben.id), e('target', '=', ben.id)]))
      .where('action', 'in', ['create', 'role'])
      .orderBy('id')
      .execute();
    const order = lines.map(({ action }) => action);
    expect(order).toEqual(made.statusCode === 200 ? ['create', 'role'] : ['role']);
  }
});

test('T32 two admins who set a status at the same time are both in the log, in the order of their effect', async () => {
  for (let round = 0; round < 20; round++) {
    const [ann, ben] = [await one.person({ role: 'admin' }), await two.person({ role: 'admin' })];
    const person = await one.person({ status: 'pending' });
    const answers = await Promise.all([
      put(one, ann, person.id, 'status', 'approved'),
      put(two, ben, person.id, 'status', 'denied'),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const lines = await one.database.db
      .selectFrom('audit_log')
      .select(['actor', 'details'])
      .where('target', '=', person.id)
      .where('action', '=', 'status')
      .orderBy('id')
      .execute();
    const steps = lines.map(({ details }) => details as { from: string; to: string });
    expect(new Set(lines.map(({ actor }) => actor))).toEqual(new Set([ann.id, ben.id]));
    expect(steps.map(({ from }) => from)).toEqual(['pending', steps[0]!.to]);
    for (const server of [one, two]) {
      const session = (await server.call('GET', '/api/session', { cookie: person.cookie })).json();
      expect(session.status).toBe(steps[1]!.to);
    }
  }
});

// Shows P18.1.
test('T3 of fifty simultaneous sign-ups of one email at two servers, one creates the account', async () => {
  const body = { email: 'wanted@example.org', password, displayName: 'Jo' };
  const addresses = Array.from({ length: 50 }, (_, n) => `198.51.100.${n}`);
  // This many simultaneous sign-ups require a proof of work each.
  const proofs = await Promise.all(
    addresses.map(async (from) => {
      const challenge: CheckChallenge = (await one.call('POST', '/api/sign-up/check', { from })).json();
      const solution = await solveChallenge({ challenge, deriveKey });
      return { challenge, solution: { counter: solution!.counter, derivedKey: solution!.derivedKey } };
    }),
  );
  const answers = await Promise.all(
    addresses.map((from, n) =>
      [one, two][n % 2]!.call('POST', '/api/sign-up', { body: { ...body, proof: proofs[n] }, from }),
    ),
  );
  const codes = answers.map((answer) => (answer.statusCode === 200 ? 'made' : answer.json().data.code));
  expect(codes.filter((code) => code === 'made')).toHaveLength(1);
  expect(codes.filter((code) => code === 'sign-up/in-use')).toHaveLength(49);
});

test('REL-32 a change requested twice at the same time is made once, and both get the same response', async () => {
  const ann = await armed(one);
  const person = await one.person({ status: 'pending' });
  const twice = await Promise.all([one, two].map((server) => put(server, ann, person.id, 'status', 'approved')));
  expect(twice[0]!.json()).toEqual(twice[1]!.json());
  const body = { userId: person.id, idToken: ann.idToken };
  const gone = await Promise.all(
    [one, two].map((server) => server.call('POST', '/api/forceDeleteUser', { body, cookie: ann.cookie })),
  );
  expect(gone.map((answer) => [answer.statusCode, answer.json()])).toContainEqual([200, { ok: true }]);
  expect((await one.call('POST', '/api/forceDeleteUser', { body, cookie: ann.cookie })).json()).toEqual({ ok: true });
  const lines = await one.database.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', person.id)
    .orderBy('id')
    .execute();
  expect(lines.map(({ action }) => action)).toEqual(['status', 'delete']);
});

test('T11 a sign-in with the old password during a reset leaves no session behind', async () => {
  let entered: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // The password check takes until the reset has finished.
  const slow = await testServer(
    {},
    {
      passwords: {
        ...cheapPasswords,
        async verify(stored, given) {
          const isRight = await cheapPasswords.verify(stored, given);
          entered?.();
          await gate;
          return isRight;
        },
      },
    },
    undefined,
    one,
  );
  const { db } = one.database;
  const person = await one.person({});
  await savePassword(db, person.id, cheapHash('old-Password-31'), one.clock);
  const body = { email: person.email, password: 'old-Password-31', remember: false };
  const signingIn = slow.call('POST', '/api/session', { body });
  await waiting;
  const token = await issueToken(db, 'reset', person.id, 60_000, one.clock);
  expect((await two.call('POST', '/api/reset-password', { body: { token, password } })).statusCode).toBe(200);
  goOn?.();
  expect((await signingIn).json().data.code).toBe('sign-in/wrong-password');
  expect(await db.selectFrom('sessions').select('id').where('account_id', '=', person.id).execute()).toEqual([]);
  await slow.close();
});

test('an admin who signs in during their deletion causes no fault and keeps no session', async () => {
  for (let round = 0; round < 20; round++) {
    const [ann, ben] = [await armed(one), await armed(two)];
    const [signedIn] = await Promise.all([
      two.call('POST', '/api/session', { body: { email: ben.email, password, remember: false } }),
      acts[2]!(one, ann, ben),
    ]);
    expect(signedIn.statusCode).toBeLessThan(500);
    const left = await one.database.db.selectFrom('sessions').select('id').where('account_id', '=', ben.id).execute();
    expect(left).toEqual([]);
  }
});

test('REL-19 of a thousand changes to one account, by two admins at two servers at once, none is lost', async () => {
  const target = await one.person({ status: 'approved', role: 'user' });
  const admins = [await one.person({ role: 'admin' }), await one.person({ role: 'admin' })] as const;
  const values = { status: ['approved', 'pending', 'denied'], role: ['user', 'admin'] } as const;
  const changes = Array.from({ length: 1_000 }, (_, nth) => {
    const what = nth % 3 === 0 ? 'role' : 'status';
    return { nth, what, value: values[what][(nth * 7) % values[what].length]! } as const;
  });
  const atOnce = 40;
  /** A busy server may say that it is unavailable: then the change was not made, and is asked for again. */
  const made = async (change: () => ReturnType<typeof put>): Promise<number> => {
    for (;;) {
      const { statusCode } = await change();
      if (statusCode !== 503) return statusCode;
    }
  };
  for (let from = 0; from < changes.length; from += atOnce) {
    const answers = changes
      .slice(from, from + atOnce)
      .map(({ nth, what, value }) => made(() => put([one, two][nth % 2]!, admins[nth % 2]!, target.id, what, value)));
    for (const statusCode of await Promise.all(answers)) expect(statusCode).toBe(200);
  }

  const lines = await one.database.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('target', '=', target.id)
    .where('action', 'in', ['status', 'role'])
    .orderBy('id')
    .execute();
  expect(lines.length).toBeGreaterThan(100);
  // Each change found what the one before it had left, of both fields.
  const now: Record<string, unknown> = { status: 'approved', role: 'user' };
  for (const { action, details } of lines) {
    const { from, to } = details as { from: string; to: string };
    expect(from).toBe(now[action]);
    now[action] = to;
  }
  const row = one.database.db.selectFrom('accounts').select(['status', 'role']).where('id', '=', target.id);
  expect(await row.executeTakeFirst()).toEqual(now);
});
