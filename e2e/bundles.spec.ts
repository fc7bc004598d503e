import { gzipSync } from 'node:zlib';
import type { Page, Request, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import type { Role } from './visitor.ts';

type Budget = {
  readonly screen: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /**
   * JavaScript that the screen may load without interaction, in units of 1024 bytes, each file compressed with gzip.
   */
  readonly maxKb: number;
  /** Waits for the screen itself, not its loading state. */
  readonly ready: (page: Page) => Promise<unknown>;
};

const budgets: readonly Budget[] = [
  {
    screen: 'sign-in',
    as: 'stranger',
    path: '/login',
    maxKb: 150,
    ready: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  },
  {
    screen: 'admin',
    as: 'admin',
    path: '/admin',
    maxKb: 400,
    ready: (page) => page.getByText('approved@example.com').first().waitFor(),
  },
  {
    screen: 'explorer',
    as: 'approved',
    path: '/visualization?v=sample',
    maxKb: 400,
    ready: (page) => page.getByRole('treeitem').nth(1).waitFor(),
  },
];

/** The event stream, a response that never ends. */
const isStream = (request: Request) => new URL(request.url()).pathname === '/api/events';

/** Number of consecutive checks without a new request before the page counts as idle. */
const quietLooks = 4;
const betweenLooks = `new Promise((done) => setTimeout(() => requestIdleCallback(done, { timeout: 5000 }), 250))`;

/** URLs that the page has received, including worker scripts. */
const received = `performance.getEntriesByType('resource').map(({ name }) => name)`;
const restMs = 60_000;

/**
 * Tracks all requests of a page until it is idle: no response is pending, the page has no work left, and there was no
 * new request for a while. That includes what is loaded after a response or when idle.
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
  /** If a worker ends before its own request, there is no event for the end of the request; the page knows. */
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

  // Shows P2.11.
  test.each(budgets)('$screen: at most $maxKb KB', async ({ screen, as, path, maxKb, ready }) => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = as === 'stranger' ? await stage.visitor() : await stage.signedIn(as);
    // The sign-in page was loaded on arrival, so leave it: nothing may come from the browser's cache now.
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
