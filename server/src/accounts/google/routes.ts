import {
  type GoogleFailure,
  googleCallback,
  googleDone,
  googleFailures,
  googleOutcome,
  googleStart,
} from '@kc/rules/google';
import { say } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { googleRequest } from '@kc/rules/shapes';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import { type RoundTripCookies, roundTripCookies } from '../../http/cookies.ts';
import { consume, type Limit } from '../../http/rate-limits.ts';
import { refusalOfFault, sendRefusal } from '../../http/refusals.ts';
import type { AccountDeps } from '../deps.ts';
import { signInAddressLimit } from '../limits.ts';
import { mayCall } from '../require.ts';
import { limited } from '../sign-in.ts';
import type { Identity } from './identity-claims.ts';
import { createIssuer, type Issuer } from './issuer.ts';
import { createRoundTripSeal, type RoundTrip, type RoundTripSeal } from './round-trip.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { stepUpWithIdentity } from './step-up-with-identity.ts';

/** Browsers request these once, as pages. `HEAD` is not needed and would have side effects. */
const asPage = { exposeHeadRoute: false };

/**
 * Sign-in with Google, or with another OpenID Connect issuer: code flow with PKCE, `state` and `nonce`. The session is
 * set only as a cookie. Every failure ends in a code of the catalogue, where the page looks for it.
 *
 * Source: SECURITY.md, S16, T13, T14, T16, T18, T22, T23.
 */
export function googleRoutes(deps: AccountDeps): FastifyPluginAsync {
  const { config, now } = deps;
  const { google } = config;
  return async (scope) => {
    if (!google) {
      for (const path of [googleStart, googleCallback]) {
        scope.get(path, asPage, (_request, reply) => sendRefusal(reply, { code: 'sign-in/google-off' }));
      }
      return;
    }
    const way: Way = {
      deps,
      issuer: createIssuer(google, new URL(googleCallback, config.baseUrl), now, config.groupRoles?.claim),
      seal: createRoundTripSeal(deps.secret, now),
      cookies: roundTripCookies(config.secureCookies),
    };
    scope.get(googleStart, asPage, (request, reply) => start(way, request, reply));
    scope.get(googleCallback, asPage, (request, reply) => finish(way, request, reply));
  };
}

type Way = {
  readonly deps: AccountDeps;
  readonly issuer: Issuer;
  readonly seal: RoundTripSeal;
  readonly cookies: RoundTripCookies;
};

