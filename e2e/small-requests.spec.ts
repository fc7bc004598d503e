import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { uploadOnScreen } from './upload.ts';

const kib = 1024;
/** About 2 MB. */
const content = {
  keywords: Array.from({ length: 20_000 }, (_, at) => ({
    keyword: `a rather long keyword about gardens and number ${at}`,
    search_volume: at,
  })),
  hierarchy: {
    name: 'Garden',
    children: [{ name: 'All', children: ['a rather long keyword about gardens and number 1'] }],
  },
};

/** A proxy that lets requests of so many bytes through. @returns the sizes of those that got through */
async function behindProxy(page: Page, most: number): Promise<number[]> {
  const passed: number[] = [];
  await page.route('**/api/uploads/*', async (route) => {
    const size = route.request().postDataBuffer()?.length ?? 0;
    if (route.request().method() !== 'PATCH') return route.fallback();
    if (size > most) return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' });
    passed.push(size);
    return route.fallback();
  });
  return passed;
}

story('an upload through a proxy that limits requests', () => {
  const stage = useStage();

  test('is sent in smaller parts, and the page says why', { timeout: 120_000 }, async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/413/);
    const { page } = visitor;
    const passed = await behindProxy(page, 300 * kib);
    const uploading = uploadOnScreen(page, 'admin@example.com', content);
    // upload/parts-limited
    await page
      .getByText('A proxy in front of the server refuses larger requests, so the file is sent in parts of 262 KB.')
      .waitFor();
    await uploading;
    expect(Math.max(...passed)).toBe(256 * kib);
    expect(passed.reduce((sum, size) => sum + size, 0)).toBe(JSON.stringify(content).length);
  });

  test('fails with what to change, if even the smallest part is refused', { timeout: 120_000 }, async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/413/);
    const { page } = visitor;
    await behindProxy(page, kib);
    void uploadOnScreen(page, 'admin@example.com', content).catch(() => undefined);
    // upload/parts-refused
    await page
      .getByText(
        'A proxy in front of the server refuses every part of the file as too large. Ask its administrator to allow request bodies of at least 1 MB; in nginx that is client_max_body_size.',
      )
      .first()
      .waitFor({ timeout: 60_000 });
  });
});
