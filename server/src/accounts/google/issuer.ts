import { googleIssuer } from '@kc/rules/identity';
import * as oidc from 'openid-client';
import type { Config } from '../../config.ts';
import { type Identity, readIdentity } from './identity-claims.ts';
import type { RoundTrip } from './round-trip.ts';

/** The OpenID Connect issuer, as far as signing in needs it. Whatever it does wrong is thrown. */
export type Issuer = {
  /** Where to send the browser. */
  authorizationUrl(trip: RoundTrip): Promise<URL>;
  /**
   * Who came back. State, issuer, code and the ID token's signature, audience, nonce and times are checked.
   *
   * @param query of the callback, as it came
   */
  identify(query: URLSearchParams, trip: RoundTrip): Promise<Identity>;
};

/** For each request to the issuer. */
const timeoutSeconds = 5;
const keepDiscoveryMs = 24 * 3_600_000;

type Settings = NonNullable<Config['google']>;

/** @param redirectUri where the issuer sends browsers back to, as it is registered there */
export function createIssuer(settings: Settings, redirectUri: URL, now: () => number): Issuer {
  const discover = rememberDiscovery(() => discovery(settings), now);
  return {
    async authorizationUrl({ state, nonce, codeVerifier, stepUpOf }) {
      return oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri.href,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(stepUpOf === undefined ? {} : signInAgain(settings)),
      });
    },
    async identify(query, { state, nonce, codeVerifier }) {
      const configuration = await discover();
      const answer = new URL(redirectUri);
      answer.search = query.toString();
      const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The issuer sent no ID token');
      return readIdentity(await withUserInfo(configuration, claims, tokens.access_token));
    },
  };
}

/** Asks for the person, not only for a browser that they signed in with; and for when that was. */
function signInAgain({ issuer }: Settings): Record<string, string> {
  // Google refuses `login`: https://developers.google.com/identity/openid-connect/openid-connect
  const prompt = issuer.origin === googleIssuer ? 'select_account' : 'login';
  return { prompt, max_age: '0', claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }) };
}

/** Google says everything in the ID token; others keep the email for those who ask. */
async function withUserInfo(
  configuration: oidc.Configuration,
  claims: oidc.IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  return { ...more, ...claims };
}

/** Asked when first needed, kept for a day; a failure is not kept. Any number of requests at once ask once. */
function rememberDiscovery(
  ask: () => Promise<oidc.Configuration>,
  now: () => number,
): () => Promise<oidc.Configuration> {
  let kept: { readonly since: number; readonly answer: Promise<oidc.Configuration> } | undefined;
  return () => {
    if (kept && now() - kept.since < keepDiscoveryMs) return kept.answer;
    const asked = { since: now(), answer: ask().catch(ask) };
    asked.answer.catch(() => {
      if (kept === asked) kept = undefined;
    });
    kept = asked;
    return asked.answer;
  };
}

function discovery({ issuer, clientId, clientSecret }: Settings): Promise<oidc.Configuration> {
  const execute = [oidc.enableNonRepudiationChecks];
  // The configuration allows http for a loopback address only.
  if (issuer.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
  return oidc.discovery(issuer, clientId, undefined, clientAuthentication(clientSecret), {
    execute,
    timeout: timeoutSeconds,
  });
}

/** In the body where the issuer says it takes that, else as its header, which is what an issuer takes that says nothing. */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [inBody, asHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const inBodyToo = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (inBodyToo ? inBody : asHeader)(server, ...rest);
  };
}
