import { groupsIn } from '@kc/rules/group-roles';
import { googleIssuer } from '@kc/rules/identity';
import type { CustomFetch } from 'openid-client';
import * as oidc from 'openid-client';
import type { Config } from '../../config.ts';
import { readUpTo, withoutBrotli } from '../../http/outgoing-requests.ts';
import { type Identity, readIdentity } from './identity-claims.ts';
import type { RoundTrip } from './round-trip.ts';

/** The part of an OpenID Connect issuer that sign-in needs. Every misbehaviour throws. */
export type Issuer = {
  /** The address to redirect the browser to. */
  authorizationUrl(trip: RoundTrip): Promise<URL>;
  /**
   * The person who came back. Checks state, issuer, code and the ID token's signature, audience, nonce and times.
   *
   * @param query of the callback, unchanged
   */
  identify(query: URLSearchParams, trip: RoundTrip): Promise<Identity>;
};

const keepDiscoveryMs = 24 * 3_600_000;

type Settings = NonNullable<Config['google']>;
type Claims = Readonly<Record<string, unknown>>;

/**
 * @param redirectUri the callback address, as registered with the issuer
 * @param groupsClaim the claim with the groups of people, if this server wants to know them
 */
export function createIssuer(settings: Settings, redirectUri: URL, now: () => number, groupsClaim?: string): Issuer {
  const discover = rememberDiscovery(() => discovery(settings), now);
  const keys = rememberKeys();
  return {
    async authorizationUrl({ state, nonce, codeVerifier, stepUpOf }) {
      const configuration = await discover();
      // Many issuers name groups only if they are requested, and refuse scopes that they do not know.
      const hasGroups = configuration.serverMetadata().scopes_supported?.includes('groups') ?? false;
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri.href,
        scope: `openid email profile${groupsClaim !== undefined && hasGroups ? ' groups' : ''}`,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(stepUpOf === undefined ? {} : signInAgain(settings)),
      });
    },
    async identify(query, { state, nonce, codeVerifier }) {
      const configuration = oneUse(settings, await discover());
      const answer = new URL(redirectUri);
      answer.search = query.toString();
      const tokens = await keys.during(configuration, () =>
        oidc.authorizationCodeGrant(configuration, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
        }),
      );
      const claims = tokens.claims();
      if (!claims) throw new Error('The issuer sent no ID token');
      const groupsOf = (claims: Claims) => (groupsClaim === undefined ? [] : groupsIn(claims, groupsClaim));
      const named = groupsOf(claims);
      const hasAll = claims.email !== undefined && (groupsClaim === undefined || named.length > 0);
      const more = hasAll ? {} : await userInfoOf(configuration, claims, tokens.access_token);
      // An empty list in the token does not say that there are none.
      return readIdentity({ ...more, ...claims }, named.length > 0 ? named : groupsOf(more));
    },
  };
}

/** Requires the person to sign in again, and the time of that sign-in in the token. */
function signInAgain({ issuer }: Settings): Record<string, string> {
  // Google rejects `login`: https://developers.google.com/identity/openid-connect/openid-connect
  const prompt = issuer.origin === googleIssuer ? 'select_account' : 'login';
  return { prompt, max_age: '0', claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }) };
}

/** Google puts everything into the ID token; other issuers give the email, or the groups, on request. */
async function userInfoOf(
  configuration: oidc.Configuration,
  { sub }: oidc.IDToken,
  accessToken: string,
): Promise<Claims> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  return oidc.fetchUserInfo(configuration, accessToken, sub);
}

/** Fetched when first needed and cached for a day; failures are not cached. Simultaneous requests share one fetch. */
function rememberDiscovery(
  discover: () => Promise<oidc.Configuration>,
  now: () => number,
): () => Promise<oidc.Configuration> {
  let cached: { readonly since: number; readonly answer: Promise<oidc.Configuration> } | undefined;
  return () => {
    if (cached && now() - cached.since < keepDiscoveryMs) return cached.answer;
    const entry = { since: now(), answer: discover().catch(discover) };
    entry.answer.catch(() => {
      if (cached === entry) cached = undefined;
    });
    cached = entry;
    return entry.answer;
  };
}

/**
 * The issuer's keys, cached across sign-ins and fetched again for a token that none of them signed.
 *
 * The library refetches for an unknown key only if its keys are at least a minute old: anyone who signed in within a
 * minute of a rotation was refused, and their code was spent. It uses the age in the configuration, so the keys are
 * passed to it as a minute older. After five minutes it refetches anyway.
 */
function rememberKeys() {
  const refetchSeconds = 60;
  let cached: oidc.ExportedJWKSCache | undefined;
  return {
    async during<T>(configuration: oidc.Configuration, work: () => Promise<T>): Promise<T> {
      if (cached) oidc.setJwksCache(configuration, cached);
      try {
        return await work();
      } finally {
        const used = oidc.getJwksCache(configuration);
        if (used && used.uat !== cached?.uat) cached = { ...used, uat: used.uat - refetchSeconds };
      }
    },
  };
}

/** Limits for one request to the issuer, from its start to the last byte of the response. */
export const issuerLimits = { timeoutMs: 3_000, maxBytes: 1_000_000 } as const;

const fetchLimited = fetchWithin(issuerLimits);
const timeoutSeconds = issuerLimits.timeoutMs / 1_000;

function discovery(settings: Settings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  return oidc.discovery(issuer, clientId, undefined, clientAuthentication(clientSecret), {
    execute: checksOf(settings),
    timeout: timeoutSeconds,
    [oidc.customFetch]: fetchLimited,
  });
}

/** A separate configuration for each sign-in: a configuration keeps the keys that it was used with. */
function oneUse(settings: Settings, discovered: oidc.Configuration): oidc.Configuration {
  const { clientId, clientSecret } = settings;
  const authentication = clientAuthentication(clientSecret);
  const configuration = new oidc.Configuration(discovered.serverMetadata(), clientId, undefined, authentication);
  configuration.timeout = timeoutSeconds;
  configuration[oidc.customFetch] = fetchLimited;
  for (const check of checksOf(settings)) check(configuration);
  return configuration;
}

function checksOf({ issuer }: Settings): ((configuration: oidc.Configuration) => void)[] {
  // The configuration allows http for loopback addresses only.
  const overHttp = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  return [oidc.enableNonRepudiationChecks, ...overHttp];
}

/** In the body if the issuer lists that method, otherwise as a header, which is the default. */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [inBody, asHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const inBodyToo = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (inBodyToo ? inBody : asHeader)(server, ...rest);
  };
}

/**
 * `fetch` for the issuer's endpoints, within limits: a slow or endless response can neither delay sign-in nor fill the
 * memory. Returns only complete responses.
 *
 * @throws if the issuer takes too long or sends too much
 */
export function fetchWithin({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): CustomFetch {
  return async (url, { body, signal, ...options }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const requestHeaders = new Headers(options.headers);
    requestHeaders.set('accept-encoding', withoutBrotli);
    const response = await fetch(url, {
      ...options,
      headers: requestHeaders,
      // The library's body type is wider than that of `fetch`; it sends a form, or nothing.
      body: body as NonNullable<RequestInit['body']>,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bytes = await readUpTo(response, maxBytes);
    if (!bytes) throw new Error(`The issuer answered with more than ${maxBytes} bytes`);
    const { status, statusText, headers } = response;
    // These statuses have no body, and `Response` rejects even an empty one.
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(bytes), {
      status,
      statusText,
      headers,
    });
  };
}
