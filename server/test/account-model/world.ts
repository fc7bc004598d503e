import type { Response } from 'light-my-request';
import pg from 'pg';
import { claimLinks, reserveAccounts } from '../../src/accounts/built-in-accounts.ts';
import { signInWithIdentity } from '../../src/accounts/google/sign-in-with-identity.ts';
import { type LetterRequest, sendLetter } from '../../src/accounts/link-mails.ts';
import { createLog } from '../../src/log.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { cheapPasswords } from '../support/passwords.ts';
import { type TestServer, testServer } from '../support/server.ts';
import type { ModelSession } from './model.ts';
import { emailOf, fill, type modelOf, type Name, names } from './start.ts';

/** A user's browser: its cookie, and the matching session in the model. */
export type Browser = { cookie: string | undefined; session: ModelSession | undefined };

export type Answer = { readonly status: number; readonly code: string | undefined; readonly body: never };

/** An account row with its credential, as stored in the database. */
export type AccountRecord = Awaited<ReturnType<World['records']>>[number];

/**
 * The real server, its database, its mails and every user's browser.
 *
 * Two servers share one database and differ in `ADMIN_EMAILS`. Switching between them simulates a restart with another
 * list.
 */
export class World {
  browsers = new Map<Name, Browser>();
  /**
   * Cookies that the server replaced or removed. They must never work again, with one exception: after a rotation, as
   * on a change of role, the previous cookie stays valid for 30 seconds.
   */
  forgotten: { readonly cookie: string; readonly goodUntil: number }[] = [];
  readonly #servers: readonly [TestServer, TestServer];
  readonly #client: pg.Client;
  readonly #asked: LetterRequest[];
  #serving: TestServer;
  #calls = 0;

  constructor(servers: readonly [TestServer, TestServer], client: pg.Client, asked: LetterRequest[]) {
    this.#servers = servers;
    this.#client = client;
    this.#asked = asked;
    this.#serving = servers[0];
  }

  static async open(): Promise<World> {
    const asked: LetterRequest[] = [];
    const mails = {
      enqueue: async (_tx: unknown, kind: LetterRequest['kind'], email: string) =>
        void asked.push({ kind, email, askedAt: first.clock }),
      stop: async () => undefined,
    };
    const trusting = { OIDC_TRUSTED_DOMAINS: 'example.com' };
    const first: TestServer = await testServer({ ...trusting, ADMIN_EMAILS: emailOf('root') }, { mails });
    const both = `${emailOf('root')},${emailOf('heir')}`;
    const second = await testServer({ ...trusting, ADMIN_EMAILS: both }, { mails }, undefined, first);
    const client = new pg.Client(first.database.connection);
    await client.connect();
    return new World([first, second], client, asked);
  }

  async close(): Promise<void> {
    await this.#client.end();
    await this.#servers[1].close();
    await this.#servers[0].close();
  }

