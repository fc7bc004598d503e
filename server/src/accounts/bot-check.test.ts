import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lightWork, type TestServer, testServer } from '../../test/support/server.ts';
import { forgetEnded } from '../forget-ended.ts';
import { createBotCheck } from './bot-check.ts';

const home = '203.0.113.7';
let server: TestServer;
let fresh = 0;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ['rate_limits', 'used_proofs', 'accounts'] as const) {
    await server.database.db.deleteFrom(table).execute();
  }
});

const newEmail = () => `newcomer-${fresh++}@example.org`;
const code = (answer: Response) => (answer.statusCode === 200 ? 'made' : answer.json().data.code);
const codes = (answers: readonly Response[]) =>
  Object.fromEntries(
    [...new Set(answers.map(code))].map((one) => [one, answers.filter((a) => code(a) === one).length]),
  );

function signUp({ proof, email = newEmail(), from = home }: { proof?: unknown; email?: string; from?: string } = {}) {
  const body = { email, password: 'tulip-Harbor-9', displayName: 'Jo', ...(proof ? { proof } : {}) };
  return server.call('POST', '/api/sign-up', { body, from });
}

async function proofFor(from = home): Promise<CheckProof> {
  return solve((await server.call('POST', '/api/sign-up/check', { from })).json());
}

async function solve(challenge: CheckChallenge): Promise<CheckProof> {
  const found = await solveChallenge({ challenge, deriveKey });
  return { challenge, solution: { counter: found!.counter, derivedKey: found!.derivedKey } };
}

/** Signs up twice without a proof. Every further sign-up from this address requires one. */
async function useUpFreeSignUps(): Promise<void> {
  expect([code(await signUp()), code(await signUp())]).toEqual(['made', 'made']);
}

// Shows P3.12.
test('the third sign-up from an address within ten minutes needs a proof, which is accepted', async () => {
  await useUpFreeSignUps();
  const refused = await signUp();
  expect([refused.statusCode, refused.json().data]).toEqual([429, { code: 'sign-up/check-needed' }]);
  expect(code(await signUp({ proof: await proofFor() }))).toBe('made');
  expect(code(await signUp({ from: '203.0.113.8' }))).toBe('made');
  server.clock += 10 * 60_000;
  expect(code(await signUp())).toBe('made');
});

// Shows P19.7.
test('SEC-13 of fifty simultaneous sign-ups, only two need no proof', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => signUp()));
  expect(codes(answers)).toEqual({ made: 2, 'sign-up/check-needed': 48 });
});

test('while there are many sign-ups from many addresses, every sign-up requires a proof', async () => {
  const answers: Response[] = [];
  for (let i = 0; i < 31; i++) answers.push(await signUp({ from: `198.51.100.${i}` }));
  expect(answers.map(code)).toEqual([...Array(30).fill('made'), 'sign-up/check-needed']);
  const from = '198.51.100.200';
  expect(code(await signUp({ from, proof: await proofFor(from) }))).toBe('made');
});

test('SEC-14 of fifty simultaneous uses of a proof, one succeeds', async () => {
  const proof = await proofFor();
  const answers = await Promise.all(Array.from({ length: 50 }, () => signUp({ proof })));
  expect(codes(answers)).toEqual({ made: 1, 'sign-up/check-needed': 49 });
});

test('a proof is invalid from another address, after five minutes, or if anything in it is changed', async () => {
  await useUpFreeSignUps();
  const { challenge, solution } = await proofFor();
  const { parameters, signature } = challenge;
  const changed: Record<string, unknown> = {
    'a longer life': { challenge: { signature, parameters: { ...parameters, data: { until: 8e15 } } }, solution },
    'easier work': { challenge: { signature, parameters: { ...parameters, cost: 1, keyPrefix: '00' } }, solution },
    'another signature': { challenge: { parameters, signature: '0'.repeat(64) }, solution },
    'the signature in capitals': { challenge: { parameters, signature: signature.toUpperCase() }, solution },
    'another answer': { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
    'the prefix as the answer': { challenge, solution: { ...solution, derivedKey: parameters.keyPrefix } },
  };
  for (const [what, proof] of Object.entries(changed)) {
    const answer = await signUp({ proof });
    // A signature of digits alone is the same in upper and lower case.
    if (what.includes('capitals') && signature === signature.toUpperCase()) continue;
    expect(code(answer), what).toBe('sign-up/check-needed');
  }
  const proof = { challenge, solution };
  expect(code(await signUp({ proof, from: '203.0.113.8' }))).toBe('sign-up/check-needed');
  server.clock += 5 * 60_000;
  expect(code(await signUp({ proof }))).toBe('sign-up/check-needed');
  server.clock -= 1;
  expect(code(await signUp({ proof }))).toBe('made');
});

test('a proof for the challenge of another server, or for something other than a challenge, is refused', async () => {
  await useUpFreeSignUps();
  const { db } = server.database;
  const foreign = createBotCheck({ db, secret: 'another secret', now: () => server.clock, work: lightWork });
  expect(code(await signUp({ proof: await solve(await foreign.challenge(home)) }))).toBe('sign-up/check-needed');
  for (const proof of ['', {}, { challenge: {}, solution: {} }, { ...(await proofFor()), extra: 1 }]) {
    if (proof) expect(code(await signUp({ proof }))).toBe('request/invalid');
  }
});

test('a proof with numbers that no server sends is refused before any query', async () => {
  await useUpFreeSignUps();
  const { challenge, solution } = await proofFor();
  const { parameters, signature } = challenge;
  const odd = [-1, 1.5, 1e9, 1e308, Number.MAX_SAFE_INTEGER + 1];
  for (const number of odd) {
    const changes = [{ cost: number }, { keyLength: number }, { data: { until: number < 1e9 ? number : 9e15 } }];
    const proofs = [
      ...changes.map((change) => ({ challenge: { signature, parameters: { ...parameters, ...change } }, solution })),
      { challenge, solution: { ...solution, counter: number } },
    ];
    for (const proof of proofs) expect(code(await signUp({ proof })), JSON.stringify(proof)).toBe('request/invalid');
  }
  expect(code(await signUp({ proof: { challenge, solution } }))).toBe('made');
});

test('a refused proof causes no hashing and leaves no row; used proofs are deleted once they have expired', async () => {
  const { db } = server.database;
  const used = () => db.selectFrom('used_proofs').selectAll().execute();
  const proof = await proofFor();
  await signUp({ proof, from: '203.0.113.8' });
  expect(await used()).toEqual([]);
  await signUp({ proof });
  expect(await used()).toHaveLength(1);
  await forgetEnded(db, proof.challenge.parameters.data.until);
  expect(await used()).toHaveLength(1);
  await forgetEnded(db, proof.challenge.parameters.data.until + 1);
  expect(await used()).toEqual([]);
});

test('T4 of two hundred sign-ups a minute from one address at most twenty are accepted, with or without a proof', async () => {
  const proofs = await Promise.all(Array.from({ length: 40 }, () => proofFor()));
  const answers: Response[] = [];
  for (let i = 0; i < 200; i += 20) {
    const round = proofs.slice(i / 5, i / 5 + 4);
    answers.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => signUp({ proof: round[n] })))));
  }
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(20);
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200, 429]));
});

