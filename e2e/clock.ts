import type { Page } from 'playwright-core';

/** Sets a fake clock: from now on, only the test advances time. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
}
