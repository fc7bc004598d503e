import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { LastUpdated } from './freshness.tsx';

test('what a refresh has found is announced, and the time that passes after it is not', async () => {
  const startedAt = 20 * 60_000;
  stopClock(startedAt);
  const parts = { isRefreshing: false, onRefresh: () => undefined };
  const screen = await render(<LastUpdated at={0} {...parts} />);
  const announced = page.getByRole('status');
  await expect.element(announced).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.element(announced).toHaveTextContent('Updated 20 min ago');
  await screen.rerender(<LastUpdated at={startedAt} {...parts} />);
  await expect.element(announced).toHaveTextContent('Updated just now');
  await runFor(75_000);
  await expect.element(page.getByText('Updated 75 s ago')).toBeVisible();
  await expect.element(announced).not.toBeInTheDocument();
});
