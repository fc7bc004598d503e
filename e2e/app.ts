import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { connect } from './browser.ts';
import { keepTables, makePlace } from './database.ts';
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

/** The resources of a story: a server and any number of users. */
export type Stage = {
  readonly server: RunningServer;
  /** A visitor on the sign-in page. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** A signed-in user on a page without scripts; the account is created on first use. */
  signedIn(role: Role, options?: BrowserContextOptions): Promise<Visitor>;
};

/** A story that needs a browser: skipped if there is none (see `e2e/browser.ts`). */
export const story = describe.skipIf(inject('browser') === '');

/** A server whose built-in admin prepares accounts behind the scenes. */
type Ground = {
  readonly server: RunningServer;
  /** Claims the server on first use. */
  admin(): Promise<Pick<Visitor, 'call'>>;
};

/** What the files of a worker share, because it costs more than most stories: they run one after the other. */
let browser: Promise<Browser> | undefined;
let shared: Promise<Ground & { readonly putBack: () => Promise<void> }> | undefined;

// Vitest ends a worker by this signal, and then the worker ends its servers (see `e2e/server.ts`).
process.once('SIGTERM', () => process.exit());

/**
 * The server that the files of a worker share, for the stories of one file. Its tables have the same content at the
 * beginning of each file: the sample and the built-in admin, who has claimed it. Each story starts with a new browser
 * profile per user. An unexpected console error or warning, uncaught error or policy violation fails the story.
 */
export const useStage = (): Stage =>
  stageOn(async () => {
    shared ??= startShared();
    const { putBack, ...ground } = await shared;
    await putBack();
    return { ...ground, end: async () => undefined };
  });

/** Like {@link useStage}, with a server of its own: unclaimed, or with other settings, or one that ends. */
export const useOwnServer = (options: StartOptions = {}): Stage =>
  stageOn(async () => {
    const place = await makePlace(inject('databases'), options.env);
    const server = await startServer({ ...options, ...place });
    let admin: Promise<Visitor> | undefined;
    return {
      server,
      admin: () => (admin ??= claimed(server)),
      async end() {
        await (await admin)?.context.close();
        await server.stop();
        await place.remove();
      },
    };
  });

async function startShared(): Promise<Ground & { readonly putBack: () => Promise<void> }> {
  const place = await makePlace(inject('databases'), { SUPPORT_EMAIL: 'help@example.com' });
  const server = await startServer(place);
  const admin = await claimed(server);
  const putBack = await keepTables(inject('databases'), server);
  return { server, admin: async () => admin, putBack };
}

async function claimed(server: RunningServer): Promise<Visitor> {
  const admin = await arrive(await theBrowser(), server, {}, blankPage);
  await claim(admin, server);
  return admin;
}

const theBrowser = (): Promise<Browser> => (browser ??= connect(inject('browserEndpoint')));

function stageOn(begin: () => Promise<Ground & { end(): Promise<void> }>): Stage {
  let ground: Awaited<ReturnType<typeof begin>>;
  const people = new Map<Role, Person>([['admin', adminPerson]]);
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    ground = await begin();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') for (const one of visitors) console.error(await shownTo(one));
    const problems = visitors.flatMap((visitor) => visitor.problems);
    await Promise.all(visitors.splice(0).map((visitor) => visitor.context.close()));
    expect(problems).toEqual([]);
  });
  afterAll(() => ground?.end());

  const visitor = async (how?: BrowserContextOptions, path?: string) => {
    const arrived = await arrive(await theBrowser(), ground.server, how, path);
    visitors.push(arrived);
    return arrived;
  };
  return {
    get server() {
      return ground.server;
    },
    visitor: (how) => visitor(how),
    async signedIn(role, how) {
      const maker = await ground.admin();
      if (!people.has(role)) people.set(role, await makeAccount(maker, role, role));
      const arrived = await visitor(how, blankPage);
      await signIn(arrived, people.get(role)!);
      return arrived;
    },
  };
}

/** What somebody sees whose story failed, and what their browser complained about. */
async function shownTo({ page, problems }: Visitor): Promise<string> {
  const shown = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
  return [page.url(), shown, ...problems].join('\n');
}

/** Presses the keys of a sequence. The page waits a second for the next one, so none is sent after another was handled. */
export const pressSequence = (page: Page, ...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/** Waits until the loading overlay is gone: unlike a locator click, raw input goes to the topmost element. */
export const uncovered = (page: Page): Promise<void> => page.locator('#loading-overlay').waitFor({ state: 'detached' });
