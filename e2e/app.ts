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

/** The resources of a story: its own server and any number of users. */
export type Stage = {
  readonly server: RunningServer;
  /** A visitor on the sign-in page. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** A signed-in user on a page without scripts; the account is created on first use. */
  signedIn(role: Role, options?: BrowserContextOptions): Promise<Visitor>;
};

/** A story that needs a browser: skipped if there is none (see `e2e/browser.ts`). */
export const story = describe.skipIf(inject('browser') === '');

/**
 * One server with its own database for the stories of a file. Each story starts with a new browser profile per user. An
 * unexpected console error or warning, uncaught error or policy violation fails the story.
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
  /** An admin who prepares accounts behind the scenes; not a user of the story. */
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

/** Waits until the loading overlay is gone: unlike a locator click, raw input goes to the topmost element. */
export const uncovered = (page: Page): Promise<void> => page.locator('#loading-overlay').waitFor({ state: 'detached' });
