import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { story } from './app.ts';
import { launch } from './browser.ts';
import { continueAs, openGoogle } from './google-people.ts';
import { freePort, type RunningServer, removeDataDir, startServer } from './server.ts';
import { arrive } from './visitor.ts';

story('a developer runs the product', () => {
  let browser: Browser;
  let server: RunningServer;
  let url: string;

  beforeAll(async () => {
    const webPort = await freePort();
    // The stand-in for Google takes the next port, so the server needs another one.
    await freePort();
    url = `http://localhost:${webPort}`;
    const started = startServer({ script: 'tools/dev.ts', env: { WEB_PORT: String(webPort) } });
    [browser, server] = await Promise.all([launch(inject('browser')), started]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (server) removeDataDir(server.dataDir);
  });

  test('the page is where the server says, and a stand-in for Google offers the administrator, until Ctrl-C', async () => {
    await expect.poll(server.said, { timeout: 60_000 }).toContain(`Local:   ${url}/`);
    expect(server.said()).toMatch(/http:\S+ stands in for Google/);
    const { page, problems, context } = await arrive(browser, { url });
    await continueAs(await openGoogle(page), 'admin@example.com');
    await page.waitForURL('**/visualization');
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    await page.getByText('admin@example.com').first().waitFor();
    await context.close();
    expect(problems).toEqual([]);

    // Ctrl-C ends everything cleanly.
    expect(await server.stop()).toBe(0);
    expect(server.said()).not.toContain('"level":"ERROR"');
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
