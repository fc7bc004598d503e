import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import type { Role } from './visitor.ts';

type Budget = {
  readonly screen: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /** JavaScript that the screen may load before anything is opened in it, in units of 1024 bytes, compressed by gzip. */
  readonly maxKb: number;
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

/** Workers are beside the page, which stands before they are there: whether one came by then is chance. */
const isWorker = (url: string) => /\.worker[^/]*\.js$/.test(url);

story('a screen loads no more script than it needs', () => {
  const stage = useStage();

  test.each(budgets)('$screen: at most $maxKb KB', async ({ screen, as, path, maxKb, ready }) => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = as === 'stranger' ? await stage.visitor() : await stage.signedIn(as);
    // The sign-in page was loaded on arrival: nothing of it may come from the browser's cache now.
    await page.goto('about:blank');
    const scripts = new Map<string, Promise<number>>();
    const count = (response: Response) => {
      const url = response.url();
      if (url.endsWith('.js') && !isWorker(url))
        scripts.set(
          url,
          response.body().then((body) => gzipSync(body).length),
        );
    };
    page.on('response', count);
    await page.goto(path);
    await ready(page);
    // What comes from here on is waited for by nobody, and its body may be gone with the page.
    page.off('response', count);
    const sizes = await Promise.all([...scripts].map(async ([url, size]) => ({ url, kb: (await size) / 1024 })));
    const kb = sizes.reduce((sum, one) => sum + one.kb, 0);
    console.log(`${screen}: ${kb.toFixed(1)} KB of JavaScript in ${sizes.length} files (at most ${maxKb})`);
    const heaviest = sizes.sort((a, b) => b.kb - a.kb).slice(0, 8);
    const named = heaviest.map(({ url, kb: size }) => `${size.toFixed(1)} ${url.split('/').at(-1)}`);
    expect(kb, named.join(', ')).toBeLessThanOrEqual(maxKb);
  });
});
