import { describe, expect, test } from 'vitest';
import type { Role, Status } from './account.ts';
import { type Arrival, type ClaimedEmail, type FoundAccount, googleIssuer, provesEmail, receive } from './identity.ts';
import { done, refuse } from './result.ts';

const builtIn = new Set(['root@example.com']);

const claim = (changes: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  issuer: googleIssuer,
  email: 'ann@gmail.com',
  emailVerified: true,
  hostedDomain: undefined,
  ...changes,
});

// Shows P4.8.
describe('T17 an email is proven', () => {
  const elsewhere = 'https://id.example.com';
  test.each<[string, Partial<ClaimedEmail>]>([
    ['by Google, for Gmail', {}],
    ['by Google, for the other domain of Gmail', { email: 'ann@googlemail.com' }],
    ['by Google, for the domain of its customer', { email: 'ann@shop.example', hostedDomain: 'shop.example' }],
    ['by Google, however the domain is written', { email: 'ann@shop.example', hostedDomain: 'Shop.Example' }],
    ['by Google, for a trusted domain', { email: 'ann@trusted.example' }],
    ['by any issuer, for a trusted domain', { issuer: elsewhere, email: 'ann@trusted.example' }],
  ])('%s', (_name, changes) => expect(provesEmail(claim(changes), ['trusted.example'])).toBe(true));

  test.each<[string, Partial<ClaimedEmail>]>([
    ['when it is not verified', { emailVerified: false }],
    ['when the claim is absent', { emailVerified: undefined }],
    ['when the claim is a text', { emailVerified: 'true' }],
    ['when the claim is a number', { emailVerified: 1 }],
    ['when there is none', { email: undefined }],
    ['when its domain is not that of the organisation', { email: 'ann@shop.example', hostedDomain: 'evil.example' }],
    ['when Google does not manage its domain', { email: 'ann@shop.example' }],
    ['when its domain only ends in the name of a trusted one', { email: 'ann@notgmail.com' }],
    ['when it belongs to a subdomain of a trusted domain', { email: 'ann@sub.trusted.example' }],
    ['when another issuer claims a Gmail address', { issuer: elsewhere }],
    [
      'when another issuer names a hosted domain',
      { issuer: elsewhere, email: 'ann@shop.example', hostedDomain: 'shop.example' },
    ],
    ['when it is not verified, trusted domain or not', { email: 'ann@trusted.example', emailVerified: false }],
  ])('not %s', (_name, changes) => expect(provesEmail(claim(changes), ['trusted.example'])).toBe(false));
});

const account = (changes: Partial<FoundAccount> = {}): FoundAccount => ({
  email: 'ann@example.com',
  emailProven: false,
  role: 'user',
  status: 'approved',
  createdBy: 'system',
  isSample: false,
  isMigrated: false,
  ...changes,
});
const arrival = (changes: Partial<Arrival> = {}): Arrival => ({
  email: 'ann@example.com',
  proven: true,
  known: undefined,
  holder: undefined,
  admission: done('pending'),
  ...changes,
});
const received = (changes: Partial<Arrival>) => receive(arrival(changes), builtIn);

describe('a new user', () => {
  test('gets an account according to the policy, and a proven email only if it is proven', () => {
    expect(received({})).toEqual(done({ do: 'create', role: 'user', status: 'pending', proven: true }));
    expect(received({ proven: false, admission: done('approved') })).toEqual(
      done({ do: 'create', role: 'user', status: 'approved', proven: false }),
    );
    expect(received({ admission: refuse('sign-up/closed') })).toEqual(refuse('sign-up/closed'));
  });
  test('without an email gets no account', () => {
    expect(received({ email: undefined, proven: false })).toEqual(refuse('google/profile-failed'));
  });
  test('S1 with a built-in email becomes its admin if it is proven, even if registration is closed, and gets no account otherwise', () => {
    const email = 'root@example.com';
    const closed = refuse('sign-up/closed');
    expect(received({ email, admission: closed })).toMatchObject({ value: { role: 'admin', status: 'approved' } });
    expect(received({ email, proven: false })).toEqual(refuse('sign-up/in-use'));
  });
});

describe('S3 a new user whose email has an account', () => {
  test('is refused if the email is not proven, whatever that account is', () => {
    for (const holder of allAccounts()) {
      const { email } = holder;
      expect(received({ email, holder, proven: false })).toEqual(refuse('sign-up/in-use'));
    }
  });
  // Shows P18.5.
  test('is linked to it if both are proven', () => {
    for (const holder of allAccounts().filter((one) => one.emailProven && !one.isSample)) {
      expect(received({ email: holder.email, holder })).toEqual(done({ do: 'link' }));
    }
  });
  test.each<[Status, Status]>([
    ['pending', 'pending'],
    ['approved', 'pending'],
    ['denied', 'denied'],
  ])('T21 takes over an unproven one that signed up as %s, as %s', (status, after) => {
    for (const role of ['user', 'admin'] as const) {
      expect(received({ holder: account({ status, role }) })).toEqual(
        done({ do: 'migrate', role: 'user', status: after }),
      );
    }
  });
  test('takes over an unproven account that an admin created, with its role and status', () => {
    for (const status of statuses) {
      const holder = account({ createdBy: 'a1', role: 'admin', status });
      expect(received({ holder })).toEqual(done({ do: 'migrate', role: 'admin', status }));
    }
  });
  test('S2 claims an unproven built-in account', () => {
    const holder = account({ email: 'root@example.com' });
    expect(received({ email: holder.email, holder })).toEqual(done({ do: 'claim' }));
  });
  test('never gets the sample', () => {
    expect(received({ holder: account({ isSample: true }) })).toEqual(refuse('sign-up/in-use'));
  });
});

