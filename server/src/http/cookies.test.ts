import { expect, test } from 'vitest';
import { deviceCookie, roundTripCookies, sessionCookie } from './cookies.ts';

const token = 't'.repeat(43);
const other = 'o'.repeat(43);
const mark = `${'m'.repeat(22)}.${'s'.repeat(43)}`;
const state = (letter: string) => letter.repeat(43);
const sealed = 'sealed-round-trip.of-this-browser';

test('SEC-08 over https every cookie is bound to the host and Secure', () => {
  const attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure';
  const session = sessionCookie(true);
  expect(session.write(token, false)).toBe(`__Host-kc_session=${token}; ${attributes}`);
  expect(session.write(token, true)).toBe(`__Host-kc_session=${token}; ${attributes}; Max-Age=2592000`);
  expect(session.clear()).toBe(`__Host-kc_session=; ${attributes}; Max-Age=0`);
  expect(deviceCookie(true).write(mark)).toBe(`__Host-kc_device=${mark}; ${attributes}; Max-Age=34560000`);
  const trip = roundTripCookies(true);
  const [begun] = trip.write(undefined, state('a'), sealed);
  const name = /^__Host-kc_google_[\w-]{22}(?==)/.exec(begun!)![0];
  expect(begun).toBe(`${name}=${sealed}; ${attributes}; Max-Age=600`);
  expect(trip.clear(state('a'))).toBe(`${name}=; ${attributes}; Max-Age=0`);
});

test('over plain http no cookie is Secure or has a prefix that takes Secure: WebKit would not store it', () => {
  const attributes = 'Path=/; HttpOnly; SameSite=Lax';
  expect(sessionCookie(false).write(token, false)).toBe(`kc_session=${token}; ${attributes}`);
  expect(deviceCookie(false).write(mark)).toBe(`kc_device=${mark}; ${attributes}; Max-Age=34560000`);
  const [begun] = roundTripCookies(false).write(undefined, state('a'), sealed);
  expect(begun!.replace(/_[\w-]{22}=/, '=')).toBe(`kc_google=${sealed}; ${attributes}; Max-Age=600`);
});

test.each([true, false])('a cookie is found only by its exact name, secure: %s', (secure) => {
  const { read, write } = sessionCookie(secure);
  const pair = write(token, false).split(';')[0]!;
  const [name] = pair.split('=') as [string];
  for (const header of [pair, ` ${pair}`, `\t${pair}`, `a=b; ${pair}; c=d`, `a=b;${pair}`]) {
    expect(read(header), header).toBe(token);
  }
  // RFC 6265 trims spaces and tabs only. Names that anybody may set can contain the others that `trim()` removes.
  for (const odd of ['\u00a0', '\u0085', '\u000b', '\u000c', '\ufeff', '\u2003', 'x', '%20', '"', '=']) {
    expect(read(odd + pair), JSON.stringify(odd)).toBeUndefined();
    expect(read(`${name}${odd === '=' ? '' : odd}=`), JSON.stringify(odd)).toBeUndefined();
  }
  expect(read(pair.toUpperCase())).toBeUndefined();
  expect(read(secure ? pair.replace('__Host-', '') : `__Host-${pair}`)).toBeUndefined();
  for (const value of ['', 'short', `"${token}"`, `${token}%20`, `%74${token}`, `${token}\u00a0`, 'x'.repeat(101)]) {
    expect(read(`${name}=${value}`), value).toBeUndefined();
  }
  expect(read(undefined)).toBeUndefined();
  expect(read('')).toBeUndefined();
});

test.each([true, false])('of two cookies with the same name, neither counts, secure: %s', (secure) => {
  const session = sessionCookie(secure);
  const mine = session.write(token, false).split(';')[0]!;
  const planted = session.write(other, false).split(';')[0]!;
  expect(session.read(`${planted}; ${mine}`)).toBeUndefined();
  expect(session.read(`${mine}; a=b; ${planted}`)).toBeUndefined();
  expect(session.read(`${mine}; ${mine}`)).toBeUndefined();
  const [name] = mine.split('=');
  expect(session.read(`${name}=; ${mine}`)).toBeUndefined();
  expect(session.read(`\u00a0${planted}; ${mine}`)).toBe(token);
});

test('sign-ins with the provider do not interfere with each other, and the oldest end when there are too many', () => {
  const trips = roundTripCookies(true);
  const jar = new Map<string, string>();
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const begin = (letter: string) => {
    for (const set of trips.write(header(), state(letter), sealed + letter)) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (set.endsWith('Max-Age=0')) jar.delete(name!);
      else jar.set(name!, value!);
    }
  };
  begin('a');
  begin('b');
  expect(trips.read(header(), state('a'))).toBe(`${sealed}a`);
  expect(trips.read(header(), state('b'))).toBe(`${sealed}b`);
  jar.set('__Host-kc_session', token);
  for (const letter of 'cdefg') begin(letter);
  expect([...'abcdefg'].filter((letter) => trips.read(header(), state(letter)))).toEqual([...'cdefg']);
  expect(jar.get('__Host-kc_session')).toBe(token);
  for (const unknown of [null, '', state('z'), `${state('c')}; x`, '../', '__proto__'.repeat(5)]) {
    expect(trips.read(header(), unknown)).toBeUndefined();
  }
});
