import { googleCallback, googleStart } from '@kc/rules/google';
import type { Session } from '@kc/rules/shapes';
import type { Response } from 'light-my-request';
import type { Environment } from '../../src/config.ts';
import { startTestProvider, type TestPerson, type TestProvider } from './provider.ts';
import { type TestServer, testServer } from './server.ts';

/** A server and the identity provider that it redirects to. */
export type GoogleStage = {
  readonly server: TestServer;
  readonly provider: TestProvider;
  browser(): TestBrowser;
  /** Adds a person to the provider, by default with an unused email. */
  somebody(claims?: Partial<TestPerson>): TestPerson;
  close(): Promise<void>;
};

export const trustedDomain = 'trusted.example';
export const pageNonce = 'nonce-of-the-page';

export async function googleStage(environment: Environment = {}): Promise<GoogleStage> {
  const provider = await startTestProvider({ redirectUris: [`http://localhost:3000${googleCallback}`] });
  const server = await testServer({
    ...provider.environment,
    OIDC_TRUSTED_DOMAINS: `${trustedDomain},example.com`,
    ...environment,
  });
  let people = 0;
  return {
    server,
    provider,
    browser: () => createBrowser(server, provider),
    somebody(claims = {}) {
      const number = people++;
      const person = { sub: `sub-${number}`, email: `person-${number}@${trustedDomain}`, email_verified: true };
      const told = { ...person, ...claims };
      provider.people = [...provider.people.filter(({ sub }) => sub !== told.sub), told];
      return told;
    },
    async close() {
      await server.close();
      await provider.stop();
    },
  };
}

/** A browser with its cookies. */
export type TestBrowser = {
  /** The `cookie` header for requests to the server. */
  cookie(): string;
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** @returns the URL of the redirect */
  start(query?: Readonly<Record<string, string>>): Promise<string>;
  /** Visits the provider, signs in as a person (or chooses `cancel`), and returns. */
  goAs(who: string, query?: Readonly<Record<string, string>>): Promise<Response>;
  session(): Promise<Session>;
};

export function createBrowser(server: TestServer, provider: Pick<TestProvider, 'visit'>): TestBrowser {
  const jar = new Map<string, string>();
  const browser: TestBrowser = {
    cookie: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    async open(path, headers = {}) {
      const response = await server.app.inject({ url: path, headers: { cookie: browser.cookie(), ...headers } });
      for (const header of [response.headers['set-cookie'] ?? []].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
        if (/Max-Age=0/.test(header)) jar.delete(name!);
        else jar.set(name!, value!);
      }
      return response;
    },
    async start(query = {}) {
      const search = new URLSearchParams({ flow: 'redirect', nonce: pageNonce, ...query });
      return String((await browser.open(`${googleStart}?${search}`)).headers.location);
    },
    async goAs(who, query = {}) {
      const { pathname, search } = new URL(await provider.visit(await browser.start(query), who));
      return browser.open(pathname + search);
    },
    session: async () => (await browser.open('/api/session')).json() as Session,
  };
  return browser;
}

/** The result that a redirect to the sign-in page reports, or the target of any other redirect. */
export function outcome(response: Response): string {
  const location = String(response.headers.location);
  return /^\/login\?google=(.+)$/.exec(location)?.[1]?.replace('%2F', '/') ?? location;
}
