import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { Banner } from './banner.tsx';

test('a banner that dismisses itself waits while it is hovered or focused, and then has the time that was left', async () => {
  stopClock();
  const onDismiss = vi.fn();
  await render(
    <main>
      <button type="button">Elsewhere</button>
      <Banner tone="success" lifeMs={5000} onDismiss={onDismiss}>
        Saved
      </Banner>
    </main>,
  );
  const [banner, elsewhere] = [page.getByText('Saved'), page.getByRole('button', { name: 'Elsewhere' })];
  await runFor(2000);
  await userEvent.hover(banner);
  await runFor(60_000);
  await userEvent.hover(elsewhere);
  await runFor(1000);
  (page.getByRole('button', { name: 'Dismiss' }).element() as HTMLElement).focus();
  await runFor(60_000);
  (elsewhere.element() as HTMLElement).focus();
  await runFor(1900);
  expect(onDismiss).not.toHaveBeenCalled();
  await runFor(200);
  expect(onDismiss).toHaveBeenCalledOnce();
});
