import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

const sentence = 'Keyword Clustering could not be loaded. Check your connection and reload the page.';
const said = (page: Page) => page.getByRole('alert').getByText(sentence);
const scripts = '**/assets/*.js';

story('scripts of the page fail to load', () => {
  const stage = useStage();

  // Shows P2.9.
  test('the start says so at once when it failed, in the end when it hangs, and not later on', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/ERR_FAILED|broken on purpose|late error/);
    // A page that is left while its scripts are loading may load again instead.
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.route(scripts, (route) => route.abort());
    await page.goto('/verify-email#none');
    await said(page).waitFor();
    expect(await page.locator('#loading-overlay').isVisible()).toBe(false);

    await page.unroute(scripts);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('button', { name: 'Sign in and confirm' }).waitFor();
    expect(await said(page).count()).toBe(0);
    // The fragment of the address is still valid.
    expect(new URL(page.url()).hash).toBe('#none');

    await page.evaluate(`setTimeout(() => { throw new Error('late error'); })`);
    await page.waitForFunction(`document.documentElement.dataset.start === undefined`);
    expect(await page.getByRole('button', { name: 'Sign in and confirm' }).isVisible()).toBe(true);
    expect(await said(page).count()).toBe(0);

    await page.route(scripts, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `throw new Error('broken on purpose');` }),
    );
    await page.goto('/login');
    await said(page).waitFor();

    await page.unroute(scripts);
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

  test('a screen says so, stays until the server can be reached, and follows a server that has another build', async () => {
    const { page, context, expectProblem } = await stage.signedIn('admin');
    expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch|dynamically imported module|did not arrive|404/);
    const loads = { count: 0 };
    page.on('domcontentloaded', () => {
      loads.count++;
    });
    const title = page.getByRole('heading', { name: 'Oops! Something went wrong' });
    const dashboard = page.getByRole('link', { name: 'Admin Panel', exact: true });
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await page.waitForLoadState('networkidle');
    expect(loads.count).toBe(1);
    await context.setOffline(true);
    await dashboard.click();
    await title.waitFor();
    await page.getByText('This page could not be loaded. Check your connection and try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('The server cannot be reached. Check the connection and try again.').waitFor();
    expect(loads.count).toBe(1);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    expect(loads.count).toBe(2);

    // The server has another build: the scripts of this one are gone, and the page of the other one is loaded at once.
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await page.waitForLoadState('networkidle');
    await page.route('**/assets/admin-screen-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.route(
      (url) => url.pathname === '/',
      (route) =>
        route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/start-other.js">' }),
    );
    await dashboard.click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    expect(loads.count).toBe(4);
    expect(new URL(page.url()).pathname).toBe('/admin');
  });

  // Shows P6.5.
  test('a tab or a part of the explorer says so, everything else works, and a reload loads it', async () => {
    const { page, context, expectProblem } = await stage.signedIn('admin');
    expectProblem(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch|dynamically imported module/);
    await page.route('**/assets/settings-tab-*.js', (route) => route.abort());
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.getByText('Error loading tab content').waitFor();
    await sidebar.getByRole('link', { name: /Users/ }).click();
    await page.getByRole('button', { name: 'Refresh Users' }).waitFor();
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.unroute('**/assets/settings-tab-*.js');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'User Registration' }).waitFor();

    await page.goto('/visualization?v=sample&view=icicle');
    const picture = page.getByRole('application', { name: /^Icicle of Garden shop/ });
    await picture.waitFor();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('region', { name: 'Legend' }).getByRole('button').click();
    const failed = page.getByText('This part could not be shown. Check your connection and load the page again.');
    const isTold = async () => {
      await failed.waitFor();
      expect(await picture.isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Close' }).click();
      await failed.waitFor({ state: 'detached' });
    };
    // Without a connection, loading again would leave nothing.
    await failed.waitFor();
    await page.getByRole('button', { name: 'Load page again' }).click();
    await page.getByText('The server cannot be reached. Check the connection and try again.').waitFor();
    expect(await picture.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();
    const panel = page.locator('#right-panel');
    const tab = (name: string) => page.getByRole('tablist', { name: 'Right panel' }).getByRole('tab', { name });
    await tab('Plan').click();
    await isTold();
    await tab('Details').click();
    await panel.getByRole('heading', { name: 'Garden shop' }).waitFor();
    // Each time it is asked for again.
    for (const key of ['Control+k', 'Control+k']) {
      await page.keyboard.press(key);
      await isTold();
    }
    await page.getByRole('button', { name: 'My Visualizations' }).click();
    await isTold();
    for (const name of ['Edit name', 'Emails', 'Emails']) {
      await page
        .getByRole('banner')
        .getByRole('button', { name: /^online/ })
        .click();
      await page.getByRole('menuitem', { name }).click();
      await isTold();
    }
    await expect.poll(() => page.getByRole('treeitem').count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await isTold();
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('heading', { name: 'This part could not be shown.' }).waitFor();
    // The outline is closed here until somebody opens it.
    await page.getByRole('button', { name: 'Show the outline' }).click();
    await expect.poll(() => page.getByRole('treeitem').count()).toBeGreaterThan(1);

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('treegrid').waitFor();
  });
});
