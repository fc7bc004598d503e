/**
 * A real OpenID Connect provider for tests and development, on a loopback port and without a network. It uses the same
 * flow as Google (code, PKCE, RS256, claims in the ID token). Its list of people may change at any time. It can
 * simulate:
 *
 * - a proven email: `email_verified: true` in a domain of `OIDC_TRUSTED_DOMAINS`. The provider is not Google, so its
 *   claims about Gmail addresses, and its `hd`, prove nothing;
 * - an unverified or missing email: a person with `email_verified: false` (or `'true'`), or without `email`;
 * - a changed email: the same `sub` with another `email`; a recycled address: the same `email` with another `sub`;
 * - refused consent: "Cancel" on the page; a redirect mismatch: start the provider with other `redirectUris`.
 *
 * Each time, its page asks who is signing in. It has a "Continue as EMAIL" button for each person, and "Cancel".
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';

/** The provider's claims about a person. Claims can have any value, so that tests can try hostile ones. */
export type TestPerson = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  /** Google's claim for the domain of the organization. */
  readonly hd?: string;
  readonly name?: string;
  readonly picture?: string;
  readonly groups?: unknown;
};

export type TestProviderOptions = {
  /** The allowed redirect URIs. Any other is a redirect mismatch. */
  readonly redirectUris: readonly string[];
  readonly people?: readonly TestPerson[];
  /** 0, the default, picks any free port. */
  readonly port?: number;
  /** Where the claims are: in the ID token, as with Google, or only in the user info response. */
  readonly claimsIn?: 'id-token' | 'user-info';
};

export type TestProvider = {
  /** The environment variables for a server that uses this provider. */
  readonly environment: Readonly<Record<'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET' | 'GOOGLE_ISSUER', string>>;
  readonly issuer: string;
  /** The people who can sign in, with unique `sub`s. Tests may change the list at any time. */
  people: readonly TestPerson[];
  /**
   * Follows the provider's pages as a browser would.
   *
   * @param authorizationUrl the URL to which the server under test redirected
   * @param who the `sub` of the person who signs in, or `cancel`
   * @returns the URL to which the provider redirects back
   * @throws Error when the provider shows an error page instead, as for a redirect mismatch
   */
  visit(authorizationUrl: string, who: string): Promise<string>;
  stop(): Promise<void>;
};

const client = { id: 'test-client', secret: 'a-secret-that-only-tests-know' };

export async function startTestProvider(options: TestProviderOptions): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, await configuration(options, () => running.people));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    interact(provider, running.people, request, response).catch((error: Error) => {
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error.message);
    });
  });
  const running: TestProvider = {
    environment: { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_ISSUER: issuer },
    issuer,
    people: options.people ?? [],
    visit: (authorizationUrl, who) => visit(issuer, authorizationUrl, who),
    stop: () => stop(server),
  };
  return running;
}

async function configuration(
  { redirectUris, claimsIn = 'id-token' }: TestProviderOptions,
  people: () => readonly TestPerson[],
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const hour = 3600;
  return {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test-key' }] },
    cookies: { keys: ['tests sign their cookies with this'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'hd'],
      profile: ['name', 'picture'],
      groups: ['groups'],
    },
    conformIdTokenClaims: claimsIn === 'user-info',
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    expiresWithSession: () => false,
    ttl: { AccessToken: hour, AuthorizationCode: 60, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    findAccount: (_context, sub) => {
      const person = people().find((one) => one.sub === sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    renderError: (context, { error, error_description }) => {
      context.type = 'text';
      context.body = `${error}: ${error_description}`;
    },
  };
}

/** Serves the page that asks who is signing in, and handles the choice. */
async function interact(
  provider: Provider,
  people: readonly TestPerson[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page(people));
    return;
  }
  const sub = new URLSearchParams(await text(request)).get('sub');
  if (!people.some((person) => person.sub === sub)) {
    const refused = { error: 'access_denied', error_description: 'The person said no' };
    return provider.interactionFinished(request, response, refused);
  }
  const grant = new provider.Grant({ accountId: sub!, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const grantId = await grant.save();
  return provider.interactionFinished(request, response, { login: { accountId: sub! }, consent: { grantId } });
}

function page(people: readonly TestPerson[]): string {
  const choices = people.map(
    ({ sub, email }) =>
      `<p><button name="sub" value="${htmlText(sub)}">Continue as ${htmlText(email ?? sub)}</button></p>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Test provider</title>
<link rel="icon" href="data:,">
<main>
<h1>Who is signing in?</h1>
<form method="post">
${choices.join('\n')}
<p><button>Cancel</button></p>
</form>
</main>
</html>
`;
}

const htmlText = (value: string) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

async function visit(issuer: string, authorizationUrl: string, who: string): Promise<string> {
  const cookies = new Map<string, string>();
  const open = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body ? { method: 'POST', body } : {}),
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
      cookies.set(name!, value!);
    }
    return response;
  };
  let url = authorizationUrl;
  for (let step = 0; step < 10 && url.startsWith(issuer); step++) {
    const isPage = url.includes('/interaction/');
    const body = isPage ? new URLSearchParams(who === 'cancel' ? {} : { sub: who }) : undefined;
    const response = await open(url, body);
    const next = response.headers.get('location');
    if (next === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url).href;
  }
  return url;
}

/** The provider's storage. It does not keep sign-ins, so that the page asks again in the same browser. */
function memoryAdapter(): (kind: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  const findBy = (kind: string, matches: (payload: AdapterPayload) => boolean) =>
    [...kept].find(([key, payload]) => key.startsWith(`${kind}:`) && matches(payload))?.[1];
  return (kind) => ({
    upsert: async (id, payload) => void kept.set(`${kind}:${id}`, payload),
    find: async (id) => (kind === 'Session' ? undefined : kept.get(`${kind}:${id}`)),
    findByUid: async (uid) => findBy(kind, (payload) => payload.uid === uid),
    findByUserCode: async (code) => findBy(kind, (payload) => payload.userCode === code),
    consume: async (id) => {
      const payload = kept.get(`${kind}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void kept.delete(`${kind}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    },
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