describe('T19 a known user', () => {
  test('is signed in, whatever the current email', () => {
    const known = account({ emailProven: true });
    for (const email of [undefined, 'ann@example.com', 'other@example.com']) {
      expect(received({ known, email, proven: false, holder: undefined })).toEqual(done({ do: 'sign-in' }));
    }
  });
  test('takes over a new email if it is proven and free', () => {
    const known = account({ emailProven: true });
    const email = 'ann.new@example.com';
    expect(received({ known, email })).toEqual(done({ do: 'sign-in', email }));
    expect(received({ known, email, holder: account({ email }) })).toEqual(done({ do: 'sign-in' }));
    expect(received({ known, email: 'root@example.com' })).toEqual(done({ do: 'sign-in' }));
  });
  test('keeps a built-in email', () => {
    const known = account({ email: 'root@example.com', emailProven: true });
    expect(received({ known, email: 'free@example.com' })).toEqual(done({ do: 'sign-in' }));
  });
  test('keeps the email under which they were denied, whether it is proven or not', () => {
    for (const emailProven of [true, false]) {
      const known = account({ emailProven, status: 'denied' });
      expect(received({ known, email: 'free@example.com' })).toEqual(done({ do: 'sign-in' }));
    }
  });
  test('can be proven by the provider later', () => {
    const known = account();
    expect(received({ known, holder: known })).toEqual(done({ do: 'sign-in', email: known.email }));
    const root = account({ email: 'root@example.com' });
    expect(received({ known: root, holder: root, email: root.email })).toEqual(done({ do: 'claim' }));
  });
  test('cannot sign in to an old record', () => {
    expect(received({ known: account({ isMigrated: true }) })).toEqual(refuse('sign-in/disabled'));
  });
});

describe('SEC-05 for every sign-in with an identity', () => {
  const cases = allArrivals().flatMap((one) => {
    const answer = receive(one, builtIn);
    return answer.ok ? [{ one, given: answer.value }] : [];
  });
  type Case = (typeof cases)[number];
  /** All cases for which `matches` is true; fails if there are none. */
  const each = (matches: (entry: Case) => boolean, look: (entry: Case) => void) => {
    const found = cases.filter(matches);
    expect(found.length).toBeGreaterThan(0);
    for (const entry of found) look(entry);
  };
  const isVouchedFor = ({ proven, email, holder }: Arrival) =>
    proven && (builtIn.has(email ?? '') || (holder !== undefined && holder.createdBy !== 'system'));

  test('only a proven built-in email or an account that an admin created makes a user an admin', () => {
    each(
      ({ given }) => 'role' in given && given.role === 'admin',
      ({ one }) => expect(isVouchedFor(one)).toBe(true),
    );
  });
  test('only the policy, a proven built-in email or an account that an admin created makes a user approved', () => {
    each(
      ({ given }) => 'status' in given && given.status === 'approved',
      ({ one }) => {
        const byPolicy = !one.holder && one.admission.ok && one.admission.value === 'approved';
        expect(byPolicy || isVouchedFor(one)).toBe(true);
      },
    );
  });
  // Shows P18.7.
  test('SEC-06 a denied account stays denied', () => {
    each(
      ({ one, given }) => given.do === 'migrate' && one.holder?.status === 'denied',
      ({ given }) => expect(given).toMatchObject({ status: 'denied' }),
    );
  });
  test('an unproven email changes no existing account', () => {
    each(
      ({ one }) => !one.proven,
      ({ one, given }) => {
        if (one.known) expect(given).toEqual({ do: 'sign-in' });
        else expect([given.do, one.holder]).toEqual(['create', undefined]);
      },
    );
  });
  test('an account is created only if no other has the email', () => {
    each(
      ({ given }) => given.do === 'create',
      ({ one }) => expect([one.known, one.holder]).toEqual([undefined, undefined]),
    );
  });
  test('existing ways to sign in are revoked only if the email is proven now and never was before', () => {
    each(
      ({ given }) => given.do === 'claim' || given.do === 'migrate',
      ({ one }) => expect([one.proven, (one.known ?? one.holder)?.emailProven]).toEqual([true, false]),
    );
  });
});

const roles: readonly Role[] = ['admin', 'user'];
const statuses: readonly Status[] = ['pending', 'approved', 'denied'];
const flags = [true, false];

function allAccounts(): FoundAccount[] {
  return ['ann@example.com', 'root@example.com'].flatMap((email) =>
    roles.flatMap((role) =>
      statuses.flatMap((status) =>
        flags.flatMap((emailProven) => [
          account({ email, role, status, emailProven }),
          account({ email, role, status, emailProven, createdBy: 'a1' }),
        ]),
      ),
    ),
  );
}

/**
 * Every sign-in: by a known or an unknown user, with or without each possible account under the claimed email, with a
 * proven and an unproven email, under every policy.
 */
function allArrivals(): Arrival[] {
  const emails = [undefined, 'ann@example.com', 'root@example.com', 'new@example.com'];
  const admissions = [done<Status>('pending'), done<Status>('approved'), refuse('sign-up/closed')];
  const knowns = [undefined, ...allAccounts(), account({ isMigrated: true })];
  return knowns.flatMap((known) =>
    emails.flatMap((email) =>
      (email === undefined ? [false] : flags).flatMap((proven) =>
        admissions.flatMap((admission) => {
          const holders = known ? [known, account({ email: email ?? '' })] : allAccounts();
          const held = [undefined, ...holders.filter((one) => one.email === email && !one.isMigrated)];
          return held.map((holder) => ({ email, proven, known, holder, admission }));
        }),
      ),
    ),
  );
}
