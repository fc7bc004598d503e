import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { connect } from './browser.ts';
import { makePlace, type Place } from './database.ts';
import { type RunningServer, type StartOptions, startServer } from './server.ts';
import {
  adminPerson,
  arrive,
  blankPage,
  claim,
  makeAccount,
  type Person,
  type Role,
  signIn,
  type Visitor,
} from './visitor.ts';

/** What a story has: a server of its own and as many people as it needs. */
export type Stage = {
  readonly server: RunningServer;
  /** A stranger on the sign-in page. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** Somebody signed in, on a page without script still; the account is made when it is first asked for. */
  signedIn(role: Role, options?: BrowserContextOptions): Promise<Visitor>;
};

/** A story that needs a browser: skipped where there is none (see `e2e/browser.ts`). */
export const story = describe.skipIf(inject('browser') === '');

/**
 * One server for the stories of a file, on a database of its own, and the browser of the run. After each story its people
 * leave, and a console error or warning, an uncaught error or a policy violation that the story did not expect fails it.
 */
export function useStage(options: StartOptions = {}): Stage {
  let browser: Browser;
  let place: Place;
  let server: RunningServer;
  let admin: Visitor | undefined;
  const people = new Map<Role, Person>([['admin', adminPerson]]);
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await connect(inject('browserEndpoint'));
    place = await makePlace(inject('databases'), options.env);
    server = await startServer({ ...options, ...place });
  });
  afterEach(async () => {
    const problems = visitors.flatMap((visitor) => visitor.problems);
    await Promise.all(visitors.splice(0).map((visitor) => visitor.context.close()));
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await place?.remove();
  });

  const visitor = async (how?: BrowserContextOptions, path?: string) => {
    const arrived = await arrive(browser, server, how, path);
    visitors.push(arrived);
    return arrived;
  };
  /** The admin who prepares accounts; not one of the story's people. */
  const preparing = async () => {
    if (!admin) {
      admin = await arrive(browser, server, {}, blankPage);
      await claim(admin, server);
    }
    return admin;
  };
  return {
    get server() {
      return server;
    },
    visitor: (how) => visitor(how),
    async signedIn(role, how) {
      const maker = await preparing();
      if (!people.has(role)) people.set(role, await makeAccount(maker, role, role));
      const arrived = await visitor(how, blankPage);
      await signIn(arrived, people.get(role)!);
      return arrived;
    },
  };
}

/** Waits until what covers the start is gone: unlike a click, what a hand does goes to whatever lies on top. */
export const uncovered = (page: Page): Promise<void> => page.locator('#loading-overlay').waitFor({ state: 'detached' });