async function start({ deps, issuer, seal, cookies }: Way, request: FastifyRequest, reply: FastifyReply) {
  // Another site must not sign a browser in as someone, nor end its session.
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (site !== 'same-origin' && site !== 'none') return sendRefusal(reply, { code: 'request/cross-site' });
  const parsed = googleRequest.safeParse(request.query);
  if (!parsed.success) return sendRefusal(reply, { code: 'request/invalid' });
  const { flow, nonce: pageNonce, remember, origin, purpose } = parsed.data;
  if (origin !== undefined && origin !== deps.config.baseUrl.origin) {
    return end(reply, { flow, pageNonce }, 'google/unauthorized-domain');
  }
  const { requestContext: context } = request;
  const permission = mayCall(purpose === 'step-up' ? 'admin' : 'anyone', context);
  if (!permission.ok) {
    await context.reportRefused(permission.refusal.code);
    return end(reply, { flow, pageNonce }, 'google/failed');
  }
  const trip: RoundTrip = {
    flow,
    pageNonce,
    remember: remember === 'true',
    begunAt: deps.now(),
    stepUpOf: purpose === 'step-up' ? context.person?.sessionId : undefined,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
  try {
    const url = await issuer.authorizationUrl(trip);
    const cookie = cookies.write(request.headers.cookie, trip.state, await seal.seal(trip));
    return reply.header('Set-Cookie', cookie).redirect(url.href);
  } catch (error) {
    deps.log.warn({ event: 'google', err: error }, 'The identity provider could not be reached');
    return end(reply, trip, 'google/failed');
  }
}

async function finish({ deps, issuer, seal, cookies }: Way, request: FastifyRequest, reply: FastifyReply) {
  const query = new URL(request.url, deps.config.baseUrl).searchParams;
  const sealed = cookies.read(request.headers.cookie, query.get('state'));
  const trip = sealed ? await seal.open(sealed) : undefined;
  // Not from this browser, or too late. It is unknown where it began, so it ends on the sign-in page.
  if (!trip || query.get('state') !== trip.state)
    return end(reply, { flow: 'redirect', pageNonce: '' }, 'google/failed');
  reply.header('Set-Cookie', cookies.clear(trip.state));
  const failure = await comeBackOnce({ deps, issuer }, { trip, query }, request);
  return end(reply, trip, failure);
}

/** Each round trip accepts one callback, whatever else arrives. */
const callbackLimit: Limit = { name: 'google-callback', uses: 1, windowMs: 3_600_000 };

/** @returns why nobody was signed in or confirmed, or `undefined` on success */
async function comeBackOnce(
  { deps, issuer }: Pick<Way, 'deps' | 'issuer'>,
  { trip, query }: { readonly trip: RoundTrip; readonly query: URLSearchParams },
  { requestContext: context }: FastifyRequest,
): Promise<GoogleFailure | undefined> {
  const { db, log, now } = deps;
  try {
    if ((await consume(db, callbackLimit, trip.state, now())) > 0) return 'google/failed';
    const wait = await consume(db, signInAddressLimit, context.address, now());
    if (wait > 0) {
      await limited(deps, 'google', context.address, wait);
      return 'google/failed';
    }
    const identity = await identify(deps, issuer, trip, query);
    if (typeof identity === 'string') return identity;
    if (trip.stepUpOf !== undefined) {
      const again = await stepUpWithIdentity(deps, context, identity, trip);
      if (again.ok) context.setSession(again.value.token, again.value.remembered);
      return again.ok ? undefined : 'google/failed';
    }
    const { address, token } = context;
    const signedIn = await signInWithIdentity(deps, identity, { address, token, remember: trip.remember });
    if (!signedIn.ok) return googleFailures.find((code) => code === signedIn.refusal.code) ?? 'google/failed';
    context.setSession(signedIn.value.token, trip.remember);
    return undefined;
  } catch (error) {
    refusalOfFault(error, `GET ${googleCallback}`, log);
    return 'google/profile-failed';
  }
}

/** The person who came back, or the reason for a refusal. An issuer's misbehaviour is no fault of this server. */
async function identify(
  { log }: AccountDeps,
  issuer: Issuer,
  trip: RoundTrip,
  query: URLSearchParams,
): Promise<Identity | GoogleFailure> {
  try {
    return await issuer.identify(query, trip);
  } catch (error) {
    const failure = failureOf(error);
    // Apart from its code, a refusal contains the browser's address with the state in it.
    const why = error instanceof oidc.AuthorizationResponseError ? { told: error.error.slice(0, 100) } : { err: error };
    log.info({ event: 'google', result: failure, ...why }, 'A sign-in at the identity provider failed');
    return failure;
  }
}

function failureOf(error: unknown): GoogleFailure {
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') return 'cancelled';
  const isFromProvider = error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  const isForeign = isFromProvider && ['redirect_uri_mismatch', 'unauthorized_client'].includes(error.error);
  return isForeign ? 'google/unauthorized-domain' : 'google/failed';
}

/** The result for the waiting page: reported by the popup, or in the address of the sign-in page. */
function end(
  reply: FastifyReply,
  { flow, pageNonce }: Pick<RoundTrip, 'flow' | 'pageNonce'>,
  failure: GoogleFailure | undefined,
): FastifyReply {
  if (flow === 'popup') return reply.type('text/html; charset=utf-8').send(callbackPage(pageNonce, failure));
  return reply.redirect(`${paths.login}?${new URLSearchParams({ [googleOutcome]: failure ?? googleDone })}`);
}

/**
 * The page that a popup ends on. Its script, `web/public/google-callback.js`, reports the attributes to the page that
 * opened it and closes the window. Nothing is inline, and nothing in it is secret.
 *
 * Source: SECURITY.md, S16.
 *
 * @param nonce of the page that opened the window: letters, digits, `-` and `_`
 */
function callbackPage(nonce: string, failure: GoogleFailure | undefined): string {
  const outcome = failure === undefined ? '' : ` data-failure="${failure}"`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keyword Clustering</title>
<link rel="icon" href="/favicon.svg">
<script src="/google-callback.js" data-nonce="${nonce}"${outcome}></script>
<main>
<p>${say('google/close-window')}</p>
</main>
</html>
`;
}
