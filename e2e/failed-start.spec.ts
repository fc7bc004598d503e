import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useOwnServer } from './app.ts';
import { claimLink } from './server.ts';
import { adminPerson } from './visitor.ts';

const sentence = 'Keyword Clustering could not be loaded. Check your connection and reload the page.';
const said = (page: Page) => page.getByRole('alert').getByText(sentence);
const scripts = '**/assets/*.js';

story('the scripts of the page fail to load', () => {
  const stage = useOwnServer();

  test('a message says so at once, and a reload opens the requested page', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/ERR_FAILED/);
    await page.route(scripts, (route) => route.abort());
    await page.goto(claimLink(stage.server));
    await said(page).waitFor();
    expect(await page.locator('#loading-overlay').isVisible()).toBe(false);

    await page.unroute(scripts);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    // The fragment of the address is still valid.
    await page.getByLabel('Email address').waitFor();
    await expect.poll(() => page.getByLabel('Email address').inputValue()).toBe(adminPerson.email);
    expect(await said(page).count()).toBe(0);
  });

  test('a script that throws before the first screen is reported in the same way', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/broken on purpose/);
    await page.route(scripts, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `throw new Error('broken on purpose');` }),
    );
    await page.goto('/login');
    await said(page).waitFor();
  });

  test('while scripts may still arrive there is no message; when the overlay is forced away, there is', async () => {
    const { page } = await stage.visitor();
    await page.route(scripts, () => undefined);
    await page.goto('/login', { waitUntil: 'commit' });
    await page.locator('#loading-overlay').waitFor();
    expect(await said(page).count()).toBe(0);
    const delay = await page.evaluate(`(() => {
      const [animation] = document.getElementById('failed-start').getAnimations();
      const { delay } = animation.effect.getTiming();
      animation.finish();
      return delay;
    })()`);
    expect(delay).toBe(15_000);
    await said(page).waitFor();
    await page.unroute(scripts);
  });

  test('an error after the start changes nothing', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/late error/);
    await page.getByLabel('Email address').waitFor();
    await page.evaluate(`setTimeout(() => { throw new Error('late error'); })`);
    await page.waitForFunction(`document.documentElement.dataset.start === undefined`);
    expect(await page.getByLabel('Email address').isVisible()).toBe(true);
    expect(await said(page).count()).toBe(0);
  });
});
