import type { Page } from 'playwright-core';

/** From now on time passes only when a test says so. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
}
