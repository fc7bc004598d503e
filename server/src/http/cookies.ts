import { createHash } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { parseCookie } from 'cookie';

/** The session cookie, for `Set-Cookie` and from requests. */
type SessionCookie = {
  read(header: string | undefined): string | undefined;
  write(token: string, remembered: boolean): string;
  clear(): string;
};

/**
 * The cookies of sign-ins at an identity provider: one for each, because several windows may be signing in. Their
 * content is sealed.
 */
export type RoundTripCookies = {
  /** @param state of the sign-in, as the provider returns it: untrusted */
  read(header: string | undefined, state: string | null): string | undefined;
  /** The `Set-Cookie` of a new sign-in, after those that delete the oldest ones if there are too many. */
  write(header: string | undefined, state: string, sealed: string): string[];
  clear(state: string): string;
};

/** The cookie of a browser that has opened a link to a visualization: one for each link, for twelve hours. */
type LinkCookie = {
  read(header: string | undefined): string | undefined;
  write(token: string): string;
};

/** The cookie of a browser in which a user has signed in; see `accounts/known-devices`. */
type DeviceCookie = {
  read(header: string | undefined): string | undefined;
  write(mark: string): string;
};

const sessionName = 'kc_session';
/** The name of {@link sessionCookie}. */
export const sessionCookieName = (secure: boolean): string => hostName(sessionName, secure);

/**
 * `__Host-kc_session`, Secure, over https. `kc_session` over plain http, where some browsers (WebKit) store no Secure
 * cookie, not even on loopback. Scripts can never read it.
 *
 * Source: SECURITY.md, SEC-08, T10; RFC 6265bis §4.1.3.2.
 *
 * @param secure whether this server is reached over https
 */
export function sessionCookie(secure: boolean): SessionCookie {
  const cookie = hostCookie(sessionName, secure, /^[\w-]{20,100}$/);
  return {
    ...cookie,
    write: (token, remembered) => cookie.write(token, remembered ? limits.rememberedSessionMs : undefined),
  };
}

/** As many as fit into the headers of a request along with everything else; a sealed one takes about 800 bytes. */
const maxRoundTrips = 5;

/** Like {@link sessionCookie}, for ten minutes each. */
export function roundTripCookies(secure: boolean): RoundTripCookies {
  const prefix = 'kc_google_';
  const of = (name: string) => hostCookie(name, secure, /^[\w.-]{20,2000}$/);
  const way = (state: string) => of(prefix + shortHash(state));
  return {
    read: (header, state) => (state === null ? undefined : way(state).read(header)),
    write(header, state, sealed) {
      const roundTrips = namesOf(header, hostName(prefix, secure)).map((name) => name.replace('__Host-', ''));
      // Browsers send the oldest first: RFC 6265 §5.4.
      const over = roundTrips.slice(0, Math.max(0, roundTrips.length - (maxRoundTrips - 1)));
      return [...over.map((name) => of(name).clear()), way(state).write(sealed, limits.googleRoundTripMs)];
    },
    clear: (state) => way(state).clear(),
  };
}

/** The cookie's name reveals nothing about the state, which only the provider should send back. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Like {@link sessionCookie}, for one link: several links can be open in a browser, and none is mistaken for another. */
export function linkCookie(secure: boolean, linkId: string): LinkCookie {
  const cookie = hostCookie(`kc_link_${shortHash(linkId)}`, secure, /^[\w-]{43}$/);
  return { read: cookie.read, write: (token) => cookie.write(token, limits.linkSessionMs) };
}

/** The longest lifetime that browsers accept. Source: draft-ietf-httpbis-rfc6265bis §5.5 */
const knownDeviceMs = 400 * 24 * 3_600_000;

/** Like {@link sessionCookie}, for as long as browsers keep one. Signing out does not remove it. */
export function deviceCookie(secure: boolean): DeviceCookie {
  const cookie = hostCookie('kc_device', secure, /^[\w-]{22}\.[\w-]{43}$/);
  return { read: cookie.read, write: (mark) => cookie.write(mark, knownDeviceMs) };
}

function hostName(plainName: string, secure: boolean): string {
  return secure ? `__Host-${plainName}` : plainName;
}

function hostCookie(plainName: string, secure: boolean, shape: RegExp) {
  const name = hostName(plainName, secure);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (header: string | undefined): string | undefined => {
      const value = onlyValue(header, name);
      return value && shape.test(value) ? value : undefined;
    },
    /** @param lifeMs absent: until the browser is closed */
    write: (value: string, lifeMs: number | undefined): string => {
      const life = lifeMs === undefined ? '' : `; Max-Age=${lifeMs / 1000}`;
      return `${name}=${value}; ${attributes}${life}`;
    },
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/**
 * The value of a cookie that occurs once. If there are several of one name, another party set at least one, with
 * another path or for a parent domain, and the request does not say which: none counts.
 */
function onlyValue(header: string | undefined, name: string): string | undefined {
  const values = pairsOf(header).flatMap((pair) => pair[name] ?? []);
  return values.length === 1 ? values[0] : undefined;
}

function namesOf(header: string | undefined, prefix: string): string[] {
  return pairsOf(header).flatMap((pair) => Object.keys(pair).filter((name) => name.startsWith(prefix)));
}

/** Parsed pair by pair, because the parser keeps only the first of each name. Values stay as they were sent. */
function pairsOf(header = ''): Partial<Record<string, string>>[] {
  return header.split(';').map((pair) => parseCookie(pair, { decode: (value) => value }));
}
