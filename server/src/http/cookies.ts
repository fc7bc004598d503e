import { limits } from '@kc/rules/limits';

/** The session's cookie as `Set-Cookie` says it and as requests bring it. */
export type SessionCookie = {
  read(header: string | undefined): string | undefined;
  write(token: string, remembered: boolean): string;
  clear(): string;
};

/**
 * `__Host-kc_session`, Secure, over https and on loopback; `kc_session` on plain http elsewhere, which `ALLOW_HTTP`
 * asks for. Never readable by scripts. Source: security SEC-08, T10.
 */
export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-kc_session' : 'kc_session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (header) => {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim());
      const token = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return token && /^[\w-]{20,100}$/.test(token) ? token : undefined;
    },
    write: (token, remembered) => {
      const life = remembered ? `; Max-Age=${limits.rememberedSessionMs / 1000}` : '';
      return `${name}=${token}; ${attributes}${life}`;
    },
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