  async begin(start: ReturnType<typeof modelOf>): Promise<void> {
    this.#serving = this.#servers[0];
    this.#asked.length = 0;
    this.forgotten = [];
    for (const server of this.#servers) server.logged.length = 0;
    this.setClock(start.model.now);
    await fill(this.#client, start);
    this.browsers = new Map(
      names.map((name) => {
        const token = start.cookies.get(name);
        const cookie = token && `kc_session=${token}`;
        const session = start.model.sessions.find(({ account }) => account.email === emailOf(name));
        return [name, { cookie, session }];
      }),
    );
  }

  /** The start time of the next history: a day later, because the audit log keeps the entries of the previous one. */
  nextBeginning(): number {
    return this.#serving.clock + 24 * 3_600_000;
  }

  /** The server log of this history. */
  logged(): string {
    return this.#serving.logged.join('');
  }

  setClock(now: number): void {
    for (const server of this.#servers) server.clock = now;
  }

  /** A call from a browser, which stores the cookie of the response. Each call has its own network address. */
  async call(browser: Browser, method: string, path: string, body?: unknown): Promise<Answer> {
    const from = this.#nextAddress();
    const response = await this.#serving.call(method, path, { body, cookie: browser.cookie, from });
    const isMeant = response.statusCode === 200 && beginsOrEnds.test(`${method} ${path}`);
    this.#takeOver(browser, response, isMeant);
    const json = String(response.headers['content-type']).includes('json') ? response.json() : undefined;
    return { status: response.statusCode, code: json?.data?.code, body: json as never };
  }

  #takeOver(browser: Browser, response: Response, isMeant: boolean): void {
    // Only the session cookie matters here. The cookie that recognizes a browser grants no access.
    const headers = [response.headers['set-cookie'] ?? []].flat().filter((header) => header.includes('kc_session='));
    for (const header of headers) {
      const isRotation = !isMeant || header !== headers.at(-1);
      const goodUntil = isRotation ? this.#serving.clock + 30_000 : 0;
      if (browser.cookie) this.forgotten.push({ cookie: browser.cookie, goodUntil });
      const cookie = header.split(';')[0] ?? '';
      browser.cookie = cookie.endsWith('=') ? undefined : cookie;
    }
  }

  /** The cookies that are no longer valid. */
  worthless(): string[] {
    return this.forgotten.filter(({ goodUntil }) => goodUntil <= this.#serving.clock).map(({ cookie }) => cookie);
  }

  /** The ID of the account that a cookie is signed in to, according to the server. */
  async accountBehind(cookie: string | undefined): Promise<string | undefined> {
    const answer = await this.call({ cookie, session: undefined }, 'GET', '/api/session');
    return (answer.body as { account?: { id: string } }).account?.id;
  }

  /** Runs the server's own job for the requested mails, and returns each with its token. */
  async letters(): Promise<{ kind: LetterRequest['kind']; email: string; token: string | undefined }[]> {
    const { config, database } = this.#serving;
    const written = [];
    for (let request = this.#asked.shift(); request; request = this.#asked.shift()) {
      const sent: Mail[] = [];
      const mailer = { send: async (mail: Mail) => void sent.push(mail) };
      const now = () => this.#serving.clock;
      await sendLetter({ config, db: database.db, mailer, log: silent, now }, request);
      written.push({ ...request, token: sent[0] && /#([\w-]{43})\n/.exec(sent[0].text)?.[1] });
    }
    return written;
  }

  /** Restarts the server, with or without `heir` on the list of built-in admins. */
  async restart(heirIsListed: boolean): Promise<void> {
    this.#serving = this.#servers[heirIsListed ? 1 : 0];
    const { config, database, clock } = this.#serving;
    await reserveAccounts({ config, db: database.db, log: silent, passwords: cheapPasswords }, clock);
  }

  async claimLinks(): Promise<{ email: string; token: string }[]> {
    const { config, database, clock } = this.#serving;
    const links = await claimLinks({ config, db: database.db, log: silent }, clock);
    return links.map(({ email, link }) => ({ email, token: new URL(link).hash.slice(1) }));
  }

  async records() {
    const { rows } = await this.#client.query<{
      id: string;
      email: string;
      role: 'admin' | 'user';
      status: 'pending' | 'approved' | 'denied';
      proven: boolean;
      password: string | null;
      hasIdentity: boolean;
      migratedFrom: string | null;
    }>(`
      select a.id, a.email, a.role, a.status, a.email_proven_at is not null as proven,
        case when c.locked_at is null then c.password_hash end as password,
        exists (select from identities i where i.account_id = a.id) as "hasIdentity", a.migrated_from as "migratedFrom"
      from accounts a left join credentials c on c.account_id = a.id where a.migrated_to is null order by a.email`);
    return rows;
  }

  /** The number of credentials, identities, sessions and tokens that still belong to replaced accounts. */
  async waysIntoOldRecords(): Promise<number> {
    const { rows } = await this.#client.query<{ ways: number }>(`
      select count(*)::int as ways from accounts a join (
        select account_id from credentials union all select account_id from identities
        union all select account_id from sessions union all select account_id from tokens
      ) way on way.account_id = a.id where a.migrated_to is not null`);
    return rows[0]!.ways;
  }

  /** Signs in a user who returns from the identity provider with a response that was verified as genuine. */
  async identify(
    browser: Browser,
    { sub, email, verified, remember }: { sub: string; email: string; verified: boolean; remember: boolean },
  ): Promise<{ code?: string; accountId?: string }> {
    const { config, database, askForMail } = this.#serving;
    const [mails, now] = [{ enqueue: askForMail }, () => this.#serving.clock];
    const parts = { config, db: database.db, log: silent, mails, announce: async () => undefined, now };
    const iss = 'https://provider.example';
    const claimed = { issuer: iss, email, emailVerified: verified, hostedDomain: undefined };
    const identity = { iss, sub, email: claimed, name: '', picture: undefined, groups: [] };
    const token = browser.cookie?.split('=')[1];
    const answer = await signInWithIdentity(parts, identity, { address: this.#nextAddress(), token, remember });
    if (!answer.ok) return { code: answer.refusal.code };
    if (browser.cookie) this.forgotten.push({ cookie: browser.cookie, goodUntil: 0 });
    browser.cookie = `kc_session=${answer.value.token}`;
    return { accountId: answer.value.accountId };
  }

  #nextAddress(): string {
    const n = this.#calls++;
    return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  }
}

/** Calls whose response may set a cookie for a reason other than rotation. */
const beginsOrEnds = /^(POST|DELETE) \/api\/(session|session\/all|session\/step-up|claim)$/;

const silent = createLog('ERROR', { write: () => undefined });
