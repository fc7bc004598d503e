import { gzipSync } from 'node:zlib';
import type { Page, Request, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import type { Role } from './visitor.ts';

type Budget = {
  readonly screen: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /** JavaScript that the screen may load while nobody touches it, in units of 1024 bytes, each file compressed by gzip. */
  readonly maxKb: number;
  /** It is the screen itself then, not what is shown while it loads. */
  readonly ready: (page: Page) => Promise<unknown>;
};

const budgets: readonly Budget[] = [
  {
    screen: 'sign-in',
    as: 'stranger',
    path: '/login',
    maxKb: 135,
    ready: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  },
  {
    screen: 'admin',
    as: 'admin',
    path: '/admin',
    maxKb: 240,
    ready: (page) => page.getByText('approved@example.com').first().waitFor(),
  },
  {
    screen: 'explorer',
    as: 'approved',
    path: '/visualization?v=sample',
    maxKb: 225,
    ready: (page) => page.getByRole('treeitem').nth(1).waitFor(),
  },
];

/** The news of the session come on an answer that never ends. */
const isStream = (request: Request) => new URL(request.url()).pathname === '/api/events';

/** Looks, one after the other, in which nothing may begin before a screen is at rest. */
const quietLooks = 4;
const betweenLooks = `new Promise((done) => setTimeout(() => requestIdleCallback(done, { timeout: 5000 }), 250))`;

/** Addresses of what the page has received, a worker's script among them. */
const received = `performance.getEntriesByType('resource').map(({ name }) => name)`;
const restMs = 60_000;

/**
 * Everything that a page asks for, and its rest: no answer is awaited, the page has done all its work, and nothing was
 * asked for in a while. Parts that come because an answer named them, or because the page had nothing else to do, have
 * come by then.
 */
function watch(page: Page) {
  const underWay = new Set<Request>();
  let asked = 0;
  page.on('request', (request) => {
    if (isStream(request)) return;
    asked++;
    underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  /** The end of a worker's own request is not told when the worker ends first; the page knows of it. */
  const forgetReceived = async () => {
    const there = new Set(await page.evaluate<string[]>(received));
    for (const request of underWay) if (there.has(request.url())) underWay.delete(request);
  };
  return {
    async rest() {
      const giveUpAt = Date.now() + restMs;
      for (let looks = 0; looks < quietLooks; ) {
        const before = asked;
        await page.evaluate(betweenLooks);
        await forgetReceived();
        looks = asked === before && underWay.size === 0 ? looks + 1 : 0;
        if (Date.now() > giveUpAt) throw new Error(`No rest: ${asked} requests, awaited: ${urls(underWay)}`);
      }
    },
  };
}

const urls = (requests: Iterable<Request>): string => Array.from(requests, (request) => request.url()).join(', ');

story('a screen loads no more script than it needs', () => {
  const stage = useStage();

  test.each(budgets)('$screen: at most $maxKb KB', async ({ screen, as, path, maxKb, ready }) => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = as === 'stranger' ? await stage.visitor() : await stage.signedIn(as);
    // The sign-in page was loaded on arrival: nothing of it may come from the browser's cache now.
    await page.goto('about:blank');
    const scripts = new Map<string, Promise<number>>();
    page.on('response', (response: Response) => {
      const url = response.url();
      if (!url.endsWith('.js')) return;
      scripts.set(
        url,
        response.body().then((body) => gzipSync(body).length),
      );
    });
    const network = watch(page);
    await page.goto(path);
    await ready(page);
    await network.rest();
    const sizes = await Promise.all([...scripts].map(async ([url, size]) => ({ url, kb: (await size) / 1024 })));
    const kb = sizes.reduce((sum, one) => sum + one.kb, 0);
    console.log(`${screen}: ${kb.toFixed(1)} KB of JavaScript in ${sizes.length} files (at most ${maxKb})`);
    const heaviest = sizes.sort((a, b) => b.kb - a.kb).slice(0, 8);
    const named = heaviest.map(({ url, kb: size }) => `${size.toFixed(1)} ${url.split('/').at(-1)}`);
    expect(kb, named.join(', ')).toBeLessThanOrEqual(maxKb);
  });
});