test('S5 one address can find out ten times an hour that an email is taken', async () => {
  const email = newEmail();
  const answers: string[] = [];
  for (let i = 0; i < 12; i++) answers.push(code(await signUp({ email, proof: await proofFor() })));
  expect(answers).toEqual(['made', ...Array(10).fill('sign-up/in-use'), 'sign-in/too-many']);
});

test('S5 with ENUMERATION_PROTECTION=strict the same limit applies', async () => {
  const strict = await testServer({ ENUMERATION_PROTECTION: 'strict' }, {}, undefined, server);
  const email = newEmail();
  const answers: string[] = [];
  for (let i = 0; i < 12; i++) {
    const body = { email, password: 'tulip-Harbor-9', displayName: 'Jo', proof: await proofFor() };
    answers.push(code(await strict.call('POST', '/api/sign-up', { body, from: home })));
  }
  await strict.close();
  expect(answers).toEqual(['made', ...Array(10).fill('sign-up/in-use'), 'sign-in/too-many']);
});

test('an address gets sixty challenges in ten minutes', async () => {
  const answers = await Promise.all(
    Array.from({ length: 61 }, () => server.call('POST', '/api/sign-up/check', { from: home })),
  );
  expect(codes(answers)).toMatchObject({ 'sign-in/too-many': 1 });
});

/** Inserts this many pending accounts. */
async function fillUp(count: number): Promise<void> {
  const at = new Date(server.clock);
  const rows = Array.from({ length: count }, (_, n) => ({ id: `w${n}`, email: `w${n}@example.net` }));
  await server.database.db
    .insertInto('accounts')
    .values(rows.map((row) => ({ ...row, created_at: at, updated_at: at })))
    .execute();
}

test('T4 at most a thousand users can wait for approval, however many sign up at once', async () => {
  await fillUp(998);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp({ from: `192.0.2.${n}` })));
  expect(codes(answers)).toEqual({ made: 2, 'sign-up/full': 10 });
  expect(answers.find((answer) => answer.statusCode !== 200)!.statusCode).toBe(429);
});

test('T4 accounts that an admin created, built-in accounts and accounts that are not pending do not count towards that limit', async () => {
  const { db } = server.database;
  await fillUp(1_003);
  const set = (id: string, change: object) => db.updateTable('accounts').set(change).where('id', '=', id).execute();
  await set('w0', { created_by: 'w1' });
  await set('w2', { built_in: true });
  await set('w3', { status: 'approved' });
  expect(code(await signUp({ from: '192.0.2.1' }))).toBe('sign-up/full');
  await set('w4', { status: 'denied' });
  expect(code(await signUp({ from: '192.0.2.1' }))).toBe('made');

  const admin = await server.person({ role: 'admin' });
  const body = { email: newEmail(), password: 'tulip-Harbor-9', role: 'user' };
  expect((await server.call('POST', '/api/users', { body, cookie: admin.cookie })).statusCode).toBe(200);
});

test('over plain http, where browsers cannot compute the proof, only the budgets apply', async () => {
  const plain = await testServer({ BASE_URL: 'http://kc.example.net', ALLOW_HTTP: '1' });
  try {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => {
        const body = { email: newEmail(), password: 'tulip-Harbor-9', displayName: 'Jo' };
        return plain.call('POST', '/api/sign-up', { body, from: home });
      }),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(20);
  } finally {
    await plain.close();
  }
});
