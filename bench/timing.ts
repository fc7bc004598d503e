import { Agent, request } from 'node:http';
import { type BenchCase, costOf } from './bench-case.ts';
import { type Child, startOurs } from './http/child.ts';
import { mannWhitneyP } from './timing/mann-whitney.ts';

const samples = 500;
const warmUp = 20;
/**
 * Each is used twice: a third mail within an hour would be refused, and at most a thousand accounts may wait for
 * approval.
 */
const people = (samples + warmUp) / 2;
/** Over plain http a sign-up needs no proof of work, which would take longer than what is measured. */
const origin = 'http://kc.example.net';
const password = 'a long quiet evening';
/** Enough that none of them exceeds the limit of attempts per account. */
const builtIn = Array.from({ length: 10 }, (_, n) => `built-in-${n}@example.com`);

/**
 * Whether response time reveals that an account exists: the same request for known and unknown emails, in random order
 * over one connection. `…P` is the p of the Mann-Whitney test, `…DifferenceMs` the known median minus the unknown one.
 * Goal: p > 0.01 and less than 5 ms. See SECURITY.md, T8 and SEC-15.
 */
export const cases: readonly BenchCase[] = [
  {
    name: `timing/known and unknown emails, ${samples} each`,
    rounds: 1,
    contenders: [{ name: 'ours', measure: () => costOf(measureTimings) }],
  },
];

async function measureTimings(): Promise<Record<string, number>> {
  const server = await startOurs({
    BASE_URL: origin,
    ALLOW_HTTP: '1',
    TRUSTED_PROXIES: '127.0.0.1',
    ADMIN_EMAILS: builtIn.join(','),
  });
  const caller = createCaller(server);
  const emails = (kind: string) =>
    Array.from({ length: samples + warmUp }, (_, n) => `${kind}-${n % people}@example.org`);
  const post = (path: string, body: object, ...statuses: number[]) => caller.post(path, body, statuses);
  const signUp = (email: string, ...statuses: number[]) =>
    post('/api/sign-up', { email, password, displayName: 'Jo' }, ...statuses);
  const signIn = (email: string) => post('/api/session', { email, password: 'not the password', remember: false }, 401);
  const reset = (email: string) => post('/api/reset-password/request', { email }, 200);
  try {
    const known = emails('known');
    for (const email of new Set(known)) await signUp(email, 200);
    const fresh = known.map((_, n) => `new-${n}@example.org`);
    return {
      // The number of "email is taken" responses per day is limited; after that, sign-ups are refused.
      ...(await compare(
        'signUp',
        known.map((email) => () => signUp(email, 409, 429)),
        fresh.map((email) => () => signUp(email, 200)),
      )),
      ...(await compare(
        'signIn',
        known.map((email) => () => signIn(email)),
        emails('no').map((email) => () => signIn(email)),
      )),
      ...(await compare(
        'signInWithoutPassword',
        known.map((_, n) => () => signIn(builtIn[n % builtIn.length]!)),
        emails('none').map((email) => () => signIn(email)),
      )),
      ...(await compare(
        'resetRequest',
        known.map((email) => () => reset(email)),
        emails('nobody').map((email) => () => reset(email)),
      )),
    };
  } finally {
    caller.close();
    await server.stop();
  }
}

type Call = () => Promise<number>;

/** The calls of both kinds in random order, without the first ones of each. */
async function compare(
  name: string,
  known: readonly Call[],
  unknown: readonly Call[],
): Promise<Record<string, number>> {
  const times = { known: [] as number[], unknown: [] as number[] };
  const calls = [
    ...known.map((call) => ({ call, to: times.known })),
    ...unknown.map((call) => ({ call, to: times.unknown })),
  ];
  for (const { call, to } of shuffled(calls)) to.push(await call());
  const [a, b] = [times.known.slice(warmUp), times.unknown.slice(warmUp)];
  return {
    [`${name}KnownMs`]: median(a),
    [`${name}UnknownMs`]: median(b),
    [`${name}DifferenceMs`]: median(a) - median(b),
    [`${name}P`]: mannWhitneyP(a, b),
  };
}

/** Makes one call after another, each from its own network address, so that no rate limit is reached. */
function createCaller({ url }: Child) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let made = 0;
  return {
    /** @returns milliseconds until the response is complete */
    post(path: string, body: object, statuses: readonly number[]): Promise<number> {
      const from = `10.${made >> 16}.${(made >> 8) & 255}.${made++ & 255}`;
      const headers = { origin, 'content-type': 'application/json', 'x-forwarded-for': from };
      const text = JSON.stringify(body);
      return new Promise((resolve, reject) => {
        const start = performance.now();
        request(
          url + path,
          { method: 'POST', agent, headers: { ...headers, 'content-length': text.length } },
          (response) => {
            response.on('end', () => resolve(performance.now() - start)).resume();
            if (!statuses.includes(response.statusCode ?? 0))
              reject(new Error(`${path} answered ${response.statusCode}, not ${statuses.join(' or ')}`));
          },
        )
          .on('error', reject)
          .end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
