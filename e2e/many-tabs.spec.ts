import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/** More than the connections that a browser opens to one server over HTTP/1.1. */
const tabs = 8;

story('a user has many tabs open', () => {
  const stage = useStage();

  // Shows P17.11.
  test('all of them load, receive an admin’s change over one stream, and are signed out together', async () => {
    const { page, context, call, expectProblem } = await stage.signedIn('approved');
    const streams = new Set<Request>();
    context.on('request', (request) => request.url().endsWith('/api/events') && streams.add(request));
    const ended = (request: Request) => void streams.delete(request);
    context.on('requestfinished', ended);
    context.on('requestfailed', ended);

    const all = [page, ...(await Promise.all(Array.from({ length: tabs - 1 }, () => context.newPage())))];
    await Promise.all(all.map((one) => one.goto('/visualization?v=sample')));
    await Promise.all(all.map((one) => one.getByRole('treeitem', { level: 2 }).first().waitFor()));
    await expect.poll(() => streams.size).toBe(1);

    const admin = await stage.signedIn('admin');
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    await admin.call('PUT', '/settings', { version, settings: { ...settings, darkMode: true }, enforce: false });
    await Promise.all(all.map((one) => one.locator('html[data-theme=dark]').waitFor()));
    await expect.poll(() => streams.size).toBe(1);

    // A tab that sends a request before it receives the event learns it from the response.
    expectProblem(/status of 401 .*\/api\/(events|settings\/screen|visualizations(\/sample\/.*)?)$/);
    await call('DELETE', '/session');
    await Promise.all(all.map((one) => one.waitForURL('**/login')));
  });
});
