import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { launch } from './browser.ts';
import { type RunningServer, removeDataDir, type StartOptions, startServer } from './server.ts';
import { adminPerson, arrive, claim, makeAccount, type Person, type Role, signIn, type Visitor } from './visitor.ts';

/** What a story has: a server of its own and as many people as it needs. */
export type Stage = {
  readonly server: RunningServer;
  /** A stranger on the sign-in page. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** Somebody signed in, on the sign-in page still; the account is made when it is first asked for. */
  signedIn(role: Role, options?: BrowserContextOptions): Promise<Visitor>;
};

/** A story that needs a browser: skipped where there is none (see `e2e/browser.ts`). */
export const story = describe.skipIf(inject('browser') === '');

/**
 * One server and one browser for the stories of a file. After each story its people leave, and a console error or
 * warning, an uncaught error or a policy violation that the story did not expect fails it.
 */
export function useStage(options: StartOptions = {}): Stage {
  let browser: Browser;
  let server: RunningServer;
  let admin: Visitor | undefined;
  const people = new Map<Role, Person>([['admin', adminPerson]]);
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, server] = await Promise.all([launch(inject('browser')), startServer(options)]);
  });
  afterEach(async () => {
    const problems = visitors.flatMap((visitor) => visitor.problems);
    await Promise.all(visitors.splice(0).map((visitor) => visitor.context.close()));
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (server) removeDataDir(server.dataDir);
  });

  const visitor = async (how?: BrowserContextOptions) => {
    const arrived = await arrive(browser, server, how);
    visitors.push(arrived);
    return arrived;
  };
  /** The admin who prepares accounts; not one of the story's people. */
  const preparing = async () => {
    if (!admin) {
      admin = await arrive(browser, server);
      await claim(admin, server);
    }
    return admin;
  };
  return {
    get server() {
      return server;
    },
    visitor,
    async signedIn(role, how) {
      const maker = await preparing();
      if (!people.has(role)) people.set(role, await makeAccount(maker, role, role));
      const arrived = await visitor(how);
      await signIn(arrived, people.get(role)!);
      return arrived;
    },
  };
}

/** Waits until what covers the start is gone: unlike a click, what a hand does goes to whatever lies on top. */
export const uncovered = (page: Page): Promise<void> => page.locator('#loading-overlay').waitFor({ state: 'detached' });
