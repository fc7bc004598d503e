import { googleCallback, googleStart } from '@kc/rules/google';
import type { Session } from '@kc/rules/shapes';
import type { Response } from 'light-my-request';
import type { Environment } from '../../src/config.ts';
import { startTestProvider, type TestPerson, type TestProvider } from './provider.ts';
import { type TestServer, testServer } from './server.ts';

/** A server and the provider that it sends people to. */
export type GoogleStage = {
  readonly server: TestServer;
  readonly provider: TestProvider;
  browser(): TestBrowser;
  /** Somebody whom the provider knows from now on, under an email that nobody had. */
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

/** A browser's cookies and where it goes with them. */
export type TestBrowser = {
  /** What it would send to this server. */
  cookie(): string;
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** @returns where it is sent on to */
  start(query?: Readonly<Record<string, string>>): Promise<string>;
  /** To the provider, signed in as this person (or `cancel`), and back. */
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

/** What a redirect says of how it went, or where it leads if it does not lead to the sign-in page. */
export function outcome(response: Response): string {
  const location = String(response.headers.location);
  return /^\/login\?google=(.+)$/.exec(location)?.[1]?.replace('%2F', '/') ?? location;
}
