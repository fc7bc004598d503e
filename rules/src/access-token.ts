import { limits } from './limits.ts';
import { done, type Result, refuse } from './result.ts';

/**
 * What the bearer of an access token may do, besides being allowed to do it themselves. `read`: everything that is shown.
 * `import`: lists, drafts, uploads and what becomes of them. `plan`: the plan, and what is judged and saved about a
 * visualization. `admin`: users, settings, storage and the log.
 */
export const tokenScopes = ['read', 'import', 'plan', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The lives that the form offers, in days, beside a day of one's own choice. */
export const tokenLives = [30, 90, 365] as const;

/** Begins every token, so that those who look for secrets in source code recognise it. */
const prefix = 'kc_';

/** @param secret 256 bits in base64url */
export const accessTokenOf = (secret: string): string => `${prefix}${secret}`;

/** Whether a text has the form of an access token. */
export const isAccessToken = (text: string): boolean => /^kc_[\w-]{43}$/.test(text);

/**
 * The bearer token of an `Authorization` header: any text after `Bearer`, of whatever form; undefined for no header, and
 * for another scheme, such as the one of a proxy that asks for a password of its own. Source: RFC 6750 §2.1.
 */
export function bearerOf(header: string | undefined): string | undefined {
  return header !== undefined && /^bearer(?: |$)/i.test(header) ? header.slice('bearer'.length).trim() : undefined;
}

/** Whether a token may end then. Both times in milliseconds since 1970, UTC. */
export function checkExpiry(expiresAt: number, now: number): Result<true> {
  if (expiresAt <= now) return refuse('token/ended-before');
  return expiresAt <= now + limits.maxTokenDays * dayMs
    ? done(true)
    : refuse('token/too-long', { days: limits.maxTokenDays });
}

const dayMs = 86_400_000;

/** An access token as a request uses it. */
export type AccessToken = {
  readonly id: string;
  readonly scopes: readonly TokenScope[];
  /** The only visualization that it opens; undefined for all of its owner. */
  readonly visualizationId: string | undefined;
};

/**
 * Whether a token may make a call, whatever its owner may do.
 *
 * @param call `scope`: undefined for a call that no token may make, such as signing in. `path`: the part after `/api`.
 */
export function tokenAllows(
  token: Pick<AccessToken, 'scopes' | 'visualizationId'>,
  call: { readonly scope: TokenScope | undefined; readonly path: string },
): Result<true> {
  if (call.scope === undefined) return refuse('token/never');
  if (!token.scopes.includes(call.scope)) return refuse('token/scope', { scope: call.scope });
  if (token.visualizationId === undefined || openToAll.includes(call.path)) return done(true);
  // Which visualization, is decided where the record is read.
  return call.path.startsWith('/visualizations/{id}') ? done(true) : refuse('token/one-visualization');
}

/** Calls that a token of one visualization may make although they name none: what it lists is that one. */
const openToAll: readonly string[] = ['/session', '/visualizations', '/mcp'];
