import { limits } from '@kc/rules/limits';

/** The session's cookie as `Set-Cookie` says it and as requests bring it. */
export type SessionCookie = {
  read(header: string | undefined): string | undefined;
  write(token: string, remembered: boolean): string;
  clear(): string;
};

/** The cookie of somebody on the way to an identity provider and back; what is in it is sealed. */
export type RoundTripCookie = {
  read(header: string | undefined): string | undefined;
  write(sealed: string): string;
  clear(): string;
};

/** The cookie by which a browser is known that somebody signed in with; see `accounts/known-devices`. */
export type DeviceCookie = Pick<RoundTripCookie, 'read'> & { write(mark: string): string };

/**
 * `__Host-kc_session`, Secure, over https and on loopback; `kc_session` on plain http elsewhere, which `ALLOW_HTTP`
 * asks for. Never readable by scripts. Source: security SEC-08, T10.
 */
export function sessionCookie(secure: boolean): SessionCookie {
  const cookie = hostCookie('kc_session', secure, /^[\w-]{20,100}$/);
  return {
    ...cookie,
    write: (token, remembered) => cookie.write(token, remembered ? limits.rememberedSessionMs : undefined),
  };
}

/** As {@link sessionCookie}, for ten minutes. */
export function roundTripCookie(secure: boolean): RoundTripCookie {
  const cookie = hostCookie('kc_google', secure, /^[\w.-]{20,2000}$/);
  return { ...cookie, write: (sealed) => cookie.write(sealed, limits.googleRoundTripMs) };
}

/** Browsers keep no cookie longer. Source: draft-ietf-httpbis-rfc6265bis §5.5 */
const knownDeviceMs = 400 * 24 * 3_600_000;

/** As {@link sessionCookie}, for as long as browsers keep one; signing out leaves it. */
export function deviceCookie(secure: boolean): DeviceCookie {
  const cookie = hostCookie('kc_device', secure, /^[\w-]{22}\.[\w-]{43}$/);
  return { ...cookie, write: (mark) => cookie.write(mark, knownDeviceMs) };
}

function hostCookie(plainName: string, secure: boolean, shape: RegExp) {
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (header: string | undefined): string | undefined => {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim());
      const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return value && shape.test(value) ? value : undefined;
    },
    /** @param lifeMs without it, until the browser is closed */
    write: (value: string, lifeMs: number | undefined): string => {
      const life = lifeMs === undefined ? '' : `; Max-Age=${lifeMs / 1000}`;
      return `${name}=${value}; ${attributes}${life}`;
    },
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
